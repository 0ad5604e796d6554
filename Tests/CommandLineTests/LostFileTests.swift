import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Files that a library has lost", .enabled(if: Has.sqlite, "no sqlite3"))
struct LostFileTests {
  /// Three photos with thumbnails, one of them twice in the source.
  private func imported(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("wide", 48, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.put("sources/camera/3 again.jpg", copyOf: Samples.photo(3))
    try scene.run().expect(0)
    return scene
  }

  private func remove(_ scene: Scene, _ path: String) throws {
    try FileManager.default.removeItem(atPath: scene.library + "/" + path)
  }

  /// A way to lose an original of ``imported(_:)``, by its path below the library.
  enum Loss: String, CaseIterable {
    case file = "rm \"$1\""
    case folder = "rm -r \"$(dirname \"$1\")\""
    case everything = "rm -r Originals"
  }

  @Test(
    "A lost original comes back from its source, with the bytes, name and row that it had",
    arguments: Amount.pairs(["keep", "strip"], Loss.allCases)
  )
  func restores(policy: String, loss: Loss) throws {
    let scene = try imported(policy)
    let before = try scene.digests("Library/Originals")
    let rows = try scene.catalogue("SELECT * FROM assets JOIN resources ON asset = assets.id")
    let path = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE path LIKE '%again.jpg'").first
    )
    let shell = try Tool.run("sh", ["-c", loss.rawValue, "sh", path], in: scene.library)
    try #require(shell.status == 0, "\(shell.error)")
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["unchanged": 4])
    #expect(try run.json()["restored"].int == (loss == .everything ? 3 : 1))
    #expect(try scene.digests("Library/Originals") == before)
    #expect(try scene.catalogue("SELECT * FROM assets JOIN resources ON asset = assets.id") == rows)
    let records = try scene.lastLog()
    let restored = records.filter { $0["event"].string == "restored" }
    #expect(restored.count == (loss == .everything ? 3 : 1))
    #expect(restored.contains { $0["output"]["path"].string == path })
    // Each is opened behind a record of its own, as in every run.
    #expect(records.count { $0["event"].string == "access" } >= restored.count)
    try LibraryState.expectWhole(scene.library)
    let last = try scene.run()
    try last.expectCounts(["unchanged": 4])
    #expect(try !scene.lastLog().contains { $0["event"].string == "access" })
  }

  @Test("A link that leads nowhere, in the place of a file, is a changed file, and stops no run")
  func danglingLink() throws {
    let scene = try imported("keep")
    for table in ["resources", "thumbnails"] {
      let path = try #require(scene.catalogue("SELECT path FROM \(table) LIMIT 1").first)
      try remove(scene, path)
      try FileManager.default.createSymbolicLink(
        atPath: scene.library + "/" + path,
        withDestinationPath: "nowhere"
      )
      let run = try scene.run()
      try run.expect(0)
      try run.expectCounts(["unchanged": 4])
      let verify = try scene.command("verify", "Library")
      try verify.expect(65)
      #expect(verify.output.contains("changed: \(path): "), "\(verify.streams)")
      try remove(scene, path)
      try scene.run().expect(0)
      try scene.expectVerified()
    }
  }

  @Test("Lost thumbnails are made again, one or all, and the originals are not touched")
  func remakesThumbnails() throws {
    let scene = try imported("strip")
    let originals = try scene.snapshot("Library/Originals")
    let before = try scene.digests("Library/Thumbnails").values.sorted()
    try remove(scene, try #require(scene.catalogue("SELECT path FROM thumbnails LIMIT 1").first))
    var run = try scene.run()
    try run.expectCounts(["unchanged": 4])
    #expect(try scene.digests("Library/Thumbnails").values.sorted() == before)
    try scene.expectVerified()
    try remove(scene, "Thumbnails")
    run = try scene.run()
    try run.expectCounts(["unchanged": 4])
    #expect(try run.json()["restored"].int == 0)
    #expect(try scene.digests("Library/Thumbnails").values.sorted() == before)
    try scene.run().expectCounts(["unchanged": 4])
    try LibraryState.expectWhole(scene.library)
    #expect(try scene.snapshot("Library/Originals") == originals)
  }

  @Test("A run makes lost thumbnails again from the library's originals where their source is gone")
  func remakesWithoutSource() throws {
    let scene = try imported("keep")
    let before = try scene.digests("Library/Thumbnails").values.sorted()
    let originals = try scene.snapshot("Library/Originals")
    try FileManager.default.removeItem(atPath: scene.at("sources/camera"))
    try scene.makeFolder("sources/camera")
    try remove(scene, "Thumbnails")
    let run = try scene.run()
    try run.expect(0)
    #expect(run.streams.contains("6 lost thumbnails were made again from the library's originals."))
    #expect(try scene.digests("Library/Thumbnails").values.sorted() == before)
    #expect(try scene.snapshot("Library/Originals") == originals)
    #expect(try !scene.lastLog().contains { $0["event"].string == "access" })
    try scene.expectVerified()
    try scene.run().expect(0)
    try scene.expectVerified()
  }

  @Test(
    "Either half of a live photo comes back, or both, with the bytes that they had",
    arguments: Amount.pairs(
      ["keep", "strip"],
      Amount.some(
        4,
        of: [
          ("photo", "IMG_1.MOV"), ("photo", "other.MOV"), ("pairedVideo", "other.MOV"),
          ("pairedVideo", "IMG_1.MOV"), ("%", "IMG_1.MOV"), ("%", "other.MOV"),
        ]
      )
    )
  )
  func livePhoto(policy: String, lost: (role: String, movieName: String)) throws {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/IMG_1.JPG", still)
    try scene.put("sources/library/" + lost.movieName, movie)
    try scene.run().expect(0)
    let before = try scene.digests("Library/Originals")
    let identifier = try scene.catalogue("SELECT localIdentifier FROM assets")
    for path in try scene.catalogue("SELECT path FROM resources WHERE role LIKE '\(lost.role)'") {
      try remove(scene, path)
    }
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets") == identifier)
    #expect(try scene.digests("Library/Originals") == before)
    #expect(try scene.originals().count == 2)
    try scene.run().expectCounts(["unchanged": 2])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("Without its source, or with other content there, an original stays lost, which is said")
  func staysLost() throws {
    let scene = try imported("keep")
    for path in try scene.catalogue("SELECT path FROM resources ORDER BY id") {
      try remove(scene, path)
    }
    for name in ["1.jpg", "3.jpg", "3 again.jpg"] {
      try FileManager.default.removeItem(atPath: scene.at("sources/camera/" + name))
    }
    try scene.put("sources/camera/2.jpg", copyOf: Samples.photo(5))
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    #expect(try run.problems() == ["originalsMissing"])
    #expect(run.streams.contains("3 originals are missing in the library"))
    try scene.command("verify", scene.library).expect(65)
  }

  @Test("Under another policy, or from a source that is refused, nothing is restored")
  func staysUnderItsPolicy() throws {
    let scene = try imported("keep")
    try remove(scene, try #require(scene.catalogue("SELECT path FROM resources LIMIT 1").first))
    scene.setPolicy("strip")
    let run = try scene.run()
    #expect(try run.problems().contains("originalsMissing"))
    #expect(try run.json()["restored"].int == 0)
    scene.setPolicy("keep")
    try scene.declare("camera", "denied")
    let refused = try scene.run()
    #expect(try refused.json()["restored"].int == 0)
    #expect(try scene.originals().count == 2)
  }

  @Test(
    "A run that is killed while it restores is finished by the next one, with a record of each",
    .enabled(if: Has.strace, "no strace"),
    arguments: [4, 6]
  )
  func killed(rename: Int) throws {
    let scene = try imported("strip")
    let before = try scene.digests("Library/Originals")
    for name in ["Originals", "Thumbnails"] { try remove(scene, name) }
    let killed = try RunMoment(call: "renameat2", number: rename)
      .kill(["run", "manifest.json"], in: scene.path)
    try killed.wait()
    try #require(killed.wasKilled)
    try scene.run().expect(0)
    #expect(try scene.digests("Library/Originals") == before)
    try LibraryState.expectWhole(scene.library)
    let restored = try LibraryState.records(scene.library)
      .filter { $0["event"].string == "restored" }.compactMap { $0["output"]["path"].string }
    #expect(restored.sorted() == before.keys.map { "Originals/" + $0 }.sorted())
  }

  @Test("The plan of a dry run has what would come back")
  func planned() throws {
    let scene = try imported("keep")
    try remove(scene, try #require(scene.catalogue("SELECT path FROM resources LIMIT 1").first))
    let plan = try scene.run("--dry-run")
    try plan.expect(0)
    let items = try plan.json()["items"].array
    #expect(items.count { $0["plan"].string == "unchanged" } == 3, "\(plan.streams)")
  }
}
