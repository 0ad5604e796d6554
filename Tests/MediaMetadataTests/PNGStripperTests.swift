import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What is left of a PNG")
struct PNGStripperTests {
  static let icc = TinyICC.profile()
  static let stream = Zlib.stored(icc)
  /// What becomes of any chunk that holds this profile.
  static let neutral = pngChunk("iCCP", Array("icc\0\0".utf8) + Zlib.stored(ICCProfile.cleaned(icc) ?? []))

  @Test(
    "Every chunk that is not allowed is taken out and named",
    arguments: [
      "tEXt", "zTXt", "iTXt", "tIME", "pHYs", "hIST", "sPLT", "eXIf", "zxIf", "caBX",
      "iDOT",
      "vpAg", "oFFs", "sCAL", "prVt",
    ]
  )
  func ancillary(type: String) throws {
    let chunk = pngChunk(type, Array("canary".utf8))
    for bytes in [
      TinyPNG.file(chunk), TinyPNG.file(between: chunk), TinyPNG.file(chunk, between: chunk),
    ] {
      let (output, list) = try strip(bytes, .png)
      #expect(output == TinyPNG.file())
      #expect(list.removedNames == [type: (bytes.count - output.count) / chunk.count])
    }
  }

  @Test(
    "What describes color stays, in its own length only, once and before the picture",
    arguments: [
      ("gAMA", 4), ("cHRM", 32), ("sRGB", 1), ("cICP", 4), ("mDCV", 24), ("cLLI", 8), ("sBIT", 1),
      ("tRNS", 2), ("bKGD", 2),
    ]
  )
  func color(type: String, length: Int) throws {
    let good = pngChunk(type, [UInt8](repeating: 0, count: length))
    let long = pngChunk(type, [UInt8](repeating: 0, count: length + 1))
    #expect(try strip(TinyPNG.file(good), .png).output == TinyPNG.file(good))
    #expect(try strip(TinyPNG.file(long), .png).output == TinyPNG.file())
    #expect(try strip(TinyPNG.file(good + good), .png).output == TinyPNG.file(good))
    #expect(try strip(TinyPNG.file(between: good), .png).output == TinyPNG.file())
    #expect(try strip(TinyPNG.file(long + good), .png).output == TinyPNG.file(good))
  }

  @Test("An ICC profile is cleaned and loses its name")
  func profile() throws {
    for name in ["Jane's display", "icc"] {
      let chunk = pngChunk("iCCP", Array("\(name)\0\0".utf8) + Self.stream)
      #expect(try strip(TinyPNG.file(chunk), .png).output == TinyPNG.file(Self.neutral))
    }
    // Other programs use a profile that lacks the checksum of its stream.
    for missing in 1...4 {
      let chunk = pngChunk("iCCP", Array("icc\0\0".utf8) + Self.stream.dropLast(missing))
      #expect(try strip(TinyPNG.file(chunk), .png).output == TinyPNG.file(Self.neutral))
    }
    let again = try strip(TinyPNG.file(Self.neutral), .png)
    #expect(again.output == TinyPNG.file(Self.neutral))
    #expect(again.list.removed.isEmpty)
    for bad in [
      Array("\0\0".utf8) + Self.stream, Array("name\0\u{1}".utf8) + Self.stream, Array("name".utf8),
      Array("name\0\0canary that is no zlib stream".utf8), Array("name\0\0".utf8),
      [UInt8](repeating: 0x41, count: 80) + [0, 0] + Self.stream,
      Array("name\0\0".utf8) + Self.stream.dropLast() + [1],
      Array("name\0\0".utf8) + Zlib.stored([UInt8](repeating: 7, count: 200)),
      Array("name\0\0".utf8) + Zlib.stored(Array(Self.icc[..<199])),
    ] {
      let (output, list) = try strip(TinyPNG.file(pngChunk("iCCP", bad)), .png)
      #expect(output == TinyPNG.file())
      #expect(list.removedNames == ["iCCP": 1])
    }
  }

