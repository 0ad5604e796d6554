import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPipeline

@Suite("A first manifest, before it is written")
struct NewManifestTests {
  /// A folder of empty files, which are told by their names alone.
  private static func folder(_ files: [String]) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for file in files {
      let url = URL(fileURLWithPath: folder.path + "/" + file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data().write(to: url)
    }
    return folder
  }

  private static func manifest(_ files: [String], at part: String = "") throws -> NewManifest {
    let folder = try folder(files)
    return try withExtendedLifetime(folder) {
      try NewManifest(folder: Array((folder.path + part).utf8))
    }
  }

  @Test(
    "What made a folder is known by its names",
    arguments: [
      (["DCIM/100CANON/1.JPG"], "a camera's memory card with 1 picture", SourceKind.camera),
      (["PRIVATE/M4ROOT/CLIP/C0001.MP4"], "a camera's memory card with 1 video", .camera),
      (["XDROOT/Clip/C0001.MXF"], "a camera's memory card with 1 other file", .camera),
      (
        ["DCIM/100APPLE/IMG_1.MOV", "DCIM/100APPLE/IMG_1.HEIC", "DCIM/100APPLE/IMG_2.HEIC"],
        "a camera's memory card with 2 pictures, 1 video", .camera
      ),
      (
        ["DCIM/100APPLE/IMG_1.JPG", "DCIM/100APPLE/IMG_1.HEIC"],
        "a camera's memory card with 2 pictures", .camera
      ),
      (
        ["DCIM/100CANON/IMG_1.JPG", "DCIM/101CANON/IMG_1.MOV", "DCIM/100CANON/IMG_2.MOV"],
        "a camera's memory card with 1 picture, 2 videos", .camera
      ),
      (["PRIVATE/letters/1.jpg"], "1 picture", .library),
      (["takeout-20230801T120000Z-001.zip"], "a Google Takeout with 1 zip file", .library),
      (["old/takeout-20230801T120000Z-001.zip"], "1 zip file", .library),
      (["Takeout/Google Photos/1.jpg"], "a Google Takeout with 1 picture", .library),
      (["1.jpg", "1.jpg.supple.json"], "a Google Takeout with 1 picture, 1 sidecar", .library),
      (["1.jpg", "1.jpg.other.json"], "1 picture, 1 sidecar", .library),
      (
        ["database/Photos.sqlite", "originals/0/1.heic"],
        "an Apple Photos library with 1 picture, 1 other file", .library
      ),
      (["1.wav"], "1 sound", .microphone),
    ] as [([String], String, SourceKind)]
  )
  func makers(files: [String], text: String, source: SourceKind) throws {
    let manifest = try Self.manifest(files)
    #expect(manifest.survey.text == text)
    #expect(manifest.source == source)
  }

  @Test("A folder of a card is one too")
  func partOfCard() throws {
    #expect(try Self.manifest(["DCIM/100CANON/1.JPG"], at: "/DCIM").source == .camera)
    #expect(try Self.manifest(["DCIM/100CANON/1.JPG"], at: "/DCIM/100CANON").source == .library)
  }

  @Test("The manifest has a small and a large thumbnail, and none that is not wanted")
  func thumbnails() throws {
    var manifest = try Self.manifest(["1.jpg"])
    #expect(
      manifest.text.contains(
        """
          "thumbnails": { "grid": { "size": [256, 256] },
                          "large": { "size": [1600, 1600] } },
          "output"
        """
      ),
      "\(manifest.text)"
    )
    manifest.largeThumbnailSide = 0
    #expect(manifest.text.contains("\"thumbnails\": { \"grid\": { \"size\": [256, 256] } },\n"))
    (manifest.thumbnailSide, manifest.largeThumbnailSide) = (0, 800)
    #expect(manifest.text.contains("\"thumbnails\": { \"large\": { \"size\": [800, 800] } },\n"))
    manifest.largeThumbnailSide = 0
    #expect(!manifest.text.contains("thumbnails"))
  }

  @Test("One's own photos are proposed to be kept, and what others get to be stripped")
  func policies() throws {
    var manifest = try Self.manifest(["1.jpg"])
    #expect(manifest.policy == "strip", "Nobody has read what it means.")
    #expect(manifest.proposedPolicy == "keep")
    manifest.asks = true
    #expect(manifest.proposedPolicy == "strip")
    (manifest.asks, manifest.hasNeutralLabels) = (false, true)
    #expect(manifest.proposedPolicy == "strip")
  }
}
