import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// Files that are small and ask for much. Each is made here, refused by name, and at once.
@Suite("Limits")
struct LimitTests {
  private func refusal(
    of bytes: [UInt8],
    _ format: MediaFormat,
    _ limits: ItemLimits = ItemLimits()
  ) -> ImagingError? {
    bytes.withUnsafeBytes { (bytes) -> ImagingError? in
      do throws(ImagingError) {
        _ = try ImageThumbnailer(limits: ImagingLimits(limits)).thumbnails(
          of: bytes,
          format: format,
          orientation: 1,
          specifications: [spec(16, 16)]
        )
        return nil
      } catch { return error }
    }
  }

  /// The error names the limit, and nothing took long.
  private func expect(
    _ name: String,
    _ format: MediaFormat,
    of bytes: [UInt8],
    _ limits: ItemLimits = ItemLimits(),
    _ location: SourceLocation = #_sourceLocation
  ) {
    var error: ImagingError?
    let seconds = processorSeconds { error = refusal(of: bytes, format, limits) }
    #expect(error?.code == .overLimit, "\(String(describing: error))", sourceLocation: location)
    #expect(error?.detail.hasPrefix(name + ":") == true, "\(error?.detail ?? "")", sourceLocation: location)
    #expect(seconds < 2, sourceLocation: location)
  }

  private func png(_ width: Int, _ height: Int, _ chunks: [UInt8] = []) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + pngChunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
      + chunks + pngChunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1]) + pngChunk("IEND", [])
  }

  /// So many bytes of zeros as a zlib stream.
  private func zeros(_ count: Int, _ bench: Bench) throws -> [UInt8] {
    let result = try Tool.run(
      "sh",
      ["-c", "head -c \(count) /dev/zero | gzip -9 -n > zeros.gz"],
      in: bench.folder.path
    )
    try #require(result.status == 0)
    // gzip's header has 10 bytes, its end 8; zlib's end is Adler's checksum.
    let deflated = try readBytes(bench.path("zeros.gz")).dropFirst(10).dropLast(8)
    return [0x78, 0x9C] + deflated + big(count % 65_521 << 16 | 1)
  }

  @Test("Pixels, of every format")
  func pixels() throws {
    expect("pixels", .png, of: png(60_000, 60_000))
    expect(
      "pixels",
      .gif,
      of: Array("GIF89a".utf8) + [
        255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 255, 255, 255,
        255,
        0, 2, 2, 0x44, 1, 0, 0x3B,
      ]
    )
    let frame: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8, 0xFF, 0xDC, 0xFF, 0xDC, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]
    expect("pixels", .jpeg, of: frame + (0..<4000).flatMap { _ in scan } + [0xFF, 0xD9])
    expect("pixels", .tiff, of: tiff(width: 60_000, height: 60_000, next: 0))
    let bench = Bench()
    for format in [MediaFormat.jpeg, .png, .gif, .tiff, .bmp] {
      try bench.convert("-size", "64x48", "gradient:", "small.\(format.fileExtension)")
      let bytes = try readBytes(bench.path("small.\(format.fileExtension)"))
      #expect(refusal(of: bytes, format, ItemLimits(pixels: 64 * 48)) == nil, "\(format)")
      expect("pixels", format, of: bytes, ItemLimits(pixels: 64 * 48 - 1))
      #expect(refusal(of: bytes, format, ItemLimits(bytes: bytes.count)) == nil, "\(format)")
      expect("bytes", format, of: bytes, ItemLimits(bytes: bytes.count - 1))
    }
  }

  /// One page of one gray pixel a byte, whose next page is said to be at `next`.
  private func tiff(width: Int, height: Int, next: Int) -> [UInt8] {
    let entries: [(Int, Int)] = [
      (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height),
      (279, width * height),
    ]
    return Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
      + entries.flatMap { little($0.0, 2) + [4, 0, 1, 0, 0, 0] + little($0.1 & 0xFFFF_FFFF, 4) }
      + little(next, 4)
  }

  @Test("Frames of an animation, pages of a TIFF; a loop of pages is damage")
  func frames() throws {
    let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let hundred = head + (0..<100).flatMap { _ in frame } + [0x3B]
    #expect(refusal(of: hundred, .gif, ItemLimits(frames: 100)) == nil)
    expect("frames", .gif, of: hundred, ItemLimits(frames: 99))
    expect("frames", .gif, of: head + (0..<100_000).flatMap { _ in frame } + [0x3B])
    expect("frames", .png, of: png(1, 1, pngChunk("acTL", big(100_000) + [0, 0, 0, 0])))
    #expect(refusal(of: tiff(width: 1, height: 1, next: 8), .tiff)?.code == .damaged)
    let bench = Bench()
    try bench.convert("-size", "9x9", "xc:red", "xc:blue", "xc:green", "pages.tif")
    let pages = try readBytes(bench.path("pages.tif"))
    #expect(refusal(of: pages, .tiff, ItemLimits(frames: 3)) == nil)
    expect("frames", .tiff, of: pages, ItemLimits(frames: 2))
  }

  @Test("Text that unpacks to 200 MB, in each chunk that may hold it")
  func text() throws {
    let bench = Bench()
    let data = try zeros(200 << 20, bench)
    #expect(data.count < 400_000)
    try bench.convert("-size", "8x8", "xc:red", "plain.png")
    let plain = try readBytes(bench.path("plain.png"))
    func with(_ text: [UInt8]) -> [UInt8] { Array(plain[..<33]) + text + Array(plain[33...]) }
    expect("textBytes", .png, of: with(pngChunk("zTXt", Array("a\0\0".utf8) + data)))
    expect("textBytes", .png, of: with(pngChunk("iTXt", Array("a\0\u{1}\0\0\0".utf8) + data)))
    let stored = with(pngChunk("tEXt", Array("a\0".utf8) + [UInt8](repeating: 65, count: 1000)))
    #expect(refusal(of: stored, .png, ItemLimits(textBytes: 2000)) == nil)
    expect("textBytes", .png, of: stored, ItemLimits(textBytes: 900))
    // Not compressed, though its bytes look so.
    #expect(refusal(of: with(pngChunk("iTXt", Array("a\0\0\0\0\0".utf8) + data)), .png) == nil)
  }

  @Test("Profiles, as stored and unpacked")
  func profiles() throws {
    let bench = Bench()
    let data = try zeros(20 << 20, bench)
    try bench.convert("-size", "8x8", "xc:red", "plain.png")
    let plain = try readBytes(bench.path("plain.png"))
    let bomb = plain[..<33] + pngChunk("iCCP", Array("a\0\0".utf8) + data) + plain[33...]
    expect("profileBytes", .png, of: Array(bomb))
    let space = TestProfile.bytes(space: "RGB ", tags: [], paddedTo: 9000)
    try bench.write(space, "space.icc")
    for format in [MediaFormat.jpeg, .png, .tiff] {
      try bench.convert("plain.png", "-profile", "space.icc", "with.\(format.fileExtension)")
      let bytes = try readBytes(bench.path("with.\(format.fileExtension)"))
      #expect(refusal(of: bytes, format, ItemLimits(profileBytes: space.count)) == nil)
      expect("profileBytes", format, of: bytes, ItemLimits(profileBytes: space.count - 1))
    }
  }

  @Test("An interlaced PNG that would not fit in memory")
  func interlaced() throws {
    var bytes = png(15_000, 15_000)
    bytes[28] = 1
    bytes.replaceSubrange(29..<33, with: big(Int(crc32(Array(bytes[12..<29])))))
    expect("pixels", .png, of: bytes)
  }
}
