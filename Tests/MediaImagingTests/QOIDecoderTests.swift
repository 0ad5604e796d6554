import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Thumbnails of QOI")
struct QOIDecoderTests {
  private static let header = Array("qoif".utf8) + [0, 0, 0, 3, 0, 0, 0, 2, 3, 0]
  private static let chunks: [UInt8] = [0xFE, 10, 20, 30, 0x79, 0xA5, 0xA7, 0x09, 0xC1]
  private static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  @Test("Each kind of chunk gives its pixels")
  func pixels() {
    func read(_ chunks: [UInt8], _ count: Int, channels: Int) -> [UInt8] {
      chunks.withUnsafeBytes { chunks in
        var pixels = QOIPixels(chunks)
        return [UInt8](unsafeUninitializedCapacity: count * channels) { buffer, size in
          size = 0
          guard let row = buffer.baseAddress else { return }
          size = pixels.read(count, into: row, channelCount: channels) * channels
        }
      }
    }
    let expected: [[UInt8]] = [
      [10, 20, 30], [11, 20, 29], [18, 25, 33], [10, 20, 30], [10, 20, 30], [10, 20, 30],
    ]
    #expect(read(Self.chunks, 6, channels: 3) == expected.flatMap { $0 })
    #expect(read(Self.chunks, 9, channels: 3) == expected.flatMap { $0 })
    // Differences wrap around, alpha stays, and an index that was never written is transparent black.
    let wrapped: [UInt8] = [0xFF, 0, 255, 1, 128, 0x4F, 0x3F]
    #expect(read(wrapped, 3, channels: 4) == [0, 255, 1, 128, 254, 0, 2, 128, 0, 0, 0, 0])
    // The first pixel is opaque black where a run begins the file.
    #expect(read([0xC0], 1, channels: 4) == [0, 0, 0, 255])
    for cut in [[0xFF, 1, 2, 3], [0xFE, 1, 2], [0x80], []] as [[UInt8]] {
      #expect(read(cut, 1, channels: 4) == [])
    }
  }

  @Test(
    "A thumbnail is that of the same picture as a PNG",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"),
    arguments: ["rgb24", "rgba"]
  )
  func same(layout: String) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 160, height: 120)
    if layout == "rgba" {
      try bench.convert(
        "scene.png",
        "-alpha",
        "set",
        "-channel",
        "A",
        "-evaluate",
        "set",
        "50%",
        "PNG32:scene.png"
      )
    }
    let result = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", "scene.png", "-pix_fmt", layout, "-frames:v", "1", "scene.qoi"],
      in: bench.folder.path
    )
    try #require(result.status == 0, "\(result.error)")
    let thumbnailer = ImageThumbnailer()
    for (name, format) in [("scene.png", MediaFormat.png), ("scene.qoi", .qoi)] {
      let bytes = try readBytes(bench.path(name))
      let thumbnails = try thumbnailer.thumbnails(of: bytes, format: format, spec(50, 50, quality: 95))
      try bench.write(thumbnails[0].bytes, "\(format).jpg")
    }
    #expect(try bench.psnr("png.jpg", "qoi.jpg") > 45)
    let whole = try readBytes(bench.path("scene.qoi"))
    for count in [0, 3, 14, whole.count / 2, whole.count - 9, whole.count - 1] {
      let half = Array(whole[..<count])
      #expect(thumbnailer.code(of: half, format: .qoi) == .damaged, "\(count)")
      #expect(thumbnailer.code(of: half, format: .qoi, spec(50, 50)) == .damaged, "\(count)")
    }
  }

  @Test("A size above the limits is refused before memory is taken, a wrong one is damage")
  func limits() {
    let thumbnailer = ImageThumbnailer()
    func code(_ size: [UInt8]) -> ImagingError.Code? {
      var file = Self.header + Self.chunks + Self.endMarker
      file.replaceSubrange(4..<12, with: size)
      return thumbnailer.code(of: file, format: .qoi, spec(20, 20))
    }
    #expect(code([0, 0, 0, 3, 0, 0, 0, 2]) == nil)
    #expect(code([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == .overLimit)
    #expect(code([0, 1, 0, 0, 0, 0, 0, 1]) == .overLimit)
    #expect(code([0, 0, 0, 0, 0, 0, 0, 2]) == .damaged)
    #expect(code([0, 0, 0, 3, 0, 0, 0, 9]) == .damaged)
  }
}
