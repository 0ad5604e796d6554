import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("HEIC and AVIF")
struct HEIFDecoderTests {
  typealias F = HEIFFixture

  /// How a picture is coded, and how far it may be from what went in (chroma is halved).
  struct Coding: Sendable, CustomTestStringConvertible {
    var samples: String
    var matrix = "smpte170m"
    var range = "full"
    var isGray = false

    var testDescription: String { "\(samples) \(matrix) \(range)" }
    /// The filter's names are shorter than those of the file.
    var filter: String {
      "scale=out_color_matrix=\(matrix == "bt2020nc" ? "bt2020" : matrix):out_range=\(range)"
    }
  }

  private func makeScene(_ bench: Bench, isGray: Bool = false) throws {
    try bench.makeScene("scene.png", width: 320, height: 200)
    if isGray { try bench.convert("scene.png", "-colorspace", "Gray", "PNG24:scene.png") }
  }

  /// The thumbnail as a file, and its distance from another one in dB.
  private func psnr(
    _ bench: Bench,
    _ bytes: [UInt8],
    format: MediaFormat = .heic,
    side: Int = 400,
    against reference: String
  ) throws -> Double {
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: bytes,
      format: format,
      spec(side, side, quality: 98)
    )
    let thumbnail = try #require(thumbnails.first).bytes
    try bench.write(thumbnail, "thumbnail.jpg")
    let size = frame(thumbnail)?.prefix(2).map { "\($0)" }.joined(separator: " ")
    #expect(size == (try bench.identify(reference)))
    return try bench.psnr(reference, "thumbnail.jpg")
  }

  /// Each depth, chroma, matrix and range.
  private static let codings = [
    Coding(samples: "yuv420p"), Coding(samples: "yuv422p"), Coding(samples: "yuv444p10le"),
    Coding(samples: "yuv420p12le"), Coding(samples: "gray", isGray: true),
    Coding(samples: "yuv420p10le", matrix: "bt709", range: "limited"),
    Coding(samples: "yuv420p", matrix: "bt2020nc", range: "limited"),
  ]
  /// Others of the same.
  private static let moreCodings = [
    Coding(samples: "yuv444p"), Coding(samples: "yuv420p10le"),
    Coding(samples: "yuv420p", range: "limited"), Coding(samples: "yuv420p", matrix: "bt709"),
  ]

  @Test(
    "HEVC in every depth, chroma, matrix and range becomes the picture that it was",
    arguments: Amount.isAll ? codings + moreCodings : codings
  )
  func codingsOfHEVC(_ coding: Coding) throws {
    let bench = Bench()
    try makeScene(bench, isGray: coding.isGray)
    let coded = try bench.hevc(
      "scene.png",
      samples: coding.samples,
      colors: "range=\(coding.range):colormatrix=\(coding.matrix)",
      filter: coding.filter
    )
    let file = F(items: [coded.item()])
    let distance = try psnr(bench, file.bytes, against: "scene.png")
    #expect(distance > 29)
    // The file's word stands above the bitstream's.
    let contrary = F(items: [
      coded.item(F.nclx(1, 13, coding.matrix == "bt709" ? 6 : 1, full: coding.range != "full"))
    ])
    #expect(try psnr(bench, contrary.bytes, against: "scene.png") < distance - 3)
  }

  @Test(
    "AV1 in every depth and chroma becomes the picture that it was",
    arguments: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv420p12le"]
  )
  func codingsOfAV1(_ samples: String) throws {
    let bench = Bench()
    try makeScene(bench)
    let coded = try bench.av1("scene.png", samples: samples)
    let file = F(items: [coded.item()], brand: "avif")
    #expect(try psnr(bench, file.bytes, format: .avif, against: "scene.png") > 29)
  }

  @Test("AV1 in limited range is not taken for full")
  func limitedRangeOfAV1() throws {
    let bench = Bench()
    try makeScene(bench)
    let coded = try bench.av1(
      "scene.png",
      filter: "scale=out_color_matrix=smpte170m:out_range=limited",
      range: "tv"
    )
    let file = F(items: [coded.item()], brand: "avif")
    #expect(try psnr(bench, file.bytes, format: .avif, against: "scene.png") > 29)
  }

  @Test("A matrix that is no luma and chroma is left to libheif")
  func identityMatrix() throws {
    let bench = Bench()
    try makeScene(bench)
    let coded = try bench.hevc(
      "scene.png",
      samples: "gbrp",
      colors: "range=full:colormatrix=gbr",
      filter: "null"
    )
    let file = F(items: [coded.item(F.nclx(1, 13, 0, full: true))])
    #expect(try psnr(bench, file.bytes, against: "scene.png") > 29)
  }

  /// A grid, and a PNG of what it shows; coded once.
  private static let parts: Result<(file: [UInt8], picture: [UInt8]), any Error> = Result {
    let bench = Bench()
    // The last parts reach beyond the picture.
    try bench.makeScene("whole.png", width: 384, height: 256)
    var file = F(items: [F.grid(350, 230, columns: 3, rows: 2)])
    try bench.convert("whole.png", "-crop", "128x128", "+repage", "part%d.png")
    for index in 0..<6 { file.items.append(try bench.hevc("part\(index).png").item()) }
    // All parts share one configuration, as encoders write it.
    file.references = [("dimg", 1, Array(2...7))]
    try bench.convert("whole.png", "-crop", "350x230+0+0", "+repage", "cropped.png")
    return (file: file.bytes, picture: try readBytes(bench.path("cropped.png")))
  }

  @Test(
    "The parts of a grid stand where they belong, at every reduction",
    arguments: Amount.isAll ? [400, 150, 77, 40, 20] : [400, 77, 20]
  )
  func grid(_ side: Int) throws {
    let parts = try Self.parts.get()
    let bench = Bench()
    try bench.write(parts.picture, "cropped.png")
    try bench.convert(
      "cropped.png",
      "-filter",
      "Lanczos",
      "-resize",
      side < 350 ? "\(side)x\(side)" : "100%",
      "reference.png"
    )
    #expect(try psnr(bench, parts.file, side: side, against: "reference.png") > 27)
  }

  @Test("The embedded thumbnail is used where it is as large as asked, and only there")
  func embeddedThumbnail() throws {
    let bench = Bench()
    try makeScene(bench)
    // Of another color, so that one sees which was taken.
    try bench.convert("scene.png", "-negate", "-resize", "160x100!", "small.png")
    var file = F(items: [
      try bench.hevc("scene.png").item(F.irot(1)), try bench.hevc("small.png").item(F.irot(1)),
    ])
    file.references = [("thmb", 2, [1])]
    func isNegative(_ side: Int) throws -> Bool {
      try bench.convert("scene.png", "-rotate", "-90", "-resize", "\(side)x\(side)", "positive.png")
      return try psnr(bench, file.bytes, side: side, against: "positive.png") < 15
    }
    #expect(try isNegative(64))
    #expect(try isNegative(160))
    #expect(try !isNegative(161))
    // One that is turned otherwise shows another picture.
    file.items[1].properties.removeLast()
    #expect(try !isNegative(64))
  }

  @Test("What is transparent shows the background")
  func alpha() throws {
    let bench = Bench()
    try makeScene(bench)
    try bench.convert("-size", "320x200", "gradient:black-white", "-rotate", "180", "mask.png")
    var file = F(items: [
      try bench.hevc("scene.png").item(),
      try bench.hevc("mask.png", samples: "gray").item(F.alpha),
    ])
    file.references = [("auxl", 2, [1])]
    try bench.convert(
      "scene.png",
      "mask.png",
      "-alpha",
      "off",
      "-compose",
      "CopyOpacity",
      "-composite",
      "-background",
      "white",
      "-compose",
      "Over",
      "-flatten",
      "flat.png"
    )
    #expect(try psnr(bench, file.bytes, against: "flat.png") > 27)
  }

  @Test("A picture whose metadata describe a kind of picture that libheif does not know is decoded")
  func metadataOfAnUnknownItem() throws {
    let bench = Bench()
    try makeScene(bench)
    try bench.convert("-size", "320x200", "xc:white", "mask.png")
    var file = F(items: [
      try bench.hevc("scene.png").item(), F.Item(type: "tmap", data: [0, 0, 0]),
      F.Item(type: "Exif", data: [0, 0, 0, 0] + Array("MM\0*".utf8)),
      // Alpha, so that libheif reads the file too.
      try bench.hevc("mask.png", samples: "gray").item(F.alpha),
    ])
    file.references = [("cdsc", 3, [1, 2]), ("auxl", 4, [1])]
    #expect(try psnr(bench, file.bytes, against: "scene.png") > 29)
  }

  @Test("Real files decode, upright and of the right size")
  func corpus() throws {
    let files = Corpus.files(beneath: "visible").filter { path in
      [".heic", ".heif", ".avif"].contains { path.lowercased().hasSuffix($0) }
        && !path.contains("/edge/")
    }
    if files.isEmpty { return }
    #expect(files.count >= 13)
    let thumbnailer = ImageThumbnailer()
    for path in files {
      let format: MediaFormat = path.hasSuffix(".avif") ? .avif : .heic
      let bytes = try readBytes(path)
      let thumbnails = try thumbnailer.thumbnails(of: bytes, format: format, spec(96, 96))
      let size = try #require(thumbnails.first).pixelSize
      #expect(max(size.width, size.height) <= 96, "\(path)")
      #expect(size.height > size.width || !path.hasSuffix("arrow.heic"), "\(path)")
    }
  }
}
