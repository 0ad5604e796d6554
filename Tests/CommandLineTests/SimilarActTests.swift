import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "What becomes of similar pictures",
  .enabled(if: Has.magick && Has.sqlite, "no ImageMagick or sqlite3")
)
struct SimilarActTests {
  /// A picture without any symmetry, copies of it with fewer and fewer pixels, and another picture.
  private static let drawn = Result {
    let folder = TemporaryFolder()
    let scene = [
      "-size", "640x400", "gradient:#203080-#f0d060", "-fill", "#d02020", "-draw",
      "rectangle 0,0 180,120", "-fill", "#10a040", "-draw", "circle 440,260 440,180",
    ]
    let other = [
      "-size", "640x400", "radial-gradient:#f0f0f0-#101010", "-fill", "#4080ff", "-draw",
      "rectangle 20,220 160,390",
    ]
    let variants: [(name: String, arguments: [String])] = [
      ("best.png", scene), ("other.png", other),
      ("turned.jpg", scene + ["-rotate", "90", "-resize", "90%"]),
      ("mirrored.png", scene + ["-flop", "-resize", "80%"]),
      ("small.jpg", scene + ["-resize", "50%", "-quality", "60"]),
    ]
    var files: [(name: String, bytes: [UInt8])] = []
    for (name, arguments) in variants {
      let path = folder.path + "/" + name
      try Independent.make("convert", arguments + [path])
      files.append((name, try readBytes(path)))
    }
    return files
  }

  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 96, 96, "aspectFit")])
    try scene.declare("library")
    for (name, bytes) in try Self.drawn.get() { try scene.put("sources/library/" + name, bytes) }
    try scene.run().expect(0)
    return scene
  }

  private func similar(_ scene: Scene, _ options: String...) throws -> JSON {
    let outcome = try scene.command(["similar", "Library", "--format", "json"] + options)
    try outcome.expect(0)
    return try outcome.json()
  }

  private func labels(_ scene: Scene, _ options: String...) throws -> [[String]] {
    let outcome = try scene.command(["similar", "Library", "--format", "json"] + options)
    return try outcome.json()["groups"].array.map { $0["assets"].array.compactMap { $0["label"].string } }
  }

  @Test("Turned and mirrored copies are in the group, and told as what they are in every format")
  func turned() throws {
    let scene = try scene()
    let groups = try similar(scene)["groups"].array
    #expect(groups.count == 1)
    #expect(
      groups[0]["assets"].array.compactMap { $0["label"].string } == ["best", "turned", "mirrored", "small"]
    )
    #expect(groups[0]["turns"].array.map(\.string) == [nil, "turned 90", "mirrored", nil])
    #expect(groups[0]["kind"].string == "near")
    let table = try scene.command("similar", "Library").output
    #expect(table.contains(" turned 90 ") && table.contains(" mirrored "), "\(table)")
    let rows = try scene.command("similar", "Library", "--format", "csv").output.split(separator: "\r\n")
    #expect(rows.first?.hasSuffix(",turn") == true)
    #expect(
      rows.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).last } == [
        "", "turned 90", "mirrored", "",
      ]
    )
    #expect(try labels(scene, "--upright") == [["best", "small"]])
  }
}