  @Test("Bytes behind an ICC profile, or behind its zlib stream, do not pass")
  func longProfile() throws {
    for stream in [
      Self.stream + Array("canary".utf8), Zlib.stored(Self.icc + Array("canary".utf8)),
    ] {
      let chunk = pngChunk("iCCP", Array("icc\0\0".utf8) + stream)
      let (output, list) = try strip(TinyPNG.file(chunk), .png)
      #expect(output == TinyPNG.file(Self.neutral))
      #expect(list.removedNames == ["iCCP name or parts": 1])
      withSource(TinyPNG.file(chunk)) { source in
        #expect(code { try Stripper.verify(output: source, format: .png) } == .residue)
      }
    }
  }

  @Test("An orientation of 2 to 8 is all that is left of eXIf", arguments: 1...8)
  func orientation(value: Int) throws {
    let block = TinyTIFF.block([.text(0x010F, "canary"), .short(0x0112, value)])
    let minimal = pngChunk("eXIf", TinyTIFF.block([.short(0x0112, value)]))
    for prefix in [[], Array("Exif\0\0".utf8)] {
      let chunk = pngChunk("eXIf", prefix + block)
      for bytes in [TinyPNG.file(chunk), TinyPNG.file(between: chunk)] {
        let (output, list) = try strip(bytes, .png)
        #expect(output == TinyPNG.file(value == 1 ? [] : minimal))
        #expect(list.removedNames == ["eXIf": 1])
        #expect(try facts(of: output).orientation == value)
      }
    }
  }

  @Test("Nothing stands behind the IEND, or in it")
  func trailer() throws {
    let trailing = try strip(TinyPNG.file(after: Array("canary".utf8)), .png)
    #expect(trailing.output == TinyPNG.file())
    #expect(trailing.list.removedNames == ["trailer": 1])
    let full = TinyPNG.signature + TinyPNG.header + TinyPNG.data + pngChunk("IEND", [1, 2, 3])
    #expect(try strip(full, .png).output == TinyPNG.file())
  }

  /// One pixel of the picture, as a frame.
  static let frame = pngChunk("fcTL", big(0) + big(1) + big(1) + [UInt8](repeating: 0, count: 14))
  static let picture = Array(TinyPNG.data[8..<(TinyPNG.data.count - 4)])

  static func frameData(_ bytes: [UInt8]) -> [UInt8] { pngChunk("fdAT", big(1) + bytes) }

