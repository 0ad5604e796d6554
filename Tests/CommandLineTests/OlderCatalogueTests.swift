import Foundation
import MediaTestSupport
import Testing

/// A command that writes a library.
enum LibraryCommand: String, CaseIterable, Sendable {
  case idleRun, imports, thumbnails, superseded, withdraw, label, rotate, stack, split, rebuild

  /// A scene with a library of five photos, two of which are a stack, and with superseded thumbnails.
  static func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    for name in ["a", "b", "c", "d", "e"] {
      try scene.put("sources/camera/\(name).jpg", try Media.photo(name))
    }
    try scene.run().expect(0)
    try scene.command(["stack", "add", "Library"] + assets(["d", "e"], of: scene)).expect(0)
    scene.setThumbnails([("grid", 20, 20, "aspectFill")])
    try scene.run().expect(0)
    return scene
  }

  private static func assets(_ labels: [String], of scene: Scene) throws -> [String] {
    try labels.map { label in
      try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = '\(label)'").first)
    }
  }

  /// Carries the command out on the scene's library.
  func perform(_ scene: Scene) throws {
    func decide(_ words: [String], _ labels: [String], _ rest: [String] = []) throws {
      try scene.command(words + ["Library"] + Self.assets(labels, of: scene) + rest).expect(0)
    }
    switch self {
    case .idleRun: try scene.run().expect(0)
    case .imports:
      try scene.put("sources/camera/f.jpg", try Media.photo("f"))
      try scene.run().expect(0)
    case .thumbnails:
      scene.setThumbnails([("grid", 24, 24, "aspectFill")])
      try scene.run().expect(0)
    case .superseded: try scene.command("repair", "Library", "--superseded").expect(0)
    case .withdraw: try decide(["withdraw"], ["a"])
    case .label: try decide(["label"], ["a"], ["Harbour"])
    case .rotate: try decide(["rotate"], ["a"], ["--by", "90"])
    case .stack: try decide(["stack", "add"], ["a", "b"])
    case .split: try decide(["stack", "split"], ["d"])
    case .rebuild: try scene.rebuild().expect(0)
    }
  }
}

/// Brings the catalogue of before a command back, as a copy or a file system does.
@Suite("A catalogue of an earlier day", .enabled(if: Has.sqlite, "no sqlite3"))
struct OlderCatalogueTests {
  /// What a person sees of a library, and its files.
  private func content(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT label, rotation FROM assets WHERE superseded = 0 ORDER BY label")
      + scene.catalogue("SELECT count(*) FROM stacks") + scene.originalNames()
  }

  @Test(
    "Nothing is opened, published or decided with it, and the repair that is named mends it",
    arguments: LibraryCommand.allCases
  )
  func isMended(command: LibraryCommand) throws {
    let scene = try LibraryCommand.scene()
    let older = try readBytes(scene.library + "/library.sqlite")
    let asset = try #require(scene.catalogue("SELECT localIdentifier FROM assets LIMIT 1").first)
    try command.perform(scene)
    let content = try content(scene)
    let published = try scene.digests("Library/Originals")
    try scene.removeCatalogue()
    try scene.put("Library/library.sqlite", older)
    try scene.put("sources/camera/new.jpg", try Media.photo("new"))
    for words in [["run", "manifest.json"], ["label", "Library", asset, "Other"]] {
      let refused = try scene.command(words)
      try refused.expect(70)
      #expect(refused.streams.contains("mediabatch repair"), "\(refused.streams)")
    }
    #expect(try scene.digests("Library/Originals") == published)
    #expect(try scene.command("verify", "Library").code == 65)
    let plan = try scene.command("verify", "Library", "--repairable").output
    #expect(!plan.contains("restored"), "\(plan)")
    let repair = try scene.command("repair", "Library")
    try repair.expect(0)
    #expect(try self.content(scene) == content)
    try scene.expectVerified()
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.count("imported") == 1)
    #expect(try scene.digests("Library/Originals").count == published.count + 1)
    try scene.expectVerified()
    // Nothing is left to mend.
    #expect(try scene.command("repair", "Library").output == "There was nothing to repair.\n")
  }

  @Test("A copy of a file of the log is named, and is neither taken for a run nor written behind")
  func copied() throws {
    let scene = try LibraryCommand.scene()
    let log = try #require(scene.logFiles().first?.name)
    let copy = scene.library + "/Audit/000009-deadbeef.ndjson"
    #expect(try Tool.run("cp", [scene.library + "/Audit/" + log, copy]).status == 0)
    let run = try scene.run()
    try run.expect(70)
    #expect(run.streams.contains("000009-deadbeef.ndjson is a copy"), "\(run.streams)")
    let rebuild = try scene.rebuild()
    try rebuild.expect(65)
    #expect(try Tool.run("rm", [copy]).status == 0)
    #expect(try scene.originalNames().count == 5)
  }

  @Test("A file between those that the catalogue knows is noticed as well")
  func between() throws {
    let scene = try LibraryCommand.scene()
    try LibraryCommand.withdraw.perform(scene)
    let name = try #require(scene.logFiles().last?.name)
    try scene.run().expect(0)
    // As if another command had gone on with the older catalogue.
    _ = try scene.catalogue("DELETE FROM runs WHERE auditFile = '\(name)'")
    let refused = try scene.run()
    try refused.expect(70)
    #expect(refused.streams.contains("mediabatch repair"), "\(refused.streams)")
    try scene.command("repair", "Library").expect(0)
    try scene.expectVerified()
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["b.jpg", "c.jpg", "d.jpg", "e.jpg"])
  }
}
