import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite(
  "Thumbnails of a run",
  .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or exiftool")
)
struct ThumbnailRunTests {
  struct Box: CustomTestStringConvertible, Sendable {
    var width: Int
    var height: Int
    var mode: String
    var testDescription: String { "\(width)x\(height) \(mode)" }
  }

  private static let boxes: [Box] = [
    .init(width: 100, height: 100, mode: "aspectFit"),
    .init(width: 100, height: 100, mode: "aspectFill"),
    .init(width: 64, height: 10, mode: "aspectFit"),
    .init(width: 64, height: 10, mode: "aspectFill"),
    .init(width: 10, height: 64, mode: "aspectFit"),
    .init(width: 10, height: 64, mode: "aspectFill"),
    .init(width: 1, height: 1, mode: "aspectFit"),
    .init(width: 1, height: 1, mode: "aspectFill"),
    .init(width: 2000, height: 2000, mode: "aspectFit"),
    .init(width: 2000, height: 2000, mode: "aspectFill"),
    .init(width: 2000, height: 50, mode: "aspectFit"),
    .init(width: 2000, height: 50, mode: "aspectFill"),
  ]

  /// Sizes that a thumbnail may have: a box filled or fitted, never enlarged, by arithmetic alone.
  ///
  /// Where a side is not a whole number of pixels both neighbors are allowed.
  private static func allowed(_ picture: [Int], in box: Box) -> [ClosedRange<Int>] {
    let (width, height) = (Double(picture[0]), Double(picture[1]))
    let (boxWidth, boxHeight) = (Double(box.width), Double(box.height))
    if box.mode == "aspectFit" {
      let scale = min(1, boxWidth / width, boxHeight / height)
      return [width * scale, height * scale].map { side in
        max(1, Int(side.rounded(.down)))...max(1, Int(side.rounded(.up)))
      }
    }
    // Filled: scaled until the box is covered, never more than the picture has; the rest is cropped.
    let scale = min(1, max(boxWidth / width, boxHeight / height))
    return [min(boxWidth, width * scale), min(boxHeight, height * scale)].map { side in
      max(1, Int(side.rounded(.down)))...max(1, Int(side.rounded(.up)))
    }
  }

  /// Width and height of each picture, as ImageMagick decodes it.
  private static func sizes(_ paths: [String]) throws -> [[Int]] {
    let result = try Tool.run("identify", ["-format", "%w %h\\n"] + paths.map { $0 + "[0]" })
    try #require(result.status == 0, "\(result.error)")
    let sizes = result.output.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
    try #require(sizes.count == paths.count, "\(result.output)")
    return sizes
  }

  @Test(
    "Every size and content mode has the size that arithmetic gives, and is never enlarged",
    arguments: [("a.jpg", 301, 200), ("a.jpg", 97, 211), ("a.png", 150, 150), ("a.tif", 333, 77)]
  )
  func hasExactSize(name: String, width: Int, height: Int) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails(Self.boxes.enumerated().map { ("t\($0)", $1.width, $1.height, $1.mode) })
    try Independent.makeQuarters(try scene.put("sources/camera/" + name, ""), width: width, height: height)
    let picture = try Independent.size(scene.at("sources/camera/" + name))
    try scene.run().expect(0)
    let names = try scene.digests("Library/Thumbnails").keys.sorted()
    let paths = try Self.boxes.indices.map { index in
      let path = try #require(names.first { $0.hasPrefix("t\(index)/") }, "\(names)")
      return scene.library + "/Thumbnails/" + path
    }
    for (box, size) in zip(Self.boxes, try Self.sizes(paths)) {
      let allowed = Self.allowed(picture, in: box)
      #expect(
        allowed[0].contains(size[0]) && allowed[1].contains(size[1]),
        "\(picture) in \(box.testDescription): \(size), not \(allowed)"
      )
    }
    try scene.expectVerified()
  }

  @Test(
    "A thumbnail is upright and has no orientation left, whichever of the 8 its picture has",
    arguments: Amount.pairs(["jpg", "tif"], Amount.some(4, of: Array(1...8)))
  )
  func isUpright(format: String, orientation: Int) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("fit", 60, 60, "aspectFit"), ("fill", 40, 40, "aspectFill")])
    let source = try scene.put("sources/camera/a.\(format)", "")
    try Independent.makeQuarters(source, width: 120, height: 80, orientation: orientation)
    try scene.run().expect(0)
    // ImageMagick turns the source upright by its own understanding of the tag.
    let upright = scene.at("upright.png")
    try Independent.make("convert", [source, "-auto-orient", "+repage", upright])
    let wantedColors = try Independent.tenths(upright)
    for name in ["fit", "fill"] {
      let path = try #require(try scene.thumbnails(name).first)
      #expect(try Independent.exif(path)["IFD0:Orientation"] == nil)
      let colors = try Independent.tenths(path)
      for (x, y) in [(10, 10), (80, 10), (10, 80), (80, 80)] {
        let wanted = wantedColors[y + x / 10]
        let color = colors[y + x / 10]
        let distance = zip(wanted, color).map { abs($0 - $1) }.max() ?? 255
        #expect(wanted.count == 3 && distance < 40, "\(name) at \(x) %, \(y) %: \(color), \(wanted)")
      }
    }
    let fit = try Independent.size(try #require(try scene.thumbnails("fit").first))
    #expect(fit == (orientation < 5 ? [60, 40] : [40, 60]))
  }

  @Test(
    "A video has a poster and a sound its waveform, made by the confined worker",
    .enabled(if: Has.magick, "no ImageMagick"),
    arguments: [Samples.video, Samples.movie, Samples.sound]
  )
  func showsOtherMedia(file: String) throws {
    let scene = Scene()
    try scene.declare("library")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/library/a", copyOf: file)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    let thumbnail = try #require(try scene.thumbnails("grid").first)
    #expect(try Independent.size(thumbnail) == [32, 32])
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("A thumbnail carries no metadata of its picture, under keep too")
  func carriesNoMetadata() throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let tags = try Independent.exif(try #require(try scene.thumbnails("grid").first))
    let residual = tags.keys.filter { !ImportFormatTests.isAllowed($0) }
    #expect(residual == [])
  }

  @Test(
    "A picture of the corpus of every format has thumbnails of the right size",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func makesThumbnailsOfCorpus() throws {
    let files = [
      "heic/arrow.heic", "avif/Irvine_CA.avif", "webp/flower.webp", "gif/chi.gif",
      "tiff/hopper_lzw.tif", "png/paris_icc_exif_xmp.png", "jpeg/sony-alpha-6000.jpg",
      "jpeg/pil_sample_cmyk.jpg", "orientation/paris_exif_orientation_5.jpg",
    ]
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("fit", 90, 90, "aspectFit"), ("fill", 20, 30, "aspectFill")])
    for (index, file) in files.enumerated() {
      let source = try #require(Corpus.file("visible/" + file), "\(file)")
      try scene.put("sources/camera/\(index)", copyOf: source)
    }
    try scene.run().expect(0)
    let fill = try Self.sizes(scene.thumbnails("fill"))
    #expect(fill == files.map { _ in [20, 30] })
    let fit = try Self.sizes(scene.thumbnails("fit"))
    #expect(fit.count == files.count && fit.allSatisfy { $0.max() == 90 }, "\(fit)")
    try scene.expectVerified()
  }
}
