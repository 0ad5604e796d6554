import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What is left of a JPEG")
struct JPEGStripperTests {
  static let secret: [UInt8] = Array("canary".utf8)

  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    return (0...(bytes.count - part.count)).contains {
      Array(bytes[$0..<($0 + part.count)]) == part
    }
  }

  @Test(
    "Every segment that does not decode is taken out and named",
    arguments: [
      (0xE0, "JFXX\0", "APP0 JFXX"), (0xE1, "Exif\0\0", "APP1 Exif"),
      (0xE1, "http://ns.adobe.com/xap/1.0/\0", "APP1 XMP"),
      (0xE1, "http://ns.adobe.com/xmp/extension/\0", "APP1 ExtendedXMP"), (0xE1, "?", "APP1"),
      (0xE2, "MPF\0", "APP2 MPF"), (0xE2, "FPXR\0", "APP2 FPXR"),
      (0xE2, "ICC_PROFILE\0\u{1}\u{1}", "APP2 ICC_PROFILE"), (0xE3, "", "APP3"), (0xE4, "", "APP4"),
      (0xE5, "", "APP5"), (0xE6, "GoPro\0", "APP6"), (0xE7, "", "APP7"), (0xE8, "SPIFF\0", "APP8"),
      (0xE9, "", "APP9"), (0xEA, "", "APP10"), (0xEB, "JP", "APP11 JUMBF"),
      (0xEC, "Ducky", "APP12 Ducky"), (0xED, "Photoshop 3.0\0", "APP13 Photoshop"),
      (0xEE, "", "APP14"),
      (0xEF, "", "APP15"), (0xFE, "", "COM"),
    ]
  )
  func segments(marker: Int, identifier: String, name: String) throws {
    let segment = TinyJPEG.segment(UInt8(marker), identifier, Self.secret)
    for file in [
      TinyJPEG.file(segment), TinyJPEG.file(segment + segment),
      TinyJPEG.file(scan: segment + TinyJPEG.scan), TinyJPEG.file(scan: TinyJPEG.scan + segment),
    ] {
      let (output, list) = try strip(file, .jpeg)
      #expect(output == TinyJPEG.file())
      #expect(list.removedNames == [name: (file.count - output.count) / segment.count])
    }
  }

  @Test("What follows the EOI goes, and so do bytes between segments")
  func trailer() throws {
    let (output, list) = try strip(TinyJPEG.file(after: Self.secret), .jpeg)
    #expect(output == TinyJPEG.file())
    #expect(list.removedNames == ["trailer": 1])

    let filled = try strip(TinyJPEG.file(Self.secret + [0xFF, 0x00, 0xFF, 0xFF]), .jpeg)
    #expect(filled.output == TinyJPEG.file())
    #expect(filled.list.removedNames == ["bytes between segments": 1])

    let fill = try strip(TinyJPEG.file(scan: TinyJPEG.scan + [0xFF, 0xFF, 0xFF]), .jpeg)
    #expect(fill.output == TinyJPEG.file())
    #expect(fill.list.removedNames == ["fill bytes": 1])
  }

  @Test("A whole second picture behind the first one goes")
  func secondPicture() throws {
    let (output, _) = try strip(TinyJPEG.file(after: TinyJPEG.file()), .jpeg)
    #expect(output == TinyJPEG.file())
  }

  @Test("An orientation of 2 to 8 is all that is left of Exif", arguments: 1...8)
  func orientation(value: Int) throws {
    let block = TinyTIFF.block(
      [.text(0x010F, "canary"), .short(0x0112, value)],
      location: [.degrees(2), .degrees(4)]
    )
    let (output, list) = try strip(jpeg(exif: block), .jpeg)
    let minimal = TinyJPEG.segment(0xE1, "Exif\0\0", TinyTIFF.block([.short(0x0112, value)]))
    #expect(output == TinyJPEG.file(value == 1 ? [] : minimal))
    #expect(list.removedNames == ["APP1 Exif": 1])
    #expect(try facts(of: output).orientation == value)
  }

  @Test(
    "JFIF is written anew: no thumbnail, no density, but the shape of a pixel",
    arguments: [
      ([1, 2, 1, 0, 72, 0, 72], [1, 1, 0, 0, 1, 0, 1]),
      ([1, 1, 0, 0, 1, 0, 1], [1, 1, 0, 0, 1, 0, 1]),
      ([1, 2, 0, 0, 4, 0, 3], [1, 1, 0, 0, 4, 0, 3]),
      ([1, 1, 2, 0, 0, 0, 9], [1, 1, 0, 0, 1, 0, 1]),
    ]
  )
  func jfif(given: [UInt8], expected: [UInt8]) throws {
    let segment = TinyJPEG.segment(0xE0, "JFIF\0", given + [1, 1, 7, 8, 9])
    let (output, list) = try strip(TinyJPEG.file(segment), .jpeg)
    #expect(output == TinyJPEG.file(TinyJPEG.segment(0xE0, "JFIF\0", expected + [0, 0])))
    #expect(list.removedNames["JFIF thumbnail"] == 1)
    #expect(list.removedNames["JFIF density"] == (given[2] == 0 ? nil : 1))
  }

  @Test("Adobe's segment keeps its color transform and nothing else", arguments: [0, 1, 2])
  func adobe(transform: UInt8) throws {
    let segment = TinyJPEG.segment(0xEE, "Adobe", [0, 101, 0xC0, 1, 2, 3, transform] + Self.secret)
    let (output, _) = try strip(TinyJPEG.file(segment), .jpeg)
    #expect(output == TinyJPEG.file(TinyJPEG.segment(0xEE, "Adobe", [0, 100, 0, 0, 0, 0, transform])))
  }

  /// A profile that says to be `declared` bytes long.
  static func profile(declared: Int, length: Int) -> [UInt8] {
    var bytes = big(declared) + [UInt8](repeating: 7, count: max(0, length - 4))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes
  }

  static func chunk(_ number: UInt8, _ count: UInt8, _ data: ArraySlice<UInt8>) -> [UInt8] {
    TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [number, count] + data)
  }

  @Test("An ICC profile that is clean stays as it is, in one piece, when all of it is there")
  func wholeProfile() throws {
    let profile = try #require(ICCProfile.cleaned(TinyICC.profile()))
    let single = Self.chunk(1, 1, profile[...])
    let two = Self.chunk(1, 2, profile[..<90]) + Self.chunk(2, 2, profile[90...])
    let turned = Self.chunk(2, 2, profile[90...]) + Self.chunk(1, 2, profile[..<90])
    for segments in [single, two, turned] {
      let (output, list) = try strip(TinyJPEG.file(segments), .jpeg)
      #expect(output == TinyJPEG.file(single))
      #expect(list.removed.isEmpty)
    }
  }

  @Test("An ICC profile loses what it says beyond color")
  func profileDetails() throws {
    let profile = TinyICC.profile(TinyICC.colors + [.text("desc", "canary")], fill: 7)
    let (output, list) = try strip(TinyJPEG.file(Self.chunk(1, 1, profile[...])), .jpeg)
    let clean = try #require(ICCProfile.cleaned(profile))
    #expect(output == TinyJPEG.file(Self.chunk(1, 1, clean[...])))
    #expect(!Self.contains(output, Self.secret))
    #expect(list.removedNames == ["ICC profile details": 1])
  }

  @Test("A large ICC profile is copied from the file, whatever stands between its segments")
  func largeProfile() throws {
    let colors = Array(TinyICC.colors[..<3])
    let curves = ["rTRC", "gTRC", "bTRC"].map { TinyICC.Tag.curve($0, points: 50_000) }
    let profile = TinyICC.profile([.text("desc", "canary")] + colors + curves)
    let count = UInt8((profile.count + 39_999) / 40_000)
    let segments = (0..<count).map { index in
      Self.chunk(index + 1, count, profile[(Int(index) * 40_000)...].prefix(40_000))
    }
    let clean = try #require(ICCProfile.cleaned(profile))
    let comment = TinyJPEG.segment(0xFE, "", Self.secret)
    for between in [[], comment, TinyJPEG.dqt] {
      let source = TinyJPEG.file(Array(segments.joined(separator: between)))
      let (output, list) = try strip(source, .jpeg)
      var written: [UInt8] = []
      var parser = try JPEGParser(ByteSource(output))
      while case .segment(let segment) = try parser.next() {
        if segment.marker == 0xE2 { written += output[segment.body.dropFirst(14)] }
        if segment.marker == 0xDA { break }
      }
      #expect(written == clean)
      let literals = list.operations.reduce(0) { sum, operation in
        guard case .literal(let bytes) = operation else { return sum }
        return sum + bytes.count
      }
      #expect((literals < 4000) == (between != TinyJPEG.dqt))
    }
  }

  @Test("An ICC profile that is not whole, or none, goes")
  func partProfile() throws {
    let profile = TinyICC.profile()
    let none = [UInt8](repeating: 7, count: 200)
    for segments in [
      Self.chunk(1, 2, profile[...]), Self.chunk(0, 1, profile[...]),
      Self.chunk(2, 2, profile[...]),
      Self.chunk(1, 1, profile[...]) + Self.chunk(1, 1, profile[...]),
      Self.chunk(1, 2, profile[..<90]) + Self.chunk(2, 3, profile[90...]),
      Self.chunk(1, 1, none[...]), Self.chunk(1, 1, profile.dropLast()),
      Self.chunk(1, 1, profile[..<20]), Self.chunk(1, 1, TinyICC.profile([])[...]),
    ] {
      let (output, list) = try strip(TinyJPEG.file(segments), .jpeg)
      #expect(output == TinyJPEG.file())
      #expect(list.removedNames.keys.sorted() == ["APP2 ICC_PROFILE"])
    }
  }

  @Test("Bytes behind an ICC profile's own end do not pass", arguments: [130, 150, 300])
  func longProfile(first: Int) throws {
    let profile = try #require(ICCProfile.cleaned(TinyICC.profile()))
    let padded = profile + Self.secret + [UInt8](repeating: 9, count: 100)
    let segments = Self.chunk(1, 2, padded[..<first]) + Self.chunk(2, 2, padded[first...])
    let (output, list) = try strip(TinyJPEG.file(segments), .jpeg)
    #expect(output == TinyJPEG.file(Self.chunk(1, 1, profile[...])))
    #expect(list.removedNames == ["bytes after the ICC profile": 1])
  }

  @Test(
    "A table that is longer than its content, or shorter, is no table",
    arguments: [
      TinyJPEG.segment(0xDB, "", [0] + [UInt8](repeating: 1, count: 65)),
      TinyJPEG.segment(0xDB, "", [0] + [UInt8](repeating: 1, count: 63)),
      TinyJPEG.segment(0xDB, "", [0x20] + [UInt8](repeating: 1, count: 64)),
      TinyJPEG.segment(0xC4, "", [0, 1] + [UInt8](repeating: 0, count: 15) + [0, 9]),
      TinyJPEG.segment(0xC4, "", [0, 2] + [UInt8](repeating: 0, count: 15) + [0]),
      TinyJPEG.segment(0xDD, "", [0, 0, 1]),
      TinyJPEG.segment(0xC0, "", [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
      TinyJPEG.segment(0xC0, "", [8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0]),
      TinyJPEG.segment(0xDA, "", [1, 1, 0, 0, 63, 0, 0]), TinyJPEG.soi,
    ]
  )
  func impossible(segment: [UInt8]) {
    // Before the tables a second SOF and a first SOS also come at the wrong time.
    #expect(code { _ = try strip(TinyJPEG.file(segment), .jpeg) } == .damaged)
  }

  @Test(
    "What decides about decoding in an unknown way fails closed",
    arguments: [
      0xC5, 0xC6, 0xC7, 0xC8, 0xCD, 0xCE, 0xCF, 0xDE, 0xDF, 0xF0, 0xF7, 0xFD, 0x02, 0xBF,
    ]
  )
  func unknownMarkers(marker: Int) {
    let segment = TinyJPEG.segment(UInt8(marker), "", [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    #expect(
      code { _ = try strip(TinyJPEG.file(scan: TinyJPEG.scan + segment), .jpeg) }
        == .stripUnsupported
    )
  }

  @Test("A file that ends before its EOI is damaged, wherever that is")
  func cut() {
    let whole = TinyJPEG.file(TinyJPEG.jfif)
    for length in 0..<whole.count {
      #expect(code { _ = try strip(Array(whole[..<length]), .jpeg) } == .damaged, "\(length)")
    }
  }

  @Test("Restart markers and stuffed bytes are picture data, and DNL only where a frame needs it")
  func scanData() throws {
    let data: [UInt8] = TinyJPEG.scan + [0xFF, 0x00, 1, 0xFF, 0xD0, 2, 0xFF, 0xFF, 0xD7, 3]
    #expect(try strip(TinyJPEG.file(scan: data), .jpeg).output == TinyJPEG.file(scan: data))

    let dnl = TinyJPEG.segment(0xDC, "", [0, 8])
    let (output, list) = try strip(TinyJPEG.file(scan: data + dnl), .jpeg)
    #expect(output == TinyJPEG.file(scan: data))
    #expect(list.removedNames == ["DNL": 1])

    let frame = TinyJPEG.segment(0xC0, "", [8, 0, 0, 0, 8, 1, 1, 0x11, 0])
    let open = TinyJPEG.soi + TinyJPEG.dqt + frame + TinyJPEG.dht + TinyJPEG.scan
    #expect(try strip(open + dnl + TinyJPEG.eoi, .jpeg).output == open + dnl + TinyJPEG.eoi)
    #expect(try facts(of: open + dnl + TinyJPEG.eoi).pixelSize == PixelSize(width: 8, height: 8))
    #expect(code { _ = try strip(open + TinyJPEG.eoi, .jpeg) } == .damaged)
  }

  @Test(
    "The verification finds whatever an edit list would leave",
    arguments: [
      TinyJPEG.segment(0xFE, "", secret), TinyJPEG.segment(0xE1, "Exif\0\0", secret),
      TinyJPEG.segment(0xE1, "Exif\0\0", TinyTIFF.block([.short(0x0112, 6), .text(0x010F, "canary")])),
      TinyJPEG.segment(0xE1, "Exif\0\0", TinyTIFF.block([.short(0x0112, 6)]) + [1]),
      TinyJPEG.segment(0xE1, "Exif\0\0", TinyTIFF.block([.short(0x0112, 1)])),
      TinyJPEG.segment(0xE1, "Exif\0", []),
      TinyJPEG.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", secret),
      TinyJPEG.segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0", [0, 0, 0, 0]),
      TinyJPEG.segment(0xEB, "JP", [0, 1, 0, 0, 0, 1] + secret),
      TinyJPEG.segment(0xE0, "JFIF\0", [1, 1, 1, 0, 1, 0, 1, 0, 0]),
      TinyJPEG.segment(0xE0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0] + secret),
      TinyJPEG.jfif + TinyJPEG.jfif,
      TinyJPEG.segment(0xEE, "Adobe", [0, 100, 1, 0, 0, 0, 1]), TinyJPEG.segment(0xE2, "MPF\0", []),
      chunk(1, 1, TinyICC.profile()[...]), [0xFF], [0],
    ]
  )
  func secondLook(residue: [UInt8]) {
    for bytes in [TinyJPEG.file(residue), TinyJPEG.file(scan: residue + TinyJPEG.scan)] {
      withSource(bytes) { source in
        #expect(code { try Stripper.verify(output: source, format: .jpeg) } == .residue)
      }
    }
  }

  @Test("The verification finds a trailer, and nothing in a clean file")
  func secondLookEnds() {
    withSource(TinyJPEG.file(after: [0])) { source in
      #expect(code { try Stripper.verify(output: source, format: .jpeg) } == .residue)
    }
    withSource(TinyJPEG.file(TinyJPEG.jfif)) { source in
      #expect(code { try Stripper.verify(output: source, format: .jpeg) } == nil)
    }
  }

  @Test(
    "A format without an edit list fails closed",
    arguments: [MediaFormat.wmv, .ts, .m2ts, .cr2]
  )
  func otherFormats(format: MediaFormat) {
    withSource(TinyJPEG.file()) { source in
      #expect(code { _ = try Stripper.editList(of: source, format: format) } == .stripUnsupported)
    }
  }
}
