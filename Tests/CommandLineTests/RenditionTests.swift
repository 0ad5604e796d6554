import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Thumbnails in the picture's own size, and of some media types only",
  .enabled(if: Has.sqlite && Has.magick, "no sqlite3 or no ImageMagick")
)
struct RenditionTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    // Stored on its side.
    try scene.put("sources/library/photo.jpg", copyOf: Samples.photo(6))
    try scene.put("sources/library/movie.mp4", copyOf: Samples.video)
    try scene.put("sources/library/memo.wav", copyOf: Samples.sound)
    return scene
  }

  private func thumbnails(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT CASE assets.mediaType WHEN 1 THEN 'image' WHEN 2 THEN 'video' WHEN 3 THEN 'audio' ELSE
        assets.mediaType END || ' ' || name || ' ' || width || 'x' || height
      FROM thumbnails JOIN assets ON assets.id = thumbnails.asset
      WHERE thumbnails.superseded = 0 ORDER BY 1
      """
    )
  }

  @Test("Each medium gets its own thumbnails, once, and those that the manifest later asks for")
  func media() throws {
    let scene = try scene()
    let upright = try Independent.size(Samples.photo(1))
    let frame = try Tool.run(
      "exiftool",
      ["-s3", "-ImageSize", Samples.video]
    ).output.trimmingCharacters(in: .newlines)
    func declare(full: [String]) {
      scene.manifest["thumbnails"] = [
        "grid": ["size": [64, 64]],
        "full": [
          "size": "maximum", "format": "webp", "mediaTypes": .array(full.map { .string($0) }),
        ],
        "wave": ["size": "maximum", "mediaTypes": ["audio"]],
      ]
    }
    declare(full: ["image"])
    try scene.run().expect(0)
    let first = try thumbnails(scene)
    #expect(first.count == 5, "\(first)")
    #expect(first.contains("image full \(upright[0])x\(upright[1])"), "\(first)")
    #expect(first.contains("audio wave 1600x400"), "\(first)")
    #expect(!first.contains { $0.hasPrefix("video full") || $0.hasPrefix("video wave") }, "\(first)")
    let file = try #require(try scene.catalogue("SELECT path FROM thumbnails WHERE name = 'full'").first)
    #expect(try Independent.size(scene.at("Library/" + file)) == upright)
    // What a medium is not meant to have is not missing.
    let second = try scene.run()
    try second.expectCounts(["imported": 0, "unchanged": 3, "thumbnails": 0])
    try scene.command("verify", "Library").expect(0)
    declare(full: ["image", "video"])
    try scene.run().expect(0)
    let third = try thumbnails(scene)
    #expect(third.contains("video full \(frame)"), "\(third)")
    #expect(third.count == 6, "\(third)")
    try scene.command("verify", "Library").expect(0)
    // A lost one comes back.
    try FileManager.default.removeItem(
      atPath: scene.at(
        "Library/"
          + (try #require(try scene.catalogue("SELECT path FROM thumbnails WHERE name = 'wave'").first))
      )
    )
    try scene.run().expect(0)
    #expect(try thumbnails(scene) == third)
    try scene.command("verify", "Library").expect(0)
  }
}
