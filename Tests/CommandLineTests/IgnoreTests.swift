import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Names that are ignored")
struct IgnoreTests {
  /// A source with a photo of its own, and one under each name that is left out by default.
  private static let names = [
    "@eaDir/a.jpg", "b/@eaDir/deep/a.jpg", "b/._1.jpg", ".thumbnails/a.jpg", "Thumbs.db",
    "b/.DS_Store", "#recycle/a.jpg", "$RECYCLE.BIN/a.jpg", ".Trash-1000/files/a.jpg",
    "Catalog Previews.lrdata/a.jpg", "none/.nomedia", "none/a.jpg",
    "My.photoslibrary/resources/derivatives/a.jpg", "My.photoslibrary/database/a.jpg",
  ]

  private func makeScene() throws -> Scene {
    let scene = Scene()
    try scene.declare("library")
    for (index, name) in (Self.names + ["1.jpg", "My.photoslibrary/originals/0/2.jpg"]).enumerated() {
      try scene.put("sources/library/" + name, try Media.photo("\(index)"))
    }
    return scene
  }

  @Test("What other programs keep beside media is left out, and counted apart from the outcomes")
  func defaults() throws {
    let scene = try makeScene()
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 2])
    // Two of the folders hold two files each.
    #expect(try run.json()["sources"].array.first?["ignored"].int == 13)
    #expect(try scene.originalNames() == ["1.jpg", "2.jpg"])
    let text = try scene.command("run", "manifest.json")
    #expect(text.error.contains("13 ignored by rule") || text.output.contains("13 ignored by rule"))
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("eaDir") && !log.contains("nomedia"))
  }

  @Test("Without the defaults they are items like all others")
  func switchedOff() throws {
    let scene = try makeScene()
    try scene.declare("library", "authorized", ["ignoreDefaults": false])
    let run = try scene.run()
    #expect(try run.count("imported") == Self.names.count + 2)
    #expect(try run.json()["sources"].array.first?["ignored"].int == 0)
  }

  @Test("A source's own folder is never left out, whatever is in it")
  func root() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.put("sources/camera/.nomedia", "")
    let run = try scene.run()
    #expect(try run.count("imported") == 2)
  }

  @Test("A bare name matches at any depth, a path from the folder; what matches nothing is named")
  func bareNames() throws {
    let scene = Scene()
    try scene.declare(
      "camera",
      "authorized",
      ["ignore": ["notes.txt", "*.tmp", "x/only.jpg", "nothing.here"]]
    )
    try scene.putPhotos(1...1)
    let ignored = ["notes.txt", "d/notes.txt", "d/e/notes.txt", "d/a.tmp", "x/only.jpg"]
    for name in ignored + ["d/x/only.jpg", "d/notes.txt.jpg"] {
      try scene.put("sources/camera/" + name, try Media.photo(name))
    }
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 3])
    #expect(try run.json()["sources"].array.first?["ignored"].int == ignored.count)
    let again = try scene.command("run", "manifest.json", "--format", "json")
    let problems = try again.json()["problems"].array.compactMap { $0["message"].string }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("\"nothing.here\" under \"ignore\" matches nothing") == true)
  }

  @Test("The manifest's patterns leave out files and whole folders; removing one widens")
  func patterns() throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["ignore": ["exports", "**/*.tmp.jpg"]])
    try scene.putPhotos(1...2)
    for name in ["exports/a.jpg", "exports/b/c.jpg", "d/e.tmp.jpg"] {
      try scene.put("sources/camera/" + name, try Media.photo(name))
    }
    let run = try scene.run()
    try run.expectCounts(["imported": 2])
    #expect(try run.json()["sources"].array.first?["ignored"].int == 2)
    let plan = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
    #expect(!plan.output.contains("exports"))
    let old = try readBytes(scene.manifestPath)
    try scene.put("old.json", old)
    try scene.declare("camera", "authorized", ["ignore": ["exports"]])
    try scene.writeManifest()
    try scene.command("check", "manifest.json", "--against", "old.json").expect(4)
    try scene.command("check", "old.json", "--against", "manifest.json").expect(0)
  }

  @Test("Of a selection what is named stays, and what only a pattern matches is left out")
  func selected() throws {
    let scene = try makeScene()
    let selection = ["@eaDir/a.jpg", "b/**", "*.jpg"]
    try scene.declare("library", "limited", ["selection": .array(selection.map { .string($0) })])
    let run = try scene.run()
    try run.expectCounts(["imported": 2])
    #expect(try scene.originalNames() == ["1.jpg", "a.jpg"])
    #expect(try run.json()["sources"].array.first?["ignored"].int == 2)
  }
}
