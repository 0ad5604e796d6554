import Foundation
import MediaTestSupport
import Testing

/// Thumbnails of real pictures beside those of another program, both beside a reduction of all pixels.
@Suite(
  "Thumbnails of the corpus",
  .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
  .enabled(
    if: Has.magick && Has.exiftool && Has.sqlite && Tool.exists("vipsthumbnail"),
    "no vipsthumbnail"
  ),
  .enabled(if: Pixels.hasProfiles, "no ICC profiles: install libgs-common")
)
struct ThumbnailCorpusTests {
  private static let side = 128
  private static let endings = [
    "jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif",
  ]

  /// Pictures that the other program makes nothing of, or that have none in them.
  private static let cutOff =
    ["exif-no-tz.jpg", "truncated_motionphoto_tags_only.jpg", "exif-both.png", "ultrahdr.jpg"]
    + (Tool.hasLibrary("libheif", atLeast: "1.19") ? ofLaterHEIF : [])

  /// Of the first the container leaves the matrix unspecified, and later versions of libheif believe it and not
  /// the coded data; of the second they leave out the transformations, which are not marked as essential.
  private static let ofLaterHEIF = ["Irvine_CA.avif", "clap_irot_imir_non_essential.avif"]

  /// Folders of the corpus; without all, none that has only JPEGs, as the first has.
  private static let folders =
    ["jpeg", "orientation", "png", "heic", "avif", "webp", "tiff", "gif"]
    + (Amount.isAll ? ["makernote", "motionphoto"] : [])

  @Test(
    "Sizes are vipsthumbnail's to a pixel, and no picture is more than 0.5 dB further from its source"
  )
  func isAsGood() throws {
    let sample = try Self.folders.flatMap { folder -> [String] in
      let files = Corpus.files(beneath: "visible/" + folder).filter { file in
        let name = (file as NSString).lastPathComponent
        return Self.endings.contains((name as NSString).pathExtension.lowercased())
          && !Self.cutOff.contains(name)
      }
      try #require(!files.isEmpty, "\(folder)")
      let step = Amount.of(12, all: 1)
      return files.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }
    let scene = try Scene().declare("camera")
    scene.setThumbnails([("t", Self.side, Self.side, "aspectFit")])
    for (index, file) in sample.enumerated() {
      try scene.put("sources/camera/\(index)", copyOf: file)
    }
    let outcome = try scene.run()
    #expect(try outcome.failures() == [], "\(sample)")
    let paths = try Self.thumbnails(of: scene)
    for (index, file) in sample.enumerated() {
      guard let path = paths["\(index)"] else {
        Issue.record("\(file) has no thumbnail")
        continue
      }
      let name = (file as NSString).lastPathComponent
      guard Self.isReadable(file) else {
        // There is no reference; a picture it is all the same.
        #expect(try Independent.size(path).min() ?? 0 > 0, "\(name)")
        continue
      }
      let pixels = try Pixels(path, Pixels.toSRGB)
      let wanted = try Pixels.reduction(of: file, width: pixels.width, height: pixels.height)
      let ours = Measured(width: pixels.width, height: pixels.height, psnr: try pixels.psnr(wanted))
      guard let peer = try Self.peer(of: file, in: scene) else {
        // Nothing to compare with; it must look like its source all the same.
        #expect(ours.psnr > 25, "\(name): \(ours.psnr) dB")
        continue
      }
      let theirs = try Self.measured(peer, of: file, reduced: wanted)
      #expect(
        abs(ours.width - theirs.width) <= 1 && abs(ours.height - theirs.height) <= 1,
        "\(name): \(ours), \(theirs)"
      )
      #expect(
        ours.psnr >= theirs.psnr - 0.5 || ours.psnr > 45,
        "\(name): \(ours.psnr) dB, \(theirs.psnr) dB"
      )
    }
    try scene.expectVerified()
  }

  /// Whether ImageMagick shows the picture at all.
  private static func isReadable(_ file: String) -> Bool {
    (try? Tool.run("convert", [file + "[0]", "null:"]))?.status == 0
  }

  struct Measured {
    var width: Int
    var height: Int
    /// In dB, against the source's own reduction to this size.
    var psnr: Double
  }

  /// Measures a thumbnail against a reduction of its source, which is made anew for another size.
  private static func measured(
    _ path: String,
    of source: String,
    reduced: Pixels
  ) throws -> Measured {
    let pixels = try Pixels(path, Pixels.toSRGB)
    let isFit = reduced.width == pixels.width && reduced.height == pixels.height
    let wanted =
      try isFit
      ? reduced : Pixels.reduction(of: source, width: pixels.width, height: pixels.height)
    return Measured(width: pixels.width, height: pixels.height, psnr: try pixels.psnr(wanted))
  }

  /// The thumbnails' paths by the name of the source file.
  private static func thumbnails(of scene: Scene) throws -> [String: String] {
    let rows = try scene.catalogue(
      """
      SELECT CAST(resources.sourcePath AS TEXT), thumbnails.path FROM thumbnails
      JOIN resources ON resources.asset = thumbnails.asset
      """
    )
    var paths: [String: String] = [:]
    for row in rows {
      let fields = row.split(separator: "|", maxSplits: 1).map(String.init)
      paths[fields[0]] = scene.library + "/" + fields[1]
    }
    return paths
  }

  /// vipsthumbnail's, at the same quality; nil when it makes none.
  private static func peer(of file: String, in scene: Scene) throws -> String? {
    let path = scene.at("peer-\((file as NSString).lastPathComponent).jpg")
    let result = try Tool.run(
      "vipsthumbnail",
      ["--size", "\(side)>", "-o", path + "[Q=80,background=255]", file]
    )
    return result.status == 0 ? path : nil
  }
}
