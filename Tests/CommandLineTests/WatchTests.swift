import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

/// A watch over real folders: what it takes, what it leaves, and how it ends.
@Suite("Watching sources", .enabled(if: Has.sqlite, "no sqlite3"))
struct WatchTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    return scene
  }

  /// Starts a watch and waits until the sources are watched.
  private func start(
    _ scene: Scene,
    settle: String = "0.5",
    every: String = "600",
    _ arguments: [String] = []
  ) throws -> RunningProgram {
    try scene.writeManifest()
    let watch = try RunningProgram(
      try Scene.executable(),
      ["watch", "manifest.json", "--settle", settle, "--every", every] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(watch.waits { output(watch).contains("are watched") }, "\(output(watch))")
    return watch
  }

  private func output(_ watch: RunningProgram) -> String {
    String(decoding: watch.error, as: UTF8.self)
  }

  /// The imported paths, in their order.
  private func imported(_ scene: Scene) -> [String] {
    // Before the first run has made it there is no catalogue.
    let sql = "SELECT CAST(sourcePath AS TEXT) FROM resources ORDER BY 1"
    let result = try? Tool.run("sqlite3", ["-readonly", scene.library + "/library.sqlite", sql])
    guard let result, result.status == 0 else { return [] }
    return result.output.split(separator: "\n").map(String.init)
  }

  private func stop(
    _ watch: RunningProgram,
    _ scene: Scene,
    location: SourceLocation = #_sourceLocation
  ) throws {
    watch.send(SIGTERM)
    let result = try #require(watch.end(seconds: 240), sourceLocation: location)
    #expect(result.status == 143, "\(result.error)", sourceLocation: location)
    try scene.expectVerified(location)
  }

  @Test("Files are taken as they come, in new folders too, and each item is told once")
  func imports() throws {
    let scene = try scene()
    try scene.put("sources/library/old.jpg", try Media.photo("old"))
    let watch = try start(scene, settle: "0.2", ["--events"])
    try #require(watch.waits { imported(scene) == ["old.jpg"] }, "\(output(watch))")
    try scene.put("sources/library/new/deep/one.jpg", try Media.photo("one"))
    try scene.put("sources/library/two.jpg", try Media.photo("two"))
    try scene.put("sources/library/.thumbnails/no.jpg", try Media.photo("no"))
    let all = ["new/deep/one.jpg", "old.jpg", "two.jpg"]
    try #require(watch.waits { imported(scene) == all }, "\(output(watch))")
    // A folder that is moved within the source is noticed with what it holds.
    try scene.put("outside/three.jpg", try Media.photo("three"))
    try FileManager.default.moveItem(
      atPath: scene.at("outside"),
      toPath: scene.at("sources/library/inside")
    )
    try #require(watch.waits { imported(scene).contains("inside/three.jpg") }, "\(output(watch))")
    let runs = try scene.logFiles().count
    // A round that has nothing to do leaves no log file.
    try scene.put("sources/library/.thumbnails/still-no.jpg", try Media.photo("no"))
    try stop(watch, scene)
    #expect(try scene.logFiles().count == runs)
    let lines = try String(decoding: watch.output, as: UTF8.self).split(separator: "\n")
      .map { try JSON(text: String($0))["sourcePath"].string ?? "" }
    #expect(lines.sorted() == (all + ["inside/three.jpg"]).sorted(), "\(lines)")
  }

  @Test("A file that is still being written is never taken half")
  func growing() throws {
    for _ in 0..<5 {
      if try isTakenWhole() { return }
    }
    Issue.record("the writer stood still each time")
  }

  /// Writes a file slowly beside a watch, which has to take it whole.
  ///
  /// - Returns: False when this process stood still for as long as a file takes to settle: then a watch may take a part.
  private func isTakenWhole() throws -> Bool {
    let scene = try scene()
    let whole = try Media.photo(String(repeating: "whole ", count: 200))
    // Ten times as long as the pauses of the writer.
    let watch = try start(scene, settle: "2")
    var longest = Duration.zero
    var last = ContinuousClock.now
    var early: [String] = []
    let path = scene.at("sources/library/slow.jpg")
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    let step = whole.count / 12
    for part in stride(from: 0, to: whole.count, by: step) {
      let begin = ContinuousClock.now
      file.write(Data(whole[part..<min(whole.count, part + step)]))
      longest = max(longest, last.duration(to: .now))
      last = begin
      // The passing of time is the subject: all pauses together are longer than the time to settle.
      usleep(200_000)
      early += imported(scene)
      longest = max(longest, begin.duration(to: .now))
    }
    if longest >= .seconds(2) { return false }
    #expect(early == [])
    try file.close()
    try #require(watch.waits { imported(scene) == ["slow.jpg"] }, "\(output(watch))")
    try stop(watch, scene)
    let original = try #require(try scene.originals().first)
    #expect(try scene.originals().count == 1)
    #expect(try readBytes(scene.library + "/Originals/" + original.path) == whole)
    #expect(!output(watch).contains("failed"), "\(output(watch))")
    return true
  }

  @Test("Many files at once are all taken")
  func many() throws {
    let scene = try scene()
    let count = Amount.of(400, all: 5000)
    let first = try Media.photo("first")
    let watch = try start(scene)
    for number in 0..<count {
      // A comment behind the SOI marker makes each content another one.
      let text = Array("\(number)".utf8)
      let comment = [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text
      try scene.put("sources/library/\(number % 7)/\(number).jpg", first[..<2] + comment + first[2...])
    }
    try #require(watch.waits(seconds: 300) { imported(scene).count == count }, "\(output(watch))")
    try stop(watch, scene)
  }

  @Test("A second watch of a library ends with 73, and a run beside the watch is no matter")
  func second() throws {
    let scene = try scene()
    let watch = try start(scene)
    let second = try RunningProgram(
      try Scene.executable(),
      ["watch", "manifest.json"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    // A second watch that is not refused would go on for ever.
    let result = try #require(second.end(seconds: 240), "\(output(second))")
    #expect(result.status == 73)
    #expect(result.error.contains("is watched by another process"), "\(result.error)")
    try scene.put("sources/library/one.jpg", try Media.photo("one"))
    _ = try scene.command("run", "manifest.json", "--wait")
    try #require(watch.waits { imported(scene) == ["one.jpg"] }, "\(output(watch))")
    try stop(watch, scene)
  }

  /// The process that notices changes; the only one between rounds.
  private func watcher(of watch: RunningProgram) -> Int32? {
    watch.children.first { child in
      let line = try? readBytes("/proc/\(child)/cmdline")
      return line.map { String(decoding: $0, as: UTF8.self).contains("watcher") } ?? false
    }
  }

  @Test("An event that was lost is found by the listing")
  func lost() throws {
    let scene = try scene()
    try scene.put("sources/library/first.jpg", try Media.photo("first"))
    // It makes the store of answers, whose coming would have the watch decide again, with a new watcher.
    try scene.run().expect(0)
    let watch = try start(scene, every: "3")
    // Held, it reports nothing.
    let held = try #require(watcher(of: watch))
    try #require(kill(held, SIGSTOP) == 0)
    // Without a round for longer than the settle time, the listing is the next one.
    var lastRound = Date.now
    let isQuiet = watch.waits {
      if watch.children != [held] { lastRound = .now }
      return Date.now.timeIntervalSince(lastRound) > 1
    }
    try #require(isQuiet, "\(output(watch))")
    try scene.put("sources/library/unseen.jpg", try Media.photo("unseen"))
    try #require(watch.waits { imported(scene).count == 2 }, "\(output(watch))")
    #expect(watcher(of: watch) == held)
    // A watcher that is killed is started again, and that is said.
    try #require(kill(held, SIGKILL) == 0)
    try #require(watch.waits { output(watch).contains("started again") }, "\(output(watch))")
    #expect(watch.waits { watcher(of: watch).map { $0 != held } ?? false })
    try stop(watch, scene)
  }

  @Test("Killed, the watch leaves no process behind, and the next one goes on")
  func killed() throws {
    let scene = try scene()
    let watch = try start(scene)
    let children = watch.children
    #expect(!children.isEmpty)
    try scene.put("sources/library/one.jpg", try Media.photo("one"))
    watch.send(SIGKILL)
    _ = watch.end(seconds: 240)
    let next = try start(scene)
    #expect(next.waits { children.allSatisfy { kill($0, 0) != 0 } })
    try #require(next.waits { imported(scene) == ["one.jpg"] }, "\(output(next))")
    try stop(next, scene)
  }

  @Test("A source that is denied is not watched on, and is again when it is allowed")
  func denied() throws {
    let scene = try scene()
    let watch = try start(scene, every: "1")
    func isWatched() -> Bool { watcher(of: watch) != nil }
    #expect(watch.waits { isWatched() })
    try scene.declare("library", "denied")
    try scene.writeManifest()
    try #require(watch.waits { !isWatched() }, "\(output(watch))")
    try scene.put("sources/library/one.jpg", try Media.photo("one"))
    try scene.declare("library", "authorized")
    try scene.writeManifest()
    try #require(watch.waits { imported(scene) == ["one.jpg"] }, "\(output(watch))")
    #expect(watch.waits { isWatched() })
    try stop(watch, scene)
  }

  @Test(
    "Neither the watch nor the watcher opens a file of a source",
    .enabled(if: Has.strace, "no strace")
  )
  func opensNothing() throws {
    let scene = try scene()
    try scene.put("sources/library/one.jpg", try Media.photo("one"))
    try scene.writeManifest()
    let strace = try RunningProgram(
      "strace",
      [
        "-f", "-qq", "-s", "300", "-e", "trace=execve,open,openat,openat2", "-o", scene.at("trace"),
        try Scene.executable(), "watch", "manifest.json", "--settle", "0.5", "--every", "600",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(strace.waits { imported(scene) == ["one.jpg"] }, "\(output(strace))")
    try scene.put("sources/library/two.jpg", try Media.photo("two"))
    try #require(strace.waits { imported(scene).count == 2 }, "\(output(strace))")
    let supervisor = try #require(strace.children.first)
    try #require(kill(supervisor, SIGTERM) == 0)
    _ = strace.end(seconds: 240)
    let lines = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n")
    let watchers = lines.filter { $0.contains("execve(") && $0.contains("\"watcher\"") }
      .compactMap { Int32($0.prefix { $0 != " " }) }
    try #require(!watchers.isEmpty)
    let own = lines.filter { line in
      let pid = Int32(line.prefix { $0 != " " })
      return pid == supervisor || pid.map(watchers.contains) == true
    }
    #expect(!own.contains { $0.contains(".jpg") }, "\(own.filter { $0.contains(".jpg") })")
    // The runs did: the trace sees such calls.
    #expect(lines.contains { $0.contains("two.jpg") })
  }

  @Test("doctor tries what the watcher could do, and all of it is refused")
  func doctor() throws {
    let outcome = try Scene().command(["doctor", "--format", "json", "--enforcement"])
    try outcome.expect(0)
    let watcher = try outcome.json()["enforcement"]["watcher"]
    #expect(watcher["tried"].int ?? 0 > 40)
    #expect(watcher["refused"].int == watcher["tried"].int)
    let names = watcher["ways"].array.compactMap { $0["name"].string }
    #expect(names.contains("read a file of a granted source"))
    try Scene().command(["watcher"]).expect(64)
  }
}
