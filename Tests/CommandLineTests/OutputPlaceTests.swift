import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Paths that a command is told to write, and where they must not lie.
@Suite("Nothing is written within a source")
struct OutputPlaceTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("library")
    try scene.declare("camera", "denied")
    try scene.put("sources/library/1.jpg", try Media.photo("1"))
    try scene.put("sources/camera/sub/2.jpg", try Media.photo("2"))
    try scene.writeManifest()
    return scene
  }

  @Test("A plan, a library or a socket in a source is refused with 64, and nothing is made")
  func refused() throws {
    let scene = try scene()
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("link"),
      withDestinationPath: "sources/camera"
    )
    try scene.makePlan(2)
    try scene.runShards(2)
    let before = try Tool.run("find", ["sources", "-printf", "%p %s\n"], in: scene.path).output
    let commands = [
      ["shards", "plan", "manifest.json", "--shards", "2", "--output"],
      ["shards", "merge", "Plan", "--output"],
      ["run", "manifest.json", "--web", "--socket"],
    ]
    let folders = ["sources/library", "sources/camera/sub", "sources/camera/new/deep", "link"]
    for (command, folder) in Amount.pairs(commands, folders) {
      let outcome = try scene.command(command + [folder + "/made"])
      #expect(outcome.code == 64, "\(command) \(folder): \(outcome.streams)")
      let source = folder.contains("library") ? "photo library" : "camera"
      #expect(outcome.error.contains(source), "\(command) \(folder): \(outcome.streams)")
      #expect(
        try Tool.run("find", ["sources", "-printf", "%p %s\n"], in: scene.path).output == before,
        "\(command) \(folder)"
      )
      #expect(!FileManager.default.fileExists(atPath: scene.library))
    }
  }

  @Test(
    "What is made from a library lies in no source that its runs listed, and nothing is made",
    arguments: ["sources/library", "link/new/deep"]
  )
  func madeFromLibrary(folder: String) throws {
    let scene = Scene()
    for source in ["library", "camera"] {
      try scene.declare(source)
      try scene.put("sources/\(source)/1.jpg", try Media.photo(source))
    }
    try scene.run().expect(0)
    // A later run that lists one source does not make the library forget the other.
    try scene.declare("camera", "denied")
    try scene.put("sources/library/2.jpg", try Media.photo("2"))
    try scene.run().expect(0)
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("link"),
      withDestinationPath: "sources/camera"
    )
    func sources() throws -> String {
      try Tool.run("find", ["sources", "-printf", "%p %s %T@\n"], in: scene.path).output
    }
    let before = try sources()
    let head = try scene.command("audit", "verify", "Library", "--format", "json").json()
    let tree = "\(try #require(head["size"].int)):\(try #require(head["root"].string))"
    let output = folder + "/made"
    let commands = [
      ["export", "Library", output], ["gallery", "Library", output],
      ["contact-sheet", "Library", output], ["report", "Library", "--output", output],
      ["report", "Library", "--format", "github", "--step-summary", output],
      ["audit", "timestamp", "Library", "--query", output],
      ["audit", "consistency", tree, tree, "--library", "Library", "--output", output],
    ]
    for command in commands {
      let outcome = try scene.command(command)
      try outcome.expect(64)
      let source = folder.contains("library") ? "photo library" : "camera"
      #expect(outcome.error.contains("lies within the \(source)"), "\(outcome.streams)")
    }
    #expect(try sources() == before)
    // Where the source is gone, its place is as good as any other.
    try FileManager.default.removeItem(atPath: scene.at("sources"))
    try scene.makeFolder("sources")
    try scene.command("export", "Library", "sources/library").expect(0)
  }

  @Test("init writes no manifest within its own source or one that the library's runs listed")
  func manifest() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/1.jpg", try Media.photo("1"))
    try scene.put("Card/DCIM/2.jpg", try Media.photo("2"))
    try scene.run().expect(0)
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("link"),
      withDestinationPath: "sources/library"
    )
    func sources() throws -> String {
      try Tool.run("find", ["sources", "Card", "-printf", "%p %s %T@\n"], in: scene.path).output
    }
    let before = try sources()
    let places = [
      ("Card/DCIM", "camera"), ("Card/new", "camera"), ("sources/library", "photo library"),
      ("link", "photo library"),
    ]
    for (folder, source) in places {
      let outcome = try scene.command(
        "init",
        "Card",
        "--policy",
        "strip",
        "--manifest",
        folder + "/made.json",
        "--format",
        "json"
      )
      try outcome.expect(64)
      #expect(outcome.error.contains("lies within the \(source)"), "\(outcome.streams)")
      #expect(try outcome.json()["exitCode"].int == 64)
    }
    #expect(try sources() == before)
    try scene.command("init", "--policy", "strip", "Card", "--manifest", "card.json").expect(0)
  }

  @Test("A key within a source of the library is not replaced")
  func rotatedKey() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    try scene.command("audit", "key", "show").expect(0)
    for folder in ["sources/camera/keys", "keys"] {
      try scene.makeFolder(folder)
      try FileManager.default.copyItem(
        atPath: scene.at("home/mediabatch/audit.key"),
        toPath: scene.at(folder + "/audit.key")
      )
    }
    func sources() throws -> String {
      try Tool.run("find", ["sources", "-printf", "%p %s %i %T@\n"], in: scene.path).output
    }
    func rotate(_ key: String, _ library: String) throws -> Outcome {
      try scene.command("audit", "key", "rotate", "--key", key, "--library", library)
    }
    let before = try sources()
    let refused = try rotate("sources/camera/keys/audit.key", "Library")
    try refused.expect(64)
    #expect(refused.error.contains("lies within the camera"), "\(refused.streams)")
    // A folder that is no library cannot tell its sources.
    #expect(try rotate("sources/camera/keys/audit.key", "keys").code != 0)
    #expect(try sources() == before)
    try rotate("keys/audit.key", "Library").expect(0)
  }

  @Test("Beside the sources all is well")
  func beside() throws {
    let scene = try scene()
    try scene.command(
      ["shards", "plan", "manifest.json", "--shards", "1", "--output", "sources-plan"]
    ).expect(0)
  }

  @Test("Without /proc no command ends with 0", .enabled(if: Namespace.isAvailable, "no namespace"))
  func withoutProc() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let outcome = try Namespace.run(
      """
      mount -t tmpfs tmpfs /proc
      for words in "verify Library" "run manifest.json" "no-such-command" "--help"; do
        "$mediabatch" $words; echo "$?"
      done
      """,
      in: scene.path
    )
    #expect(outcome.output == "70\n70\n70\n70\n", "\(outcome.streams)")
    #expect(outcome.error.contains("mount -t proc"))
    // A script must not take a forgotten subcommand for success.
    let nothing = try scene.command([])
    try nothing.expect(64)
    #expect(nothing.error.contains("mediabatch --help"))
  }
}
