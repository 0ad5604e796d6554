import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Modification times of published files", .enabled(if: Has.sqlite, "no sqlite3"))
struct FileTimeTests {
  /// Path below `Originals` to modification time, as `find` sees it: seconds with nine digits behind
  /// the point.
  private func times(
    _ scene: Scene,
    _ folder: String = "Library/Originals"
  ) throws -> [String: String] {
    let listing = try Tool.run("find", [scene.at(folder), "-type", "f", "-printf", "%f %T@\\n"])
    var times: [String: String] = [:]
    for line in listing.output.split(separator: "\n") {
      let parts = line.split(separator: " ")
      times[String(parts[0])] = String(parts[1])
    }
    return times
  }

  private func set(_ scene: Scene, _ path: String, _ time: String) throws {
    let result = try Tool.run("touch", ["-d", "@" + time, scene.at(path)])
    try #require(result.status == 0, "\(result.error)")
  }

  private func scene(_ policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try set(scene, "sources/camera/1.jpg", "1234567890.123456789")
    try set(scene, "sources/camera/2.jpg", "-86400.5")
    try set(scene, "sources/camera/3.jpg", "1600000000")
    return scene
  }

  /// Runs with a fault in the call that sets times. Source: strace(1), `inject`.
  private func run(_ scene: Scene, injecting fault: String) throws -> Outcome {
    try scene.writeManifest()
    return Outcome(
      try Tool.run(
        "strace",
        [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=utimensat", "-e",
          "inject=utimensat:" + fault, try Scene.executable(), "run", "manifest.json", "--format",
          "json",
        ],
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
    )
  }

  /// `find` shows whole seconds, which count down before 1970, and then what is added to them.
  private static let kept = [
    "1.jpg": "1234567890.1234567890", "2.jpg": "-86401.5000000000",
    "3.jpg": "1600000000.0000000000",
  ]

  @Test("Under keep a published file has its source's time, to the nanosecond, before 1970 too")
  func keep() throws {
    let scene = try scene()
    try scene.run().expect(0)
    #expect(try times(scene) == Self.kept)
    try scene.expectVerified()
  }

  @Test("Without the kernel's confinement too")
  func processOnly() throws {
    let scene = try scene()
    try scene.run("--enforcement", "process").expect(0)
    #expect(try times(scene) == Self.kept)
  }

  @Test("Under strip it is the time of saving, whatever the source's is")
  func strip() throws {
    let scene = try scene("strip")
    let before = Date().timeIntervalSince1970 - 1
    try scene.run().expect(0)
    for (name, time) in try times(scene) {
      #expect(try #require(Double(time)) > before, "\(name)")
    }
  }

  @Test(
    "Under strip that keeps the creation date it is that date",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func creationDate() throws {
    let scene = Scene(policy: nil)
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    let date = "-DateTimeOriginal=2024:02:29 12:30:45"
    for (number, tags) in [(1, [date, "-OffsetTimeOriginal=+02:00"]), (2, [date]), (3, [])] {
      try Independent.make(
        "exiftool",
        ["-q", "-overwrite_original", "-all="] + tags + [scene.at("sources/camera/\(number).jpg")]
      )
    }
    let before = Date().timeIntervalSince1970 - 1
    try scene.run().expect(0)
    let times = try times(scene)
    // date -ud '2024-02-29 12:30:45' +%s
    #expect(times["1.jpg"] == "\(1_709_209_845 - 7200).0000000000")
    #expect(times["2.jpg"] == "1709209845.0000000000", "a date without an offset counts as UTC")
    let saved = try #require(times["3.jpg"].flatMap(Double.init))
    #expect(saved > before, "without a date, that of saving")
  }

  @Test("A restored file has its source's time again, and a quarantined one keeps its own")
  func repaired() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let originals = try scene.originals().map(\.path).sorted()
    try FileManager.default.removeItem(atPath: scene.library + "/Originals/" + originals[0])
    let damaged = "Library/Originals/" + originals[1]
    try scene.put(damaged, Array("damaged".utf8))
    try set(scene, damaged, "1500000000")
    try scene.command(["repair", scene.library, "--from", scene.manifestPath]).expect(0)
    #expect(try times(scene) == Self.kept)
    #expect(try times(scene, "Library/Quarantine").values.map { $0 } == ["1500000000.0000000000"])
    try scene.expectVerified()
  }

  @Test(
    "The time is set before the batch is flushed, by a process that opens nothing else",
    .enabled(if: Has.strace, "no strace")
  )
  func order() throws {
    let scene = try scene()
    let (outcome, lines) = try scene.tracedRun("utimensat,syncfs,openat2")
    try outcome.expect(0)
    let set = lines.indices.filter { lines[$0].contains("utimensat(") }
    #expect(set.count == 3)
    #expect(set.allSatisfy { lines[$0].contains("AT_EMPTY_PATH") })
    let pid = try #require(set.first.map { lines[$0].split(separator: " ")[0] })
    #expect(lines.allSatisfy { $0.contains("utimensat(") ? $0.hasPrefix(pid) : true })
    let flush = try #require(lines.firstIndex { $0.contains("syncfs(") && $0.contains("/.staging/") })
    #expect(set.allSatisfy { $0 < flush })
    let opened = lines.filter { $0.hasPrefix(pid) && $0.contains("openat2(") }
    #expect(opened.allSatisfy { $0.contains("O_PATH") && $0.contains("RESOLVE_BENEATH") })
  }

  @Test(
    "When the process dies the run ends with 74 and publishes nothing; the next one goes on",
    .enabled(if: Has.strace, "no strace")
  )
  func death() throws {
    let scene = try scene()
    let outcome = try run(scene, injecting: "signal=KILL")
    try outcome.expect(74)
    #expect(outcome.streams.contains("sets the times of files has ended"))
    #expect(try scene.digests("Library/Originals").isEmpty)
    try scene.run().expect(0)
    #expect(try times(scene) == Self.kept)
    try scene.expectVerified()
  }

  @Test(
    "A file system that takes no times costs the times alone, and the summary says so",
    .enabled(if: Has.strace, "no strace")
  )
  func refused() throws {
    let scene = try scene()
    let outcome = try run(scene, injecting: "error=EROFS")
    try outcome.expect(0)
    #expect(outcome.streams.contains("3 published files have the time of the import"))
    #expect(outcome.streams.contains("EROFS"))
    #expect(try scene.originals().count == 3)
    try scene.expectVerified()
  }

  @Test("doctor tries what the process could do, and all of it is refused")
  func doctor() throws {
    let scene = Scene()
    let outcome = try scene.command(["doctor", "--format", "json", "--enforcement"])
    try outcome.expect(0)
    let times = try outcome.json()["enforcement"]["times"]
    #expect(times["tried"].int ?? 0 > 40)
    #expect(times["refused"].int == times["tried"].int)
    let names = times["ways"].array.compactMap { $0["name"].string }
    #expect(names.contains("set the time of a published file by its absolute path"))
    #expect(names.contains("change a refused file's times"))
  }

  @Test("Nobody else can start the process: it ends with 64")
  func alone() throws {
    let outcome = try Scene().command(["times"])
    try outcome.expect(64)
  }
}
