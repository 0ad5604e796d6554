import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Coded pictures are read once for all steps")
struct PictureDataCacheTests {
  static let plain = InflateTests.plain
  static let streams = InflateTests.streams.map(\.1) + [Zlib.stored(plain)]

  @Test("A stream ends where zlib finds its end, in one piece or many", arguments: 0..<3)
  func ends(index: Int) throws {
    let stream = Self.streams[index]
    for tail in [[], [9, 9, 9], [UInt8](repeating: 7, count: 3000)] as [[UInt8]] {
      for length in [1, 7, 4000] {
        let source = Self.joined(stream + tail, length)
        let reader = try #require(ZlibStream(source, checksAdler: false))
        #expect(reader.count(limit: 10_000) == Self.plain.count)
        let cache = PictureDataCache()
        for _ in 0..<2 {
          #expect(cache.length(of: source, contentLength: Self.plain.count) == reader.position)
        }
        let content = cache.takeContent(of: source, contentLength: Self.plain.count)
        #expect(content.map { Array($0) } == Self.plain)
        #expect(cache.takeContent(of: source, contentLength: Self.plain.count) == nil)
        #expect(cache.length(of: source, contentLength: Self.plain.count) == reader.position)
      }
    }
  }

  @Test("Content of another length, and a stream that is cut or another's, are not known")
  func others() {
    for stream in Self.streams {
      let source = ByteSource(stream)
      for length in [0, 1, Self.plain.count - 1, Self.plain.count + 1, 97 << 20] {
        #expect(PictureDataCache().length(of: source, contentLength: length) == nil)
      }
      for length in 0..<(stream.count - 4) {
        let cut = ByteSource(source, 0..<length)
        #expect(PictureDataCache().length(of: cut, contentLength: Self.plain.count) == nil)
      }
      for header: [UInt8] in [[0x77, 0x85], [0x78, 0xBB], [0x78, 0xDB]] {
        let other = ByteSource(header + stream.dropFirst(2))
        #expect(PictureDataCache().length(of: other, contentLength: Self.plain.count) == nil)
      }
    }
  }

  @Test("Content is known that DEFLATE has made as short as it can")
  func shortest() throws {
    let content = [UInt8](repeating: 0, count: 4 << 20)
    let stream = try #require(Deflater(level: 9)).stream(of: content)
    #expect(stream.count * 980 < content.count)
    let cache = PictureDataCache()
    let length = cache.length(of: ByteSource(stream), contentLength: content.count)
    #expect(length == stream.count)
  }

  @Test("Equal bytes elsewhere in memory, or fewer of the same, are not taken for what was read")
  func addresses() {
    let stream = Self.streams[0]
    let source = ByteSource(stream)
    let cache = PictureDataCache()
    #expect(cache.length(of: source, contentLength: Self.plain.count) == stream.count)
    #expect(cache.length(of: ByteSource(stream), contentLength: Self.plain.count) == nil)
    let cut = ByteSource(source, 0..<(stream.count - 5))
    #expect(cache.length(of: cut, contentLength: Self.plain.count) == nil)
    #expect(cache.takeContent(of: ByteSource(stream), contentLength: Self.plain.count) == nil)
  }

  @Test("Content whose checksum is wrong or missing is left to the decoder")
  func checksums() {
    let stream = Self.streams[0]
    let wrong = stream.dropLast() + [stream[stream.count - 1] ^ 1]
    for bytes in [Array(wrong), Array(stream.dropLast()), Array(stream.dropLast(4))] {
      let source = ByteSource(bytes)
      let cache = PictureDataCache()
      #expect(cache.length(of: source, contentLength: Self.plain.count) == stream.count)
      #expect(cache.takeContent(of: source, contentLength: Self.plain.count) == nil)
    }
  }

