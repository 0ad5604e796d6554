import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Damage")
struct DamageTests {
  static let pictures: [(format: MediaFormat, arguments: [String])] = [
    (.jpeg, []), (.jpeg, ["-interlace", "JPEG"]), (.jpeg, ["-colorspace", "CMYK"]), (.png, []),
    (.png, ["-interlace", "PNG"]), (.gif, []), (.webp, []),
    (.webp, ["-define", "webp:lossless=true"]),
    (.tiff, ["-compress", "LZW"]), (.tiff, []), (.bmp, []), (.avif, []), (.heic, []),
  ]

  @Test("A file that was cut is damaged, wherever it was cut", arguments: pictures.indices)
  func cut(index: Int) throws {
    let bench = Bench()
    let (format, arguments) = Self.pictures[index]
    try bench.makeScene("scene.png", width: 160, height: 120)
    try bench.convert(["scene.png"] + arguments + ["whole.\(format.rawValue)"])
    let bytes = try readBytes(bench.path("whole.\(format.rawValue)"))
    let thumbnailer = ImageThumbnailer()
    #expect(thumbnailer.code(of: bytes, format: format) == nil)
    #expect(thumbnailer.code(of: bytes, format: format, spec(50, 50)) == nil)
    // The last byte of a GIF is its trailer: all before it is whole.
    for count in [
      0, 1, 3, 20, bytes.count / 4, bytes.count / 2, bytes.count * 9 / 10, bytes.count - 2,
    ] {
      let half = Array(bytes[..<count])
      #expect(thumbnailer.code(of: half, format: format) == .damaged, "\(format) \(count)")
      #expect(thumbnailer.code(of: half, format: format, spec(50, 50)) == .damaged, "\(count)")
    }
  }

