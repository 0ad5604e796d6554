import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Pictures that the program may not decode are kept all the same, as other programs read them.
@Suite("Missing thumbnails", .enabled(if: Has.sqlite, "no sqlite3"))
struct ThumbnailMissingTests {
  /// A picture of 600 by 600 pixels twice, and a small one, where 300,000 pixels are allowed.
  private func scene() throws -> Scene {
    let scene = try Scene(policy: "keep").declare("library")
    scene.setThumbnails([("t", 16, 16, "aspectFit")])
    try scene.put("sources/library/copy.png", Bombs.png(side: 600))
    try scene.put("sources/library/large.png", Bombs.png(side: 600))
    try scene.put("sources/library/small.png", Bombs.png(side: 60))
    scene.manifest["limits"] = ["pixels": 300_000]
    return scene
  }

  private func pending(_ scene: Scene) throws -> [String] {
    let list = try scene.command(
      ["list", "Library", "--where", "isThumbnailMissing == YES", "--format", "json"]
    )
    try list.expect(0)
    return try list.json()["assets"].array.compactMap { $0["label"].string }
  }

  @Test("Summary, events, log, catalogue, list, explain and report say that a thumbnail is missing")
  func isReported() throws {
    let scene = try scene()
    try scene.writeManifest()
    let run = try scene.command("run", "manifest.json", "--events")
    try run.expect(0)
    let sentence = "2 files imported without thumbnails (photo library)"
    #expect(run.error.contains(sentence), "\(run.streams)")
    #expect(run.error.contains("smaller thumbnails") && !run.error.contains("package"), "\(run.streams)")
    #expect(run.error.contains("\"copy.png\" (pixels: 600x600"), "\(run.streams)")
    let events = try run.output.split(separator: "\n").map { try JSON(text: String($0)) }
    let descriptions = events.map {
      "\($0["sourcePath"].string ?? "") \($0["reason"].string ?? "none")"
    }
    #expect(
      descriptions.sorted() == [
        "copy.png thumbnailMissing", "large.png thumbnailMissing", "small.png none",
      ]
    )
    let original = try #require(events.first { $0["sourcePath"].string == "copy.png" })
    #expect(original["outcome"].string == "imported")
    let path = scene.library + "/" + (original["path"].string ?? "")
    #expect(try readBytes(path) == readBytes(scene.at("sources/library/copy.png")))
    let records = try scene.lastLog().filter { $0["reason"].string == "thumbnailMissing" }
    #expect(records.compactMap { $0["step"].string } == ["thumbnail", "thumbnail"])
    #expect(
      try scene.catalogue("SELECT path, reason FROM outcomes ORDER BY path")
        == ["copy.png|thumbnailMissing", "large.png|thumbnailMissing", "small.png|"]
    )
    #expect(try pending(scene) == ["copy"])
    let explained = try scene.command("explain", "Library", "copy.png", "--format", "json")
    let message = try explained.json()["items"].array.first?["message"].string ?? ""
    #expect(message.contains("was imported without thumbnails: "), "\(explained.streams)")
    let report = try scene.command("report", "Library", "--format", "json").json()
    let reasons = report["items"].array.compactMap { $0["reason"].string }
    #expect(reasons == ["thumbnailMissing", "thumbnailMissing"])
    try scene.expectVerified()
  }

  @Test("It is tried once, and again when a limit changes, or on request")
  func isTriedOnce() throws {
    let scene = try scene()
    let first = try scene.run()
    try first.expect(0)
    try first.expectCounts(["imported": 2, "duplicate": 1])
    #expect(try first.withoutThumbnails() == ["copy.png", "large.png"])
    let second = try scene.run()
    try second.expect(0)
    try second.expectCounts(["unchanged": 3])
    #expect(try scene.lastLog().contains { $0["event"].string == "access" } == false)
    let retried = try scene.run("--retry-failed")
    try retried.expect(0)
    try retried.expectCounts(["unchanged": 3])
    #expect(try retried.withoutThumbnails() == ["copy.png", "large.png"])
    scene.manifest["limits"] = ["pixels": 360_000]
    let third = try scene.run()
    try third.expectCounts(["unchanged": 3])
    #expect(try third.withoutThumbnails() == [])
    #expect(try scene.thumbnails("t").count == 2)
    #expect(try pending(scene) == [])
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try scene.lastLog().contains { $0["event"].string == "access" } == false)
  }

  @Test("A catalogue that is made anew, and a file that was touched, do not hide it")
  func isNotForgotten() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let rows = try scene.catalogue("SELECT path, reason FROM outcomes ORDER BY path")
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue("SELECT path, reason FROM outcomes ORDER BY path") == rows)
    let touch = try Tool.run("touch", [scene.at("sources/library/copy.png")])
    try #require(touch.status == 0)
    let touched = try scene.run()
    try touched.expect(0)
    try touched.expectCounts(["unchanged": 3])
    #expect(try touched.withoutThumbnails() == ["copy.png", "large.png"])
    scene.manifest["limits"] = nil
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try scene.thumbnails("t").count == 2)
    try scene.expectVerified()
  }

  @Test("Without thumbnails in the manifest, nothing is missing")
  func isNotWanted() throws {
    let scene = try scene()
    scene.setThumbnails([])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2, "duplicate": 1])
    #expect(try outcome.withoutThumbnails() == [])
    #expect(try pending(scene) == [])
  }
}