  @Test("Stripping a PNG leaves its rows to the decoder, and verifies them without another reading")
  func png() throws {
    let rows: [UInt8] = (0..<64).flatMap { row in [0] + [UInt8](repeating: UInt8(row), count: 64) }
    let stream = Zlib.stored(rows)
    let header = pngChunk("IHDR", [0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0])
    let parts = stride(from: 0, to: stream.count, by: 1000).flatMap {
      pngChunk("IDAT", Array(stream[$0..<min($0 + 1000, stream.count)]))
    }
    let clean = TinyPNG.signature + header + parts + TinyPNG.end
    let extra = pngChunk("IDAT", Array("canary".utf8))
    for bytes in [clean, clean.dropLast(12) + extra + TinyPNG.end] {
      try withSource(bytes) { source in
        let cache = PictureDataCache()
        let list = try Stripper.editList(of: source, format: .png, cache: cache)
        #expect(apply(list, to: bytes) == clean)
        let cached = try #require(cache.stream)
        #expect(cached.source.length >= stream.count && cached.begins(cached.source))
        let output = try ByteSource(applying: list, to: source)
        let pictures = try PNGPictures(of: output, cache: cache)
        #expect(pictures.streams.count == 1)
        let content = cache.takeContent(of: cached.source, contentLength: rows.count)
        #expect(content.map { Array($0) } == rows)
      }
    }
  }

  @Test("What a PNG has behind its picture is found by a verification that reads nothing again")
  func pngResidue() throws {
    let junk = pngChunk("IDAT", Array("canary".utf8))
    let bytes = TinyPNG.file(between: junk)
    withSource(bytes) { source in
      let cache = PictureDataCache()
      #expect(throws: Never.self) {
        _ = try PNGStripper.editList(of: source, options: StripOptions(), cache: cache)
      }
      #expect(cache.stream != nil)
      #expect(
        code { try PNGStripper.verify(output: source, options: StripOptions(), cache: cache) }
          == .residue
      )
    }
  }

  @Test("Stripping a GIF leaves the indices of its first picture, and reads each picture once")
  func gif() throws {
    let second = TinyGIF.descriptor + [2, 3, 0x44, 0x01, 0x77, 0]
    let bytes = TinyGIF.file(image: TinyGIF.image + TinyGIF.control + second)
    try withSource(bytes) { source in
      let cache = PictureDataCache(keepsPixels: true)
      let list = try Stripper.editList(of: source, format: .gif, cache: cache)
      let clean = TinyGIF.file(image: TinyGIF.image + TinyGIF.control + TinyGIF.image)
      #expect(apply(list, to: bytes) == clean)
      var parser = try GIFParser(source)
      var images: [GIFImage] = []
      while let block = try parser.next() {
        if case .image(let image) = block { images.append(image) }
      }
      #expect(images.count == 2)
      #expect(cache.indices(of: images[0], in: source).map { $0[0] } == 0)
      #expect(cache.indices(of: images[1], in: source) == nil)
      for image in images {
        let key = try #require(GIFPictureKey(image, in: source))
        #expect(cache.readings[key] != nil)
      }
      // Only the picture that was shortened was read again, to verify it.
      #expect(cache.readings.count == 2)
      #expect(
        code { try GIFStripper.verify(output: source, options: StripOptions(), cache: cache) }
          == .residue
      )
      #expect(PictureDataCache().indices(of: images[0], in: source) == nil)
    }
  }

  @Test("An unused color is found by a verification that reads no code again")
  func gifColors() {
    let bytes = TinyGIF.file(screen: TinyGIF.screen(colors: Array(1...12)))
    withSource(bytes) { source in
      let cache = PictureDataCache()
      #expect(throws: Never.self) {
        _ = try GIFStripper.editList(of: source, options: StripOptions(), cache: cache)
      }
      #expect(cache.readings.count == 1)
      #expect(
        code { try GIFStripper.verify(output: source, options: StripOptions(), cache: cache) }
          == .residue
      )
    }
  }

  @Test("CRC-32 goes on from piece to piece")
  func crc() {
    let text = Array("123456789".utf8)
    #expect(Zlib.crc32(text) == 0xCBF4_3926)
    for length in 1...9 {
      #expect(Zlib.crc32(0..<9, of: Self.joined(text, length)) == 0xCBF4_3926)
    }
    #expect(Zlib.crc32([]) == 0)
  }

  /// Returns the bytes in pieces of `length`.
  private static func joined(_ bytes: [UInt8], _ length: Int) -> ByteSource {
    guard length < 4000 else { return ByteSource(bytes) }
    var padded: [UInt8] = []
    var parts: [Range<Int>] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      let piece = bytes[start..<min(start + length, bytes.count)]
      parts.append(padded.count..<(padded.count + piece.count))
      padded += piece
      padded.append(0xEE)
    }
    return ByteSource(joining: parts, of: ByteSource(padded))
  }
}
