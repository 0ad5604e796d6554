import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Kinds of pixels")
struct PixelKindTests {
  static let kinds: [(MediaFormat, [String])] =
    [(0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16])]
    .flatMap { (type: Int, depths: [Int]) in
      depths.flatMap { depth in
        ["None", "PNG"].map { interlacing -> (MediaFormat, [String]) in
          let colors =
            depth < 8
            ? (type == 3
              ? ["-colors", "\(1 << depth)", "+dither"] : ["-posterize", "\(1 << depth)"])
            : []
          let gray = type == 0 || type == 4 ? ["-colorspace", "Gray"] : []
          let alpha = type == 4 || type == 6 ? ["-alpha", "on"] : []
          let defines = [
            "-define", "png:color-type=\(type)", "-define", "png:bit-depth=\(depth)",
          ]
          return (.png, gray + colors + alpha + ["-interlace", interlacing] + defines)
        }
      }
    } + [
      (.gif, []), (.gif, ["-interlace", "GIF"]), (.gif, ["-colors", "2", "+dither"]),
      (.tiff, ["-compress", "None"]), (.tiff, ["-compress", "Zip", "-define", "tiff:predictor=2"]),
      (.tiff, ["-define", "tiff:tile-geometry=64x64"]), (.tiff, ["-depth", "16"]),
      (.tiff, ["-colors", "16", "-type", "Palette"]),
      (.tiff, ["-monochrome", "-compress", "Group4"]),
      (.tiff, ["-colorspace", "Gray"]), (.tiff, ["-interlace", "Plane"]),
    ]

  /// Each type and depth of a PNG with one of both interlacings, but not 2 bits, which are unpacked
  /// as 4 are; and each other kind. All for all.
  private static let chosen: [Int] = kinds.indices.filter { index in
    let (format, arguments) = kinds[index]
    return Amount.isAll || format != .png
      || index % 2 == index / 2 % 2 && !arguments.contains("png:bit-depth=2")
  }

  @Test("Every kind is shown pixel by pixel as ImageMagick shows it", arguments: chosen)
  func kind(index: Int) throws {
    let bench = Bench()
    let (format, arguments) = Self.kinds[index]
    try bench.makeScene("scene.png", width: 93, height: 71)
    let source = "source.\(format.fileExtension)"
    try bench.convert(["scene.png"] + arguments + [source])
    var specification = spec(93, 71)
    specification.format = .png
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path(source)),
        format: format,
        specification
      ).first
    )
    try bench.write(thumbnail.bytes, "shown.png")
    // Planes of luma and chroma lose a level or two.
    #expect(try bench.psnr("shown.png", source) > 42)
  }
}