  @Test("Bytes turned at random never stop the process", arguments: pictures.indices)
  func turned(index: Int) throws {
    let bench = Bench()
    let (format, arguments) = Self.pictures[index]
    try bench.makeScene("scene.png", width: 96, height: 64)
    try bench.convert(["scene.png"] + arguments + ["whole.\(format.rawValue)"])
    let bytes = try readBytes(bench.path("whole.\(format.rawValue)"))
    var random = SeededGenerator("\(#function) \(format) \(arguments)")
    let thumbnailer = ImageThumbnailer()
    for round in 0..<60 {
      var turned = bytes
      let span = round % 2 == 0 ? bytes.count : min(bytes.count, 200)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        turned[Int.random(in: 0..<span, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = thumbnailer.code(of: turned, format: format, spec(33, 33, .aspectFill), spec(7, 90))
    }
  }

  @Test(
    "All damaged files of the corpus are decoded or refused",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [MediaFormat.bmp, .gif, .jpeg, .png, .tiff, .webp]
  )
  func corpus(format: MediaFormat) throws {
    let files = Corpus.files(beneath: "damaged/\(format.rawValue)")
    try #require(!files.isEmpty)
    let thumbnailer = ImageThumbnailer()
    var refused = 0
    for file in files {
      let bytes = try readBytes(file)
      let code = thumbnailer.code(of: bytes, format: format, spec(64, 64), spec(9, 9, .aspectFill))
      #expect(code != .internal, "\(file)")
      if code != nil { refused += 1 }
    }
    #expect(refused > files.count / 4)
  }

  @Test("Fill bytes before the end marker, and between segments, are no damage")
  func fillBytes() throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: 160, height: 120)
    let bytes = try readBytes(bench.path("scene.jpg"))
    let thumbnailer = ImageThumbnailer()
    let whole = try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(40, 40))
    let fill = [UInt8](repeating: 0, count: 100)
    let atEnd = bytes.dropLast(2) + fill + bytes.suffix(2)
    #expect(try thumbnailer.thumbnails(of: Array(atEnd), format: .jpeg, spec(40, 40)) == whole)
    let behind = bytes + fill
    #expect(try thumbnailer.thumbnails(of: behind, format: .jpeg, spec(40, 40)) == whole)
    let atStart = bytes.prefix(2) + fill + bytes.dropFirst(2)
    #expect(try thumbnailer.thumbnails(of: Array(atStart), format: .jpeg, spec(40, 40)) == whole)
    // The same, cut: harmless bytes do not hide that the rest is missing.
    #expect(thumbnailer.code(of: Array(atStart.dropLast(300)), format: .jpeg, spec(40, 40)) == .damaged)
  }

  @Test("A GIF's data may stand in blocks of one byte")
  func smallBlocks() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 96, height: 64)
    try bench.convert("scene.png", "scene.gif")
    let bytes = try readBytes(bench.path("scene.gif"))
    // Its palette, then extensions and the picture's descriptor; no other palette.
    var offset = 13 + (3 << (Int(bytes[10] & 7) + 1))
    while bytes[offset] == 0x21 {
      offset += 2
      while bytes[offset] != 0 { offset += 1 + Int(bytes[offset]) }
      offset += 1
    }
    try #require(bytes[offset] == 0x2C && bytes[offset + 9] & 0x80 == 0)
    var small = Array(bytes[..<(offset + 11)])
    offset += 11
    while bytes[offset] != 0 {
      let length = Int(bytes[offset])
      for byte in bytes[(offset + 1)...(offset + length)] { small += [1, byte] }
      offset += 1 + length
    }
    small += bytes[offset...]
    let thumbnailer = ImageThumbnailer()
    #expect(
      try thumbnailer.thumbnails(of: small, format: .gif, spec(40, 40))
        == thumbnailer.thumbnails(of: bytes, format: .gif, spec(40, 40))
    )
    #expect(thumbnailer.code(of: Array(small.dropLast(300)), format: .gif, spec(40, 40)) == .damaged)
  }

  @Test("A picture that is too large is refused before it is decoded")
  func tooLarge() throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: 64, height: 48)
    try bench.makeScene("scene.png", width: 64, height: 48)
    let limits = ImagingLimits(ItemLimits(pixels: 64 * 48 - 1))
    for format in [MediaFormat.jpeg, .png] {
      let bytes = try readBytes(bench.path("scene.\(format.fileExtension)"))
      #expect(ImageThumbnailer().code(of: bytes, format: format) == nil)
      #expect(ImageThumbnailer(limits: limits).code(of: bytes, format: format) == .overLimit)
    }
    var huge = try readBytes(bench.path("scene.jpg"))
    let frame = try #require(huge.indices.first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
    huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0, 0xFF, 0])
    #expect(ImageThumbnailer().code(of: huge, format: .jpeg) == .overLimit)
  }

  @Test("A progressive JPEG with more passes than allowed is refused")
  func manyScans() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 64, height: 48)
    try bench.convert("scene.png", "-interlace", "JPEG", "scene.jpg")
    let bytes = try readBytes(bench.path("scene.jpg"))
    let blocks = 4 * 3 * 6
    #expect(
      ImageThumbnailer(limits: ImagingLimits(maximumBlockPasses: blocks)).code(
        of: bytes,
        format: .jpeg
      ) == .overLimit
    )
    // One scan header again and again: libjpeg-turbo counts them too.
    let scan = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let last = Array(bytes[scan..<(bytes.count - 2)])
    let many = bytes.dropLast(2) + (0..<600).flatMap { _ in last } + bytes.suffix(2)
    let code = ImageThumbnailer().code(of: Array(many), format: .jpeg)
    #expect(code == .overLimit || code == .damaged)
  }

  @Test("What is nothing at all is damaged")
  func nothing() {
    #expect(ImageThumbnailer().code(of: [1, 2, 3], format: .mp4) == .damaged)
    #expect(ImageThumbnailer().code(of: [], format: .png) == .damaged)
  }

  @Test("Compressed text in a PNG is not inflated", .timeLimit(.minutes(1)))
  func textBomb() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 16, height: 16)
    let bytes = try readBytes(bench.path("scene.png"))
    let clean = try ImageThumbnailer().thumbnails(of: bytes, format: .png, spec(8, 8))
    // A zTXt whose checksum is wrong: a decoder that looked at it would complain.
    let bomb: [UInt8] = [0, 0, 0, 8] + Array("zTXtA\0\0bomb!".utf8) + [0, 0, 0, 0]
    let with = bytes.prefix(33) + bomb + bytes.dropFirst(33)
    #expect(try ImageThumbnailer().thumbnails(of: Array(with), format: .png, spec(8, 8)) == clean)
  }
}
