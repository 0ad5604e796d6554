import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Similar pictures of a library",
  .enabled(if: Has.magick && Has.sqlite, "no ImageMagick or sqlite3")
)
struct SimilarTests {
  /// Arguments of ImageMagick for a picture without any symmetry, and for another one.
  static let asymmetric = [
    "-size", "640x400", "gradient:#203080-#f0d060", "-fill", "#d02020", "-draw",
    "rectangle 0,0 180,120", "-fill", "#10a040", "-draw", "circle 440,260 440,180",
  ]
  static let radial = [
    "-size", "640x400", "radial-gradient:#f0f0f0-#101010", "-fill", "#4080ff", "-draw",
    "rectangle 20,220 160,390",
  ]

  /// A picture without any symmetry in three sizes and qualities, one with more in it, and another one.
  private static let drawn = Result {
    let folder = TemporaryFolder()
    let (scene, other) = (SimilarTests.asymmetric, SimilarTests.radial)
    let spot = ["-fill", "#f8f8f8", "-draw", "circle 560,90 560,80"]
    let variants: [(name: String, arguments: [String])] = [
      ("large.png", scene), ("small.jpg", scene + ["-resize", "50%", "-quality", "60"]),
      ("spot.png", scene + spot), ("other.png", other),
      ("gray.png", ["-size", "64x64", "xc:gray"]), ("white.png", ["-size", "80x64", "xc:white"]),
    ]
    var files: [(name: String, bytes: [UInt8])] = []
    for (name, arguments) in variants {
      let path = folder.path + "/" + name
      try Independent.make("convert", arguments + [path])
      files.append((name, try readBytes(path)))
    }
    return files
  }

  private func scene(hasThumbnails: Bool, policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    if hasThumbnails { scene.setThumbnails([("grid", 96, 96, "aspectFill")]) }
    try scene.declare("library")
    for (name, bytes) in try Self.drawn.get() { try scene.put("sources/library/" + name, bytes) }
    try scene.run().expect(0)
    return scene
  }

  private func groups(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["groups"].array.map { group in
      let labels = group["assets"].array.compactMap { $0["label"].string }
      let distances = group["distances"].array.compactMap(\.int)
      #expect(labels.count == distances.count && distances.first == 0)
      #expect(group["best"].string == group["assets"].array.first?["localIdentifier"].string)
      let isExact = distances.allSatisfy { $0 == 0 }
      #expect(group["kind"].string == (isExact ? "exact" : "near"))
      return labels.joined(separator: " ")
    }
  }

  @Test(
    "Pictures that look alike are a group, the largest first; a run stores their hashes",
    arguments: ["keep", "strip"]
  )
  func stored(policy: String) throws {
    let scene = try scene(hasThumbnails: true, policy: policy)
    let hashes = try scene.catalogue("SELECT count(perceptualHash) FROM thumbnails")
    #expect(hashes == ["6"])
    // Two of one color have no detail, and are like nothing.
    #expect(try scene.catalogue("SELECT count(*) FROM thumbnails WHERE perceptualHash = 0") == ["2"])
    let before = try scene.snapshot("Library")
    let wide = try scene.command("similar", "Library", "--format", "json")
    try wide.expect(0)
    #expect(wide.error.isEmpty, "\(wide.error)")
    #expect(try wide.json()["schema"].string == "mediabatch.similar/1")
    #expect(try groups(wide) == ["spot large small"])
    let table = try scene.command("similar", "Library")
    #expect(table.output.split(separator: "\n").count == 4)
    let paths = try scene.command("similar", "Library", "--format", "paths")
    let originals = paths.output.split(separator: "\n")
    #expect(originals.count == 3 && originals.allSatisfy { $0.hasPrefix("Library/Originals/") })
    // What is not selected is in no group.
    let options = ["--where", "label != 'small'", "--format", "json"]
    let fewer = try scene.command(["similar", "Library"] + options)
    #expect(try groups(fewer) == ["spot large"])
    let exact = try scene.command("similar", "Library", "--within", "0", "--format", "json")
    #expect(try exact.json()["groups"].array.allSatisfy { $0["kind"].string == "exact" })
    #expect(try scene.snapshot("Library") == before)
    try scene.command("similar", "Library", "--within", "11").expect(64)
    try scene.command("similar", "nothing").expect(78)
  }

  @Test("Without thumbnails confined workers make the hashes, and nothing is stored")
  func makesHashes() throws {
    let scene = try scene(hasThumbnails: false)
    let before = try scene.snapshot("Library")
    let outcome = try scene.command("similar", "Library", "--format", "json")
    try outcome.expect(0)
    #expect(outcome.error.contains("6 pictures have no hash yet"), "\(outcome.error)")
    #expect(try groups(outcome) == ["spot large small"])
    #expect(try scene.snapshot("Library") == before)
  }

  @Test("A picture of which no hash can be made is named and left out, and the command ends with 3")
  func lacksHashes() throws {
    let scene = try scene(hasThumbnails: false)
    let path = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE path LIKE '%/spot.png'").first
    )
    let file = scene.library + "/" + path
    try Independent.make("chmod", ["u+w", file])
    try Independent.make("truncate", ["-s", "-1", file])
    let outcome = try scene.command("similar", "Library", "--format", "json")
    try outcome.expect(3)
    #expect(outcome.error.contains("\"spot\" ("), "\(outcome.error)")
    #expect(try groups(outcome) == ["large small"])
  }
}
