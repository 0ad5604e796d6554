import Foundation
import MediaTestSupport
import Testing

/// What commands that are no run let themselves do, as strace sees their layers and what they open.
@Suite("Confinement of other commands", .ownProcesses, .enabled(if: Has.strace, "no strace"))
struct CommandConfinementTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    for number in 1...4 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  /// The lines of strace, each with the process first.
  private func trace(_ scene: Scene, _ arguments: [String]) throws -> [String] {
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-s", "300", "-e",
        "trace=landlock_add_rule,landlock_restrict_self,seccomp,open,openat,openat2,clone,clone3", "-e",
        "signal=none", "-o", scene.at("trace"), try Scene.executable(),
      ] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result.error)")
    return String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private func isForWriting(_ line: String) -> Bool {
    ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains { line.contains($0) }
      && !line.contains(" = -1 ")
  }

  @Test("A decision about stacks may write catalogue and log, and opens no other file for it")
  func stack() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let listed = try scene.command("list", "Library", "--format", "json").json()
    let assets = listed["assets"].array.compactMap { $0["localIdentifier"].string }
    try #require(assets.count == 4)
    let lines = try trace(scene, ["stack", "add", "Library"] + assets.prefix(2))
    let rules = lines.filter { $0.contains("landlock_add_rule(") }
    #expect(rules.contains { $0.contains("library.sqlite") })
    for rule in rules where rule.contains("WRITE_FILE") {
      #expect(rule.contains("/library.sqlite"), "\(rule)")
    }
    #expect(!rules.contains { $0.contains("MAKE_") || $0.contains("REMOVE_") }, "\(rules)")
    let confined = try #require(lines.firstIndex { $0.contains("landlock_restrict_self(") })
    #expect(lines[confined...].contains { $0.contains("seccomp(SECCOMP_SET_MODE_FILTER, 0, {") })
    let opened = lines[confined...].filter { isForWriting($0) }
    #expect(opened.allSatisfy { $0.contains("/Library/library.sqlite") }, "\(opened)")
    #expect(!lines[confined...].contains { $0.contains("/Originals/") && $0.contains(".jpg") })
  }

  @Test("A merge reads a shard's log and catalogue behind its confinement, and may change no file")
  func merge() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.runShards(2)
    let lines = try trace(scene, ["shards", "merge", "Plan", "--output", "Merged", "--unsigned"])
    let rules = lines.filter { $0.contains("landlock_add_rule(") }
    for rule in rules where rule.contains("WRITE_FILE") {
      #expect(rule.contains("/Audit>") || rule.contains("/library.sqlite"), "\(rule)")
    }
    #expect(!rules.contains { $0.contains("REMOVE_") || $0.contains("EXECUTE") }, "\(rules)")
    #expect(!rules.contains { $0.contains("/sources") }, "\(rules)")
    let confined = try #require(lines.firstIndex { $0.contains("landlock_restrict_self(") })
    let process = try #require(lines[confined].split(separator: " ").first)
    let ofShards = lines.indices.filter { index in
      let line = lines[index]
      return line.contains("/Plan/shards/") && line.contains("open")
        && ["/library.sqlite>", ".ndjson>"].contains { line.contains($0) }
    }
    #expect(ofShards.count >= 4)
    // A thread that a confined one starts is confined.
    var threads: Set<Substring> = [process]
    for line in lines[confined...] where line.contains("clone") {
      let words = line.split(separator: " ")
      if let first = words.first, threads.contains(first), let last = words.last, words.dropLast().last == "="
      {
        threads.insert(last)
      }
    }
    for index in ofShards {
      let isOfConfined = lines[index].split(separator: " ").first.map(threads.contains) == true
      #expect(index > confined && isOfConfined, "\(lines[index])")
      #expect(!isForWriting(lines[index]), "\(lines[index])")
    }
    // Nothing of a source is opened: each item was imported by its shard.
    #expect(!lines.contains { $0.contains(scene.at("sources") + "/") })
  }

  @Test("A dry run lists its sources and opens none of their files, and writes nothing")
  func dryRun() throws {
    let scene = try scene()
    try scene.writeManifest()
    let lines = try trace(scene, ["run", "manifest.json", "--dry-run"])
    let inSources = lines.filter { $0.contains("open") && $0.contains(scene.at("sources/camera")) }
    #expect(inSources.contains { $0.contains("O_DIRECTORY") })
    for line in inSources {
      #expect(line.contains("O_DIRECTORY") || line.contains("O_PATH"), "\(line)")
      #expect(!line.contains(".jpg"), "\(line)")
    }
    // The working folder stands in each line, without a slash behind it.
    let written = lines.filter { isForWriting($0) && $0.contains("<\(scene.path)/") }
    #expect(written.isEmpty, "\(written)")
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }
}
