import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A rating of -1, by which programs mark what a person has sorted out.
@Suite("Rejected pictures", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct RejectedTests {
  private func photo(_ scene: Scene, _ name: String, _ tags: [String] = []) throws {
    let file = try scene.put("sources/library/" + name, try Media.photo(name))
    if tags.isEmpty { return }
    try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [file])
  }

  /// A picture that is rejected in itself, one by its sidecar, one with no stars, and one without a rating.
  private func scene(_ policy: String, except words: [JSONValue] = []) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    if !words.isEmpty { scene.manifest["metadata"] = ["policy": .string(policy), "except": .array(words)] }
    try photo(scene, "own.jpg", ["-XMP-xmp:Rating=-1"])
    try photo(scene, "beside.jpg", ["-XMP-xmp:Rating=4"])
    try Independent.make(
      "exiftool",
      ["-q", "-o", scene.at("sources/library/beside.jpg.xmp"), "-XMP-xmp:Rating=-1"]
    )
    try photo(scene, "none.jpg", ["-XMP-xmp:Rating=0"])
    try photo(scene, "unrated.jpg")
    return scene
  }

  private let ratings = "SELECT label, rating FROM assets ORDER BY label"

  @Test(
    "Catalogue, predicate and list tell a rejected picture from an unrated one and from one without stars"
  )
  func told() throws {
    let scene = try scene("keep")
    try scene.run().expect(0)
    #expect(try scene.catalogue(ratings) == ["beside|-1", "none|0", "own|-1", "unrated|"])
    let found = try scene.command("list", "Library", "--where", "rating == -1", "--format", "json")
    try found.expect(0)
    let assets = try found.json()["assets"].array
    #expect(assets.compactMap { $0["label"].string }.sorted() == ["beside", "own"])
    #expect(assets.allSatisfy { $0["rating"].int == -1 })
    let kept = try scene.command("list", "Library", "--where", "rating != -1", "--format", "csv")
    #expect(kept.output.contains("unrated") && !kept.output.contains("beside"))
    let table = try scene.command("list", "Library").output
    #expect(table.split(separator: "\n").count { $0.contains(" rejected ") } == 2, "\(table)")
  }

  @Test("Sidecars and embedded facts say that a picture is rejected, and are read so again")
  func carried() throws {
    let scene = try scene("keep")
    try scene.run().expect(0)
    let layout = ["--layout", "{label}"]
    try scene.command(["export", "Library", "beside", "--sidecars", "xmp"] + layout).expect(0)
    try scene.command(["export", "Library", "embedded", "--embed", "rating"] + layout).expect(0)
    for name in ["own", "beside"] {
      let sidecar = try Tool.run("exiftool", ["-s3", "-XMP-xmp:Rating", scene.at("beside/\(name).jpg.xmp")])
      #expect(sidecar.output == "-1\n", "\(name)")
      let copy = try Tool.run("exiftool", ["-s3", "-XMP-xmp:Rating", scene.at("embedded/\(name).jpg")])
      #expect(copy.output == "-1\n", "\(name)")
    }
    for folder in ["beside", "embedded"] {
      let again = try scene.importedAgain(folder)
      #expect(try again.catalogue(ratings) == ["beside|-1", "none|0", "own|-1", "unrated|"], "\(folder)")
    }
  }

  @Test(
    "Under strip nothing of it stays, unless the policy excepts ratings, and no Exif tag says another number"
  )
  func stripped() throws {
    for words: [JSONValue] in [[], ["rating"]] {
      let scene = try scene("strip", except: words)
      try scene.run().expect(0)
      let rating = try scene.catalogue(
        "SELECT DISTINCT rating FROM assets WHERE rating IS NOT NULL AND label = 'own'"
      )
      #expect(rating == (words.isEmpty ? [] : ["-1"]))
      let path = try #require(
        scene.catalogue("SELECT path FROM resources WHERE path GLOB '*/own.jpg'").first
      )
      let published = try Tool.run("exiftool", ["-a", "-s3", "-Rating", scene.library + "/" + path])
      #expect(published.output == (words.isEmpty ? "" : "-1\n"))
    }
  }
}
