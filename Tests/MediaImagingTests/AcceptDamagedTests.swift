import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Damaged files that are accepted")
struct AcceptDamagedTests {
  static let pictures: [(MediaFormat, [String])] = [
    (.jpeg, ["-sampling-factor", "2x2"]), (.jpeg, ["-colorspace", "CMYK"]), (.png, []),
    (.gif, ["+dither"]), (.tiff, ["-compress", "LZW", "-define", "tiff:rows-per-strip=8"]),
  ]

  /// PNGs of what is coded, and of its first and last rows as a thumbnail has them; made once.
  private static let scene: Result<[(name: String, bytes: [UInt8])], any Error> = Result {
    let bench = Bench()
    // Noise, so that half of the bytes are half of the picture.
    try bench.convert(
      "-size",
      "320x320",
      "plasma:#203080-#f0d060",
      "-seed",
      "7",
      "-attenuate",
      "0.6",
      "+noise",
      "Gaussian",
      "scene.png"
    )
    try bench.convert("scene.png", "-resize", "80x80!", "-crop", "80x30+0+0", "top.png")
    try bench.convert("scene.png", "-resize", "80x80!", "-crop", "80x20+0+60", "bottom.png")
    return try ["scene.png", "top.png", "bottom.png"].map {
      (name: $0, bytes: try readBytes(bench.path($0)))
    }
  }

  @Test("What could be decoded is shown, and the rest is not", arguments: pictures.indices)
  func half(index: Int) throws {
    let bench = Bench()
    for (name, bytes) in try Self.scene.get() { try bench.write(bytes, name) }
    let (format, arguments) = Self.pictures[index]
    let source = "whole.\(format.fileExtension)"
    try bench.convert(["scene.png"] + arguments + [source])
    var bytes = try readBytes(bench.path(source))
    if format == .tiff {
      // Its pages stand at the end: data in the middle is spoilt instead of cut off.
      bytes.replaceSubrange(
        (bytes.count / 2)..<(bytes.count * 9 / 10),
        with: repeatElement(0xFF, count: bytes.count * 9 / 10 - bytes.count / 2)
      )
    } else {
      bytes = Array(bytes[..<(bytes.count / 2)])
    }
    #expect(ImageThumbnailer().code(of: bytes, format: format, spec(80, 80)) == .damaged)
    let thumbnails = try bytes.withUnsafeBytes { bytes in
      try ImageThumbnailer().thumbnails(
        of: bytes,
        format: format,
        orientation: 1,
        specifications: [spec(80, 80)],
        acceptDamaged: true
      )
    }
    try bench.write(try #require(thumbnails.first).bytes, "thumbnail.jpg")
    try bench.convert("thumbnail.jpg", "-crop", "80x30+0+0", "shown.png")
    #expect(try bench.psnr("shown.png", "top.png") > 20)
    try bench.convert("thumbnail.jpg", "-crop", "80x20+0+60", "shown.png")
    #expect(try bench.psnr("shown.png", "bottom.png") < 20)
  }

  @Test("What a damaged tile lacks is not filled with an earlier picture")
  func damagedTile() throws {
    let bench = Bench()
    let tiles = ["-compress", "LZW", "-define", "tiff:tile-geometry=64x64"]
    try bench.convert(["-size", "128x128", "plasma:#203080-#f0d060"] + tiles + ["damaged.tif"])
    try bench.convert(["-size", "128x128", "xc:#d02020", "-type", "TrueColor"] + tiles + ["red.tif"])
    var damaged = try readBytes(bench.path("damaged.tif"))
    damaged.replaceSubrange(
      (damaged.count / 4)..<(damaged.count * 3 / 4),
      with: repeatElement(0xFF, count: damaged.count * 3 / 4 - damaged.count / 4)
    )
    let red = try readBytes(bench.path("red.tif"))
    let thumbnailer = ImageThumbnailer()
    func thumbnails(_ bytes: [UInt8]) throws -> [Thumbnail] {
      try bytes.withUnsafeBytes { bytes in
        try thumbnailer.thumbnails(
          of: bytes,
          format: .tiff,
          orientation: 1,
          specifications: [spec(64, 64)],
          acceptDamaged: true
        )
      }
    }
    #expect(thumbnailer.code(of: damaged, format: .tiff, spec(64, 64)) == .damaged)
    _ = try thumbnails(damaged)
    let before = try thumbnails(damaged)
    _ = try thumbnails(red)
    #expect(try thumbnails(damaged) == before)
  }

  @Test(
    "A file that is not even begun is damaged all the same",
    arguments: [
      MediaFormat.jpeg, .png, .gif, .tiff, .bmp,
    ]
  )
  func nothing(format: MediaFormat) {
    for bytes in [[], [0xFF, 0xD8], Array("GIF89a".utf8), Array("II*\0".utf8)] as [[UInt8]] {
      let code = bytes.withUnsafeBytes { (bytes) -> ImagingError.Code? in
        do throws(ImagingError) {
          _ = try ImageThumbnailer().thumbnails(
            of: bytes,
            format: format,
            orientation: 1,
            specifications: [spec(8, 8)],
            acceptDamaged: true
          )
          return nil
        } catch { return error.code }
      }
      #expect(code == .damaged)
    }
  }
}
