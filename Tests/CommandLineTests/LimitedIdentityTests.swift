import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Under `limited`, what was not selected does not exist: neither a person nor a program can tell
/// from anything that is said or written whether it is there.
@Suite("Limited is blind", .enabled(if: Has.sqlite, "no sqlite3"))
struct LimitedIdentityTests {
  static let selections: [(selection: [String], policy: String)] = [
    (HiddenItems.selected, "strip"),
    (["?.jpg", "2026/[a-c].jpg", "2026/IMG_*.J[P]G"], "strip"),
    (["2026/**/b.jpg", "a.jpg", "2026/IMG_7.JPG", "1999/*.jpg", "2026/gone.jpg"], "keep"),
  ]

  /// How many items are not selected.
  private static let hidden = Amount.of(100, all: HiddenItems.count)

  private static func scene(
    _ selection: [String],
    policy: String,
    status: String = "limited"
  ) throws -> Scene {
    let scene = Scene(policy: policy)
    var extra: [String: JSONValue] = [:]
    if status == "limited" { extra["selection"] = .array(selection.map { .string($0) }) }
    try scene.declare("library", status, extra)
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    scene.manifest["labels"] = ["file": "labels.csv", "template": "{number:4} {originalName}"]
    try scene.put(
      "labels.csv",
      """
      source,path,label
      library,2026/b.jpg,Bay
      library,2026/canary-1.jpg,canary label
      library,\(HiddenItems.hiddenHalf),canary movie

      """
    )
    try scene.writeManifest()
    return scene
  }

  private static let commands = [
    ["check", "manifest.json"], ["check", "manifest.json", "--format", "json"],
    ["run", "manifest.json", "--dry-run"],
    ["run", "manifest.json", "--dry-run", "--format", "json"],
    ["run", "manifest.json", "--format", "json"], ["run", "manifest.json", "--verbose"],
    ["run", "manifest.json", "--dry-run"], ["verify", "Library"],
    ["audit", "verify", "Library"], ["audit", "show", "Library"],
  ]

  /// What every command says and leaves, from the first look to the second run.
  private func footprint(
    _ scene: Scene,
    _ commands: [[String]] = LimitedIdentityTests.commands
  ) throws -> Footprint {
    var footprint = Footprint()
    for command in commands {
      footprint.add(command.joined(separator: " "), try Scene.program(command, in: scene.path))
    }
    try footprint.add(libraryOf: scene)
    try FileManager.default.removeItem(atPath: scene.library)
    return footprint
  }

  /// Takes seconds: each command runs with and without the others.
  @Test(
    "A run is the same, byte by byte, without the thousand others",
    arguments: Amount.some(2, of: selections)
  )
  func identical(selection: [String], policy: String) throws {
    let scene = try Self.scene(selection, policy: policy)
    let others = try HiddenItems(scene, count: Self.hidden)
    #expect(try others.names().count > Self.hidden)
    let among = try footprint(scene)
    try others.remove()
    #expect(try others.names().count == HiddenItems.selected.count)
    let alone = try footprint(scene)
    let difference = try Footprint.difference(among, alone)
    #expect(difference == nil, "\(difference ?? "")")
    // The three were imported, and the second run knew them.
    let run = try #require(among.texts.first { $0.name == "run manifest.json --format json" })
    #expect(run.text.contains("\"imported\":3"))
    for (name, text) in among.texts {
      #expect(!text.contains("canary"), "in \(name)")
      #expect(!text.contains("IMG_7.MOV"), "in \(name)")
    }
  }

  @Test("Two footprints differ when what was not selected is seen")
  func differs() throws {
    let scene = try Self.scene([], policy: "strip", status: "authorized")
    let others = try HiddenItems(scene, count: 20)
    // One command is enough to tell.
    let commands = Amount.isAll ? Self.commands : [["run", "manifest.json", "--format", "json"]]
    let among = try footprint(scene, commands)
    try others.remove()
    let alone = try footprint(scene, commands)
    #expect(try Footprint.difference(among, alone) != nil)
    #expect(among.texts.contains { $0.text.contains("canary") })
  }

  @Test(
    "No byte of a name that is not selected is written, and nothing but a listing meets one",
    .enabled(if: Has.strace, "no strace"),
    arguments: selections.prefix(2)
  )
  func untouched(selection: [String], policy: String) throws {
    let scene = try Self.scene(selection, policy: policy)
    _ = try HiddenItems(scene, count: Self.hidden)
    let traced = try scene.tracedRun("%file,write,pwrite64,writev,sendmsg")
    try traced.outcome.expectCounts(["imported": 3])
    let met = traced.lines.filter { $0.contains("canary") || $0.contains("IMG_7.MOV") }
      // The labels file is the manifest's own, and is read, not written.
      .filter { !$0.contains("labels.csv") }
    #expect(met == [])
    #expect(traced.lines.contains { $0.contains("IMG_7.JPG") })
    for word in ["canary", "IMG_7.MOV"] {
      #expect(try Tool.run("grep", ["-rlaiF", word, scene.library]).status == 1)
    }
    #expect(try Tool.run("grep", ["-rlaF", "IMG_7", scene.library]).status == 0)
  }
}
