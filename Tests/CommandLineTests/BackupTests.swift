import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

/// Runs the commands that copy a library as they stand in `docs/library.md`.
@Suite("Backup", .serialized, .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace"))
struct BackupTests {
  /// The blocks of the document that are run here.
  private static func blocks() throws -> [DocumentBlock] {
    try DocumentBlock.all(in: "docs/library.md").filter(\.namesCopy)
  }

  /// The commands of the block whose first line is `# title`, a line each.
  private static func commands(_ title: String) throws -> [String] {
    let block = try blocks().first { $0.lines.first == "# \(title)" }
    return try #require(block, "no block \(title)").lines.dropFirst().filter { !$0.isEmpty }
  }

  @Test("Each block that names a copy is one of those that are run here")
  func complete() throws {
    let titles = try Self.blocks().compactMap(\.lines.first)
    let expected = [
      "with cp", "with rsync, again and again into the same copy", "in this order",
      "before a copy that was made during a run is used", "to another place",
    ]
    #expect(titles == expected.map { "# \($0)" })
  }

  /// Runs commands of a block; nothing else is on the way to the program than a folder with its name.
  @discardableResult
  private static func run(_ commands: [String], _ scene: Scene, copy: String) throws -> Outcome {
    let tools = scene.at("tools")
    if !FileManager.default.fileExists(atPath: tools) {
      try scene.makeFolder("tools")
      try FileManager.default.createSymbolicLink(
        atPath: tools + "/mediabatch",
        withDestinationPath: try Scene.executable()
      )
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let values = ["PATH": tools + ":" + path, "library": scene.library, "copy": copy]
    return Outcome(
      try Tool.run(
        "bash",
        ["-euc", commands.joined(separator: "\n")],
        environment: Scene.environment(in: scene.path).merging(values) { $1 },
        in: scene.path
      )
    )
  }

  /// A scene with a library of an earlier run, and so many photos that it does not have yet.
  private func scene(_ policy: String, _ count: Int) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.put("sources/camera/first.jpg", try Media.photo("first"))
    try scene.run().expect(0)
    // Its thumbnail is a small photo, which a debug build decodes quickly.
    let small = try #require(try scene.catalogue("SELECT path FROM thumbnails").first)
    for number in 1...count {
      let photo = try Media.photo("\(number)", from: scene.library + "/" + small)
      try scene.put("sources/camera/\(number).jpg", photo)
    }
    return scene
  }

  /// The program with a run of the scene's manifest whose output is a copy of the library.
  private func runs(_ scene: Scene, on copy: String) throws -> Outcome {
    _ = try scene.choose(library: copy)
    defer { scene.manifest["output"] = ["path": "Library"] }
    return try scene.start().wait()
  }

  @Test(
    "A copy of a library that nothing writes is the library, elsewhere too",
    arguments: ["with cp", "to another place"]
  )
  func quiet(title: String) throws {
    try expectCopy(try Self.commands(title), try scene("strip", 3))
  }

  @Test(
    "A copy that is brought up to date is the library as it is now",
    .enabled(if: Tool.exists("rsync"), "no rsync")
  )
  func again() throws {
    let commands = try Self.commands("with rsync, again and again into the same copy")
    let scene = try scene("strip", 3)
    try Self.run(commands, scene, copy: scene.at("Copy")).expect(0)
    try expectCopy(commands, scene)
  }

  /// Adds three photos, copies the library, and expects that the copy is one.
  private func expectCopy(_ commands: [String], _ scene: Scene) throws {
    let copy = scene.at("Copy")
    try scene.run().expectCounts(["imported": 3, "unchanged": 1])
    try Self.run(commands, scene, copy: copy).expect(0)
    #expect(try scene.digests("Copy") == scene.digests("Library"))
    // A source of another name with another inode is recognized by the key that was copied.
    try FileManager.default.copyItem(
      atPath: scene.at("sources/camera/1.jpg"),
      toPath: scene.at("sources/camera/again.jpg")
    )
    try runs(scene, on: "Copy").expectCounts(["unchanged": 4, "duplicate": 1])
    try LibraryState.expectWhole(copy)
  }

  @Test("A copy of one moment of a run is verified, and the run goes on in it")
  func snapshot() throws {
    let scene = try scene("keep", 20)
    let held = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2"
    )
    for _ in 0..<25 { _ = try #require(try held.next()) }
    try Independent.make("cp", ["-a", scene.library, scene.at("Copy")])
    held.kill(SIGKILL)
    _ = try held.wait()
    try scene.command("verify", "Copy").expect(0)
    let again = try runs(scene, on: "Copy")
    try again.expect(0)
    try LibraryState.expectWhole(scene.at("Copy"))
    #expect(try scene.digests("Copy/Originals").count == 21)
  }

  @Test(
    "A copy that is made in order is whole, whatever command comes between its steps",
    arguments: LibraryCommand.allCases
  )
  func between(command: LibraryCommand) throws {
    let steps = try Self.commands("in this order")
    let repair = try Self.commands("before a copy that was made during a run is used")
    let gaps = Array(1..<steps.count)
    let number = LibraryCommand.allCases.firstIndex(of: command) ?? 0
    for gap in Amount.isAll ? gaps : [gaps[number % gaps.count]] {
      let scene = try LibraryCommand.scene()
      let copy = scene.at("Copy")
      /// Copies the library, and returns what the steps have said.
      func copied(with command: LibraryCommand? = nil) throws -> String {
        #expect(try Tool.run("rm", ["-rf", copy]).status == 0)
        return try steps.enumerated().map { index, step in
          if index == gap { try command?.perform(scene) }
          let outcome = try Self.run([step], scene, copy: copy)
          try outcome.expect(0)
          return outcome.output
        }.joined()
      }
      // Where the log was copied already, the last step asks for another copy.
      let said = try copied(with: command)
      if gap < 3 { #expect(said == "", "\(gap)") }
      if said != "" { #expect(try copied() == "", "\(gap)") }
      try Self.run(repair, scene, copy: copy).expect(0)
      try scene.command("verify", "Copy").expect(0)
      #expect(try scene.digests("Copy/Originals") == scene.digests("Library/Originals"))
      try runs(scene, on: "Copy").expect(0)
    }
  }

  @Test("A copy that is made in order while a run goes on loses nothing that was there before")
  func beside() throws {
    let scene = try scene("keep", 200)
    let commands = try Self.commands("in this order")
    let repair = try Self.commands("before a copy that was made during a run is used")
    let copy = scene.at("Copy")
    let held = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2,fdatasync"
    )
    // The run publishes its first batch before the first command, and goes on between any two.
    func goesOn(_ steps: Int) throws {
      for _ in 0..<steps { _ = try #require(try held.next(), "the run ended before the copy") }
    }
    _ = try #require(try held.next { $0.line.contains("/Originals/") })
    try goesOn(100)
    var catalogued: Set<String> = []
    for command in commands {
      try goesOn(40)
      try Self.run([command], scene, copy: copy).expect(0)
      if command.hasPrefix("sqlite3") {
        catalogued = Set(
          try scene.catalogue("SELECT path FROM resources UNION SELECT path FROM thumbnails")
        )
      }
    }
    try held.wait().expect(0)
    try LibraryState.expectWhole(scene.library)

    // All that was there when the copying began is in the copy; of the log's files none is missing.
    #expect(catalogued.count > 2)
    #expect(catalogued.isSubset(of: try scene.digests("Copy").keys))
    func findings() throws -> [String] {
      let verify = try scene.command("verify", "Copy", "--format", "json")
      return try verify.json()["findings"].array.compactMap { $0["kind"].string }
    }
    #expect(try Set(findings()).isSubset(of: ["unknown", "unfinished"]))
    let repaired = try Self.run(repair, scene, copy: copy)
    #expect([0, 65].contains(repaired.code), "\(repaired.streams)")
    try scene.command("audit", "verify", "Copy").expect(0)
    try runs(scene, on: "Copy").expect(0)
    #expect(try Set(findings()).isSubset(of: ["unknown"]))
    #expect(try scene.command("audit", "verify", "Copy").code == 0)
    // Each source is there, and what is unknown is there twice.
    let originals = Set(try scene.digests("Library/Originals").values)
    #expect(originals.count == 201)
    #expect(Set(try scene.digests("Copy/Originals").values) == originals)
  }
}
