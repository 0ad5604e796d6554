import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Color")
struct ColorTests {
  /// A matrix profile, of gamma 2.2 or with sRGB's curve; colorants adapted to D50.
  func profile(
    _ colorants: [[Double]],
    isSRGB: Bool = false,
    paddedTo count: Int = 0
  ) -> [UInt8] {
    let fixed = TestProfile.fixed
    let white = fixed(0.9642) + fixed(1) + fixed(0.8249)
    let text = Array("text".utf8) + big(0) + Array("test\0\0\0\0".utf8)
    let name =
      Array("desc".utf8) + big(0) + big(5) + Array("test\0".utf8)
      + [UInt8](repeating: 0, count: 79)
    let steps = (0..<1024).flatMap { step -> [UInt8] in
      let x = Double(step) / 1023
      let y = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
      let value = Int((y * 65_535).rounded())
      return big(value, 2)
    }
    let curve =
      Array("curv".utf8) + big(0) + (isSRGB ? big(1024) + steps : big(1) + [2, 0x33, 0, 0])
    let xyz = Array("XYZ ".utf8) + big(0)
    let tags: [(String, [UInt8])] = [
      ("desc", name), ("cprt", text), ("wtpt", xyz + white),
      ("rXYZ", xyz + colorants[0].flatMap(fixed)), ("gXYZ", xyz + colorants[1].flatMap(fixed)),
      ("bXYZ", xyz + colorants[2].flatMap(fixed)), ("rTRC", curve), ("gTRC", curve),
      ("bTRC", curve),
    ]
    var (table, data) = (big(tags.count), [UInt8]())
    for (tag, value) in tags {
      table += Array(tag.utf8) + big(132 + 12 * tags.count + data.count) + big(value.count)
      data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    data += [UInt8](repeating: 0, count: max(0, count - 128 - table.count - data.count))
    let start = big(128 + table.count + data.count) + big(0) + [2, 0x10, 0, 0]
    let header =
      start + Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
      + [UInt8](repeating: 0, count: 28) + white + [UInt8](repeating: 0, count: 48)
    return header + table + data
  }

  static let adobeRGB = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]
  private static let displayP3 = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]
  static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]

  private static let formats: [MediaFormat] = [.jpeg, .png, .webp, .tiff]

  @Test(
    "A profile travels along, byte for byte, and patches keep their color",
    arguments: Amount.pairs([adobeRGB, displayP3], formats)
  )
  func profileTravels(colorants: [[Double]], format: MediaFormat) throws {
    let bench = Bench()
    let icc = profile(colorants)
    try bench.write(icc, "source.icc")
    try bench.write(profile(Self.sRGB, isSRGB: true), "srgb.icc")
    let source = "patches.\(format.fileExtension)"
    let colors = ["#c03020", "#20c040", "#2040d0", "#908070", "#e0d020"]
    // Without all, each format has two of the colors.
    let first = 2 * (Self.formats.firstIndex(of: format) ?? 0) % colors.count
    for color in Amount.isAll ? colors : [colors[first], colors[(first + 1) % colors.count]] {
      try bench.convert(
        "-size",
        "256x256",
        "xc:\(color)",
        "-quality",
        "100",
        "-define",
        "webp:lossless=true",
        "-sampling-factor",
        "1x1",
        "-profile",
        "source.icc",
        source
      )
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(
          of: try readBytes(bench.path(source)),
          format: format,
          spec(32, 32, quality: 95)
        ).first
      )
      try bench.write(thumbnail.bytes, "thumbnail.jpg")
      let kept = try Tool.run(
        "exiftool",
        ["-icc_profile", "-b", "-w", "%d%f.kept", bench.path("thumbnail.jpg")]
      )
      #expect(kept.status == 0)
      #expect(try readBytes(bench.path("thumbnail.kept")) == icc)
      try bench.convert("thumbnail.jpg", "-profile", "srgb.icc", "shown.png")
      try bench.convert(source, "-profile", "srgb.icc", "-scale", "32x32", "expected.png")
      // 42 dB is less than 2 of 255 levels.
      #expect(try bench.psnr("shown.png", "expected.png") > 42, "\(color)")
      try FileManager.default.removeItem(atPath: bench.path("thumbnail.kept"))
    }
  }

  @Test("A profile too large to travel is applied instead", arguments: [MediaFormat.jpeg, .png])
  func largeProfile(format: MediaFormat) throws {
    let bench = Bench()
    try bench.write(profile(Self.displayP3, paddedTo: 70_000), "source.icc")
    try bench.write(profile(Self.sRGB, isSRGB: true), "srgb.icc")
    let source = "patch.\(format.fileExtension)"
    try bench.convert("-size", "64x64", "xc:#c03020", "-quality", "100", "-profile", "source.icc", source)
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path(source)),
        format: format,
        spec(32, 32, quality: 95)
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    #expect(thumbnail.bytes.count < 10_000)
    try bench.convert(source, "-profile", "srgb.icc", "-strip", "-scale", "32x32", "expected.png")
    #expect(try bench.psnr("thumbnail.jpg", "expected.png") > 36)
  }

  @Test("A profile of another color space, or none at all, is left out")
  func wrongProfile() throws {
    let bench = Bench()
    try bench.write(profile(Self.displayP3), "source.icc")
    try bench.convert("-size", "64x64", "xc:gray50", "-colorspace", "Gray", "gray.jpg")
    var bytes = try readBytes(bench.path("gray.jpg"))
    let icc = profile(Self.displayP3)
    let length = icc.count + 16
    bytes.insert(
      contentsOf: [0xFF, 0xE2] + big(length, 2)
        + Array("ICC_PROFILE\0".utf8) + [1, 1] + icc,
      at: 2
    )
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(of: bytes, format: .jpeg, spec(32, 32)).first
    )
    #expect(frame(thumbnail.bytes)?.last == 1)
    #expect(thumbnail.bytes.count < 600)
  }

  @Test("What is transparent is white", arguments: [MediaFormat.png, .webp, .gif, .tiff])
  func transparency(format: MediaFormat) throws {
    let bench = Bench()
    let source = "clear.\(format.fileExtension)"
    try bench.convert(
      "-size",
      "64x64",
      "xc:none",
      "-fill",
      "#0000ff",
      "-draw",
      "rectangle 32,0 63,63",
      "-define",
      "webp:lossless=true",
      source
    )
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path(source)),
        format: format,
        spec(32, 32, quality: 95)
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    try bench.convert(
      "-size",
      "32x32",
      "xc:white",
      "-fill",
      "#0000ff",
      "-draw",
      "rectangle 16,0 31,31",
      "-sampling-factor",
      "2x2",
      "-quality",
      "95",
      "expected.jpg"
    )
    #expect(try bench.psnr("thumbnail.jpg", "expected.jpg") > 30)
  }

  @Test("A first frame smaller than its canvas keeps its place")
  func frameOnCanvas() throws {
    let bench = Bench()
    try bench.convert("-size", "20x10", "xc:red", "-repage", "64x48+40+30", "frame.gif")
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path("frame.gif")),
        format: .gif,
        spec(100, 100, quality: 95)
      ).first
    )
    #expect(thumbnail.pixelSize == PixelSize(width: 64, height: 48))
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    try bench.convert(
      "-size",
      "64x48",
      "xc:white",
      "-fill",
      "red",
      "-draw",
      "rectangle 40,30 59,39",
      "-sampling-factor",
      "2x2",
      "-quality",
      "95",
      "expected.jpg"
    )
    #expect(try bench.psnr("thumbnail.jpg", "expected.jpg") > 30)
  }

  @Test("16 bits, palettes, gray and CMYK come out as ImageMagick shows them")
  func depths() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 300, height: 200)
    let kinds: [(String, MediaFormat, [String])] = [
      ("16.png", .png, ["-depth", "16"]), ("palette.png", .png, ["-colors", "64"]),
      ("gray.png", .png, ["-colorspace", "Gray"]), ("cmyk.tif", .tiff, ["-colorspace", "CMYK"]),
      ("16.tif", .tiff, ["-depth", "16"]), ("lab.tif", .tiff, ["-colorspace", "Lab"]),
      ("scene.bmp", .bmp, []), ("scene.gif", .gif, []), ("scene.webp", .webp, []),
      ("large.png", .png, ["-resize", "1500x1000!"]),
    ]
    for (name, format, arguments) in kinds {
      let result = try Tool.run("convert", ["scene.png"] + arguments + [name], in: bench.folder.path)
      try #require(result.status == 0)
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(
          of: try readBytes(bench.path(name)),
          format: format,
          spec(80, 80, quality: 95)
        ).first
      )
      try bench.write(thumbnail.bytes, "thumbnail.jpg")
      try bench.convert(
        name,
        "-colorspace",
        "sRGB",
        "-filter",
        "Lanczos",
        "-resize",
        "80x53!",
        "-sampling-factor",
        "2x2",
        "-quality",
        "95",
        "expected.jpg"
      )
      #expect(try bench.psnr("thumbnail.jpg", "expected.jpg") > 32, "\(name)")
      #expect(frame(thumbnail.bytes)?.last == (name == "gray.png" ? 1 : 3), "\(name)")
    }
  }

  @Test(
    "A thumbnail says nothing but JFIF and its profile",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func noMetadata() throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: 200, height: 100)
    let tagged = try Tool.run(
      "exiftool",
      [
        "-overwrite_original", "-Artist=canary", "-GPSLatitude=1", "-XMP:Title=canary",
        "-IPTC:Keywords=canary", "-Comment=canary", bench.path("scene.jpg"),
      ]
    )
    try #require(tagged.status == 0)
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path("scene.jpg")),
        format: .jpeg,
        spec(50, 50)
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    let groups = try Tool.run("exiftool", ["-a", "-G0", "-s", bench.path("thumbnail.jpg")]).output
      .split(separator: "\n").map { $0.prefix { $0 != "]" } }
    #expect(Set(groups).isSubset(of: ["[ExifTool", "[File", "[JFIF", "[Composite"]))
    #expect(!String(decoding: thumbnail.bytes, as: UTF8.self).contains("canary"))
  }
}
