import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Assets that a stricter policy could not strip, and the commands that make something for other people.
@Suite("Unstripped assets are kept from other people", .enabled(if: Has.sqlite, "no sqlite3"))
struct UnstrippedTests {
  /// A library of `a`, which was stripped later, and `b`, which cannot be.
  private func scene() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("Canary of a"))
    try scene.put("sources/camera/b.tga", Media.targa("Canary of b"))
    try scene.run().expect(0)
    scene.setPolicy("strip")
    try scene.run("--reprocess").expect(3)
    return scene
  }

  /// The files below a folder with a text in them, as grep sees it.
  private func files(with text: String, below folder: String, of scene: Scene) throws -> [String] {
    try Tool.run("grep", ["-rlaF", text, scene.at(folder)]).output.split(separator: "\n")
      .map(String.init)
  }

  @Test(
    "They are left out of what is made for other people, named, and the command ends with 3",
    arguments: [
      ["export", "Library", "made"], ["gallery", "Library", "made", "--originals"],
      ["contact-sheet", "Library", "made"],
    ]
  )
  func leftOut(_ command: [String]) throws {
    let scene = try scene()
    let b = try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'b'").first)
    for isCurrent in [false, true] {
      let outcome = try scene.command(command + ["--format", "json"])
      try outcome.expect(3)
      #expect(outcome.error.contains("\"b\" (\(b)) is left out"), "\(outcome.error)")
      let json = try outcome.json()
      #expect(json["unstripped"].array.map(\.string) == [b])
      #expect(json["isCurrent"].bool == isCurrent, "\(outcome.output)")
      if !isCurrent { #expect(json["assets"].int == 1) }
    }
    #expect(try files(with: "Canary", below: "made", of: scene) == [])
    // Who wants it all says so.
    let all = try scene.command(command + ["--include-unstripped", "--format", "json"])
    try all.expect(0)
    #expect(try all.json()["assets"].int == 2)
    let matches = try files(with: "Canary of b", below: "made", of: scene)
    // A gallery has it as a file, and in the zip of all.
    #expect(matches.count == ["contact-sheet": 0, "export": 1, "gallery": 2][command[0]])
    // What is not asked for is not named.
    let other = try scene.command(command + ["--where", "label == \"a\"", "--format", "json"])
    try other.expect(0)
    #expect(try other.json()["unstripped"].array.isEmpty)
  }

  @Test("The policy of the last run decides, also in a catalogue that was made anew")
  func lastPolicy() throws {
    let scene = try scene()
    try scene.removeCatalogue()
    _ = try scene.rebuild()
    try scene.command("export", "Library", "strict").expect(3)
    // A command that reads no source has no policy.
    let a = try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'a'").first)
    try scene.command("label", scene.library, a, "other").expect(0)
    try scene.command("export", "Library", "labeled").expect(3)
    scene.setPolicy("keep")
    try scene.run().expect(3)
    let loose = try scene.command("export", "Library", "loose", "--format", "json")
    try loose.expect(0)
    #expect(try loose.json()["assets"].int == 2)
  }

  @Test("An asset that a source with a looser policy holds too is left out of nothing")
  func shared() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.declare("library")
    try scene.put("sources/camera/b.tga", Media.targa("Canary"))
    try scene.put("sources/library/c.tga", Media.targa("Canary"))
    try scene.run().expectCounts(["imported": 1, "duplicate": 1])
    try scene.declare("camera", "authorized", ["metadata": ["policy": "strip"]])
    try scene.run("--reprocess").expect(3)
    try scene.command("export", "Library", "made").expect(0)
    scene.setPolicy("strip")
    try scene.run().expect(3)
    try scene.command("export", "Library", "stricter").expect(3)
  }
}