  @Test("An animation keeps its frames, and frames that nothing announces go")
  func animation() throws {
    let control = pngChunk("acTL", big(2) + big(0))
    let data = Self.frameData(Self.picture)
    let animated = TinyPNG.file(control + Self.frame, between: Self.frame + data)
    #expect(try strip(animated, .png).output == animated)
    let late = TinyPNG.file(Self.frame + control, between: Self.frame + data)
    #expect(try strip(late, .png).output == late, "the frame's chunk is before the animation's")
    let unannounced = TinyPNG.file(Self.frame, between: Self.frame + data)
    #expect(try strip(unannounced, .png).output == TinyPNG.file())
    let long = pngChunk("acTL", big(2) + big(0) + [0])
    #expect(
      try strip(TinyPNG.file(long + Self.frame, between: Self.frame + data), .png).output
        == TinyPNG.file()
    )
  }

  @Test("What stands behind a frame's zlib stream goes, and sequence numbers have no gap")
  func behindFrame() throws {
    let control = pngChunk("acTL", big(2) + big(0))
    let good = Self.frameData(Self.picture)
    let first = Self.frameData(Self.picture + [1, 2, 3])
    let surplus = pngChunk("fdAT", big(2) + [4, 5])
    let (output, list) = try strip(TinyPNG.file(control, between: Self.frame + first + surplus), .png)
    let empty = pngChunk("fdAT", big(2))
    #expect(output == TinyPNG.file(control, between: Self.frame + good + empty))
    #expect(list.removedNames == ["bytes behind the picture data": 2])
    #expect(try strip(output, .png).output == output)
  }

  @Test("Picture data that end early, or hold more than the picture, are not published")
  func pictureLength() {
    let truncated = Array(Self.picture.dropLast(5))
    let cases: [([UInt8], MetadataError.Code)] = [
      (truncated, .damaged), (Array("no zlib stream".utf8), .damaged), ([], .damaged),
      (Zlib.stored([0]), .damaged), (Zlib.stored([0, 0, 0]), .stripUnsupported),
    ]
    for (data, expected) in cases {
      let bytes = TinyPNG.signature + TinyPNG.header + pngChunk("IDAT", data) + TinyPNG.end
      #expect(code { _ = try strip(bytes, .png) } == expected)
    }
  }

  @Test("A kept chunk with a wrong checksum is damaged, one that goes anyway is not looked at")
  func checksums() throws {
    for part in ["IHDR", "IDAT", "gAMA"] {
      var bytes = TinyPNG.file(pngChunk("gAMA", [0, 0, 1, 2]))
      let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(part.utf8)) })
      bytes[offset + 5] ^= 1
      #expect(code { _ = try strip(bytes, .png) } == .damaged, "\(part)")
    }
    var text = TinyPNG.file(pngChunk("tEXt", [1, 2, 3]))
    text[TinyPNG.signature.count + TinyPNG.header.count + 9] ^= 1
    #expect(try strip(text, .png).output == TinyPNG.file())
  }

  @Test(
    "What is critical and unknown, or stands where it cannot, fails closed",
    arguments: [
      ("CgBI", [], MetadataError.Code.stripUnsupported),
      ("IHDR", [UInt8](repeating: 0, count: 13), .damaged),
      ("PLTE", [], nil), ("I1AT", [], .damaged),
    ]
  )
  func critical(type: String, data: [UInt8], expected: MetadataError.Code?) {
    #expect(code { _ = try strip(TinyPNG.file(pngChunk(type, data)), .png) } == expected)
  }

  @Test("Picture data in two pieces are no picture data")
  func twoPieces() {
    let text = pngChunk("tEXt", [1])
    #expect(code { _ = try strip(TinyPNG.file(between: text + TinyPNG.data), .png) } == .damaged)
    // What is behind the end of the zlib stream goes, even when it is another one.
    let second = try? strip(TinyPNG.file(between: TinyPNG.data), .png)
    #expect(second?.output == TinyPNG.file())
  }

  @Test("A file that ends before its IEND is damaged, wherever that is")
  func cut() {
    let whole = TinyPNG.file(pngChunk("gAMA", [0, 0, 1, 2]))
    for length in 0..<whole.count {
      #expect(code { _ = try strip(Array(whole[..<length]), .png) } == .damaged, "\(length)")
    }
  }

  @Test(
    "The verification finds whatever an edit list would leave",
    arguments: [
      pngChunk("tEXt", [1]), pngChunk("gAMA", [0, 0, 0, 0, 1]),
      pngChunk("eXIf", TinyTIFF.block([.short(0x0112, 6), .text(0x010F, "canary")])),
      pngChunk("iCCP", Array("name\0\0".utf8) + stream),
      pngChunk("iCCP", Array("icc\0\0".utf8) + stream),
      pngChunk("fcTL", [UInt8](repeating: 0, count: 26)),
    ]
  )
  func secondLook(residue: [UInt8]) {
    withSource(TinyPNG.file(residue)) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == .residue)
    }
    withSource(TinyPNG.file(after: [0])) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == .residue)
    }
    withSource(TinyPNG.file()) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == nil)
    }
  }

  @Test("The checksum over eight bytes a step is that over one", arguments: 0...40)
  func checksum(length: Int) {
    let data = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    #expect(PNG.chunk("tEXt", data) == pngChunk("tEXt", data))
  }
}
