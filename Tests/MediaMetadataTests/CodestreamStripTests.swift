import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("JPEG 2000 and JPEG XL under strip")
struct CodestreamStripTests {
  /// Whether a text stands in the bytes, at any of the eight places of a bit.
  static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    (0..<8).contains { shift in
      let moved = zip(bytes, bytes.dropFirst() + [0]).map { low, high in
        UInt8(truncatingIfNeeded: (Int(high) << 8 | Int(low)) >> shift)
      }
      return String(decoding: moved, as: UTF8.self).contains(text)
    }
  }

  /// The verification's message about an output; nil if it accepts it.
  private static func verdict(_ bytes: [UInt8], _ format: MediaFormat) -> MetadataError.Code? {
    withSource(bytes) { source in code { try Stripper.verify(output: source, format: format) } }
  }

  @Test("Names, timecodes and a profile's texts leave a JPEG XL, and its coded data stay")
  func fieldsOfJXL() throws {
    for (source, text, names) in [
      (TinyJXL.named, "CaNaRy", ["name of a frame", "name of an extra channel"]),
      (TinyJXL.animated, "CaNaRy", ["name of a frame", "name of an extra channel", "timecode"]),
    ] {
      for bytes in [source, TinyJXL.file(codestream: isoBox("jxlc", source))] {
        #expect(Self.holds(bytes, text))
        let (output, list) = try strip(bytes, .jxl)
        #expect(!Self.holds(output, text))
        #expect(Set(list.removed.map(\.name)) == Set(names))
        #expect(try strip(output, .jxl).output == output)
        #expect(Self.verdict(bytes, .jxl) == .residue)
        #expect(try data(of: bytes) == data(of: output))
      }
    }
  }

  /// The coded data of all frames, one after the other.
  private func data(of bytes: [UInt8]) throws -> [UInt8] {
    try withSource(bytes) { source in
      let header = try #require(JXLHeader(of: source))
      let codestream = ByteSource(joining: header.ranges, of: source)
      return try JXLCodestream(of: codestream).frames.flatMap { frame in
        codestream.bytes(in: frame.data, limit: 1 << 20) ?? []
      }
    }
  }

  @Test("The profile of a JPEG XL is decoded, cleaned and written in one form")
  func profileOfJXL() throws {
    let decoded = try withSource(TinyJXL.profiled) { try JXLCodestream(of: $0).profile }
    let profile = try #require(decoded)
    #expect(profile.count == 564)
    #expect(ICCProfile.declaredLength(of: ByteSource(profile)) == profile.count)
    #expect(String(decoding: profile, as: UTF8.self).contains("Artifex"))
    let (output, list) = try strip(TinyJXL.profiled, .jxl)
    #expect(list.removed.map(\.name) == ["ICC profile parts"])
    let written = try withSource(output) { try JXLCodestream(of: $0).profile }
    #expect(written == ICCProfile.cleaned(profile))
    #expect(try strip(output, .jxl).output == output)
    for profile in [TinyICC.profile(), TinyICC.profile(TinyICC.colors + [.text("desc", "SGI")])] {
      var bits = withSource([]) { JXLBits($0, from: 0) }
      JXLProfile.write(profile, to: &bits)
      let read = try withSource(bits.written) { source in
        var bits = JXLBits(source, from: 0)
        return try JXLProfile.read(&bits)
      }
      #expect(read == profile)
    }
  }

  @Test("Bytes behind the last box are no box that is cut, and go")
  func behindBoxes() throws {
    let text = Array("text behind the last box, and no box at all".utf8)
    for (make, format) in [
      ({ TinyJP2.file(after: $0) }, MediaFormat.jp2), ({ TinyJXL.file(after: $0) }, .jxl),
    ] as [(([UInt8]) -> [UInt8], MediaFormat)] {
      let missing = { (after: [UInt8]) in
        withSource(make(after)) { Completeness.missingPart(of: $0, format: format) }
      }
      for length in 1...text.count {
        let after = Array(text.prefix(length))
        #expect(missing(after) == nil, "\(format) \(length)")
        #expect(try strip(make(after), format).output == strip(make([]), format).output)
      }
      let box = isoBox("xml ", text)
      for length in 8..<box.count {
        #expect(missing(Array(box.prefix(length)))?.contains("xml") == true, "\(format) \(length)")
      }
    }
  }

  @Test("Markers of a codestream without parameters are passed over, and go")
  func bareMarkers() throws {
    let bare: [UInt8] = [0xFF, 0x30, 0xFF, 0x3F]
    let bytes = TinyJ2K.file(bare, tiles: TinyJ2K.tile(bare) + TinyJ2K.tile(number: 1))
    #expect(withSource(bytes) { Completeness.missingPart(of: $0, format: .j2k) } == nil)
    let (output, list) = try strip(bytes, .j2k)
    #expect(output == TinyJ2K.file())
    #expect(list.removedNames == ["marker 0xFF30": 2, "marker 0xFF3F": 2])
    #expect(Self.verdict(bytes, .j2k) == .residue)
  }

  @Test("A palette of a JP2 whose channels are named nowhere is not stripped")
  func paletteWithoutChannels() throws {
    let palette = isoBox("pclr", [0, 1, 3, 7, 7, 7, 1, 2, 3])
    let channels = isoBox("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
    let color = TinyJP2.gray + palette
    let clean = TinyJP2.file(color: color + channels)
    #expect(try strip(clean, .jp2).output == clean)
    let (output, list) = try strip(TinyJP2.file(channels, color: color), .jp2)
    #expect(output == clean && list.removed.isEmpty)
    for file in [TinyJP2.file(color: color), TinyJP2.file(color: color, after: channels)] {
      #expect(code { _ = try strip(file, .jp2) } == .stripUnsupported)
    }
  }

  @Test("A preview is taken out with its frame")
  func previewOfJXL() throws {
    let bytes = try TinyJXL.withPreview()
    let (output, list) = try strip(bytes, .jxl)
    #expect(list.removed.map(\.name) == ["preview"])
    #expect(try withSource(output) { try JXLCodestream(of: $0).frames.count } == 1)
    #expect(output.suffix(40) == TinyJXL.plain.suffix(40))
    #expect(try strip(output, .jxl).output == output)
  }

  @Test(
    "A last frame ends a codestream, whether or not it may be shown in steps",
    arguments: [0, 3]
  )
  func lastFrame(kind: Int) throws {
    for count in 1...2 {
      let first = count == 1 ? [] : TinyJXL.frame(kind: kind, isLast: false)
      let bytes = TinyJXL.codestream(first + TinyJXL.frame(kind: kind, isLast: true))
      #expect(try withSource(bytes) { try JXLCodestream(of: $0).frames.count } == count)
      let (output, list) = try strip(bytes + Canaries.ascii, .jxl)
      #expect(output == bytes)
      #expect(list.removed == [RemovedMetadata(name: "trailer", count: 1)])
    }
  }

  @Test("More sections, or larger codes, than any picture has are over a limit and are no cut")
  func limits() {
    // Eight contexts with a code each, of 32,768 symbols of which one is used; no section is moved.
    var order = [(0, 1), (1, 1), (3, 2)] + (0..<8).map { ($0, 3) } + [(1, 1)]
    order += [(Int, Int)](repeating: (15, 4), count: 8)
    for _ in 0..<8 { order += [(1, 1), (14, 4), (16_383, 14)] }
    for _ in 0..<8 { order += [(1, 2), (0, 2), (0, 15)] }
    func ordered(_ count: Int) -> [UInt8] {
      let frame = TinyJXL.frame(kind: 0, isLast: false, order: order)
      let last = TinyJXL.frame(kind: 0, isLast: true, order: order)
      return TinyJXL.codestream([[UInt8]](repeating: frame, count: count - 1).joined() + last)
    }
    func sections(_ side: Int) -> [UInt8] {
      // A frame with all defaults, and twelve bits for each section, which is empty; at most 3 MB.
      let count = (side / 256) * (side / 256) + (side / 2048) * (side / 2048) + 2
      let lengths = [UInt8](repeating: 0, count: min((3 * count + 1) / 2, 3_000_000))
      return TinyJXL.codestream(side: side, [1] + lengths)
    }
    for (bytes, expected) in [
      (ordered(16), nil), (ordered(17), MetadataError.Code.overLimit),
      (sections(65_536), nil), (sections(1 << 18), .overLimit), (sections(1 << 30), .overLimit),
    ] as [([UInt8], MetadataError.Code?)] {
      #expect(code { _ = try strip(bytes, .jxl) } == expected)
      let missing = withSource(bytes) { Completeness.missingPart(of: $0, format: .jxl) }
      #expect(missing == nil)
    }
  }

  @Test("Nothing is said to be missing of a JPEG XL with more boxes than are read")
  func manyBoxes() {
    let pieces = TinyJXL.pieces()
    let first = Int(pieces[3])
    let free = [[UInt8]](repeating: isoBox("free", []), count: JXLHeader.maximumBoxes)
    func missing(_ boxes: some Sequence<UInt8>) -> String? {
      withSource(TinyJXL.file(codestream: Array(pieces[..<first] + boxes))) {
        Completeness.missingPart(of: $0, format: .jxl)
      }
    }
    #expect(missing([UInt8]()) == "the end of the codestream")
    #expect(missing(free.prefix(9).joined()) == "the end of the codestream")
    #expect(missing(free.joined() + pieces[first...]) == nil)
  }

  @Test("Pieces of a codestream become one, and out of order they are damage")
  func piecesOfJXL() throws {
    let pieces = TinyJXL.pieces()
    #expect(try strip(TinyJXL.file(codestream: pieces), .jxl).output == TinyJXL.file())
    for offset in [11, 8] {
      var wrong = pieces
      wrong[offset] ^= 0x81
      #expect(code { _ = try strip(TinyJXL.file(codestream: wrong), .jxl) } == .damaged)
    }
  }

  @Test("Orientation stays in the codestream of a JPEG XL")
  func orientation() throws {
    let (output, _) = try strip(TinyJXL.named, .jxl)
    #expect(try facts(of: output).orientation == 6)
  }

  @Test(
    "A file that is cut anywhere is damaged",
    arguments: [
      ("jxl", MediaFormat.jxl, TinyJXL.plain), ("named", .jxl, TinyJXL.named),
      ("frames", .jxl, TinyJXL.animated), ("profile", .jxl, TinyJXL.profiled),
      ("boxes", .jxl, TinyJXL.file()), ("j2k", .j2k, TinyJ2K.file()), ("jp2", .jp2, TinyJP2.file()),
    ]
  )
  func cut(name: String, format: MediaFormat, bytes: [UInt8]) {
    #expect(code { _ = try strip(bytes, format) } == nil, "\(name)")
    for count in bytes.indices {
      let part = Array(bytes[..<count])
      #expect(code { _ = try strip(part, format) } == .damaged, "\(name) \(count)")
    }
  }

  @Test("Any byte may have any value, and what is made of it is stable")
  func turned() {
    for (format, bytes) in [
      (MediaFormat.jxl, TinyJXL.plain), (.jxl, TinyJXL.named), (.jxl, TinyJXL.animated),
      (.jxl, TinyJXL.profiled), (.jxl, TinyJXL.file(codestream: TinyJXL.pieces())),
      (.j2k, TinyJ2K.file()), (.jp2, TinyJP2.file()),
    ] {
      for offset in bytes.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, bytes[offset] ^ 4] {
          var turned = bytes
          turned[offset] = value
          guard let output = try? strip(turned, format).output else { continue }
          #expect((try? strip(output, format).output) == output, "\(format) \(offset) \(value)")
          #expect(Self.verdict(output, format) == nil)
        }
      }
    }
  }

  @Test("The length of a tile-part is that of what it has left")
  func tileParts() throws {
    let comment = TinyJ2K.segment(0x64, [0, 1] + Array("a comment".utf8))
    let tiles = TinyJ2K.tile(comment) + TinyJ2K.tile(comment + comment, number: 1)
    let (output, list) = try strip(TinyJ2K.file(comment, tiles: tiles), .j2k)
    #expect(output == TinyJ2K.file())
    #expect(list.removed == [RemovedMetadata(name: "COM", count: 4)])
  }

  @Test(
    "A codestream that cannot be is damage, and what belongs to another part of the standard is refused",
    arguments: [
      (TinyJ2K.file(TinyJ2K.segment(0x74, [1, 2])), MetadataError.Code.stripUnsupported),
      (TinyJ2K.file(TinyJ2K.segment(0x5F, [1])), .damaged),
      (TinyJ2K.file(TinyJ2K.segment(0x52, [0, 0, 0, 1, 0, 0, 4, 4, 0, 1, 65])), .damaged),
      (TinyJ2K.file(TinyJ2K.segment(0x52, [1, 0, 0, 1, 0, 1, 4, 4, 0, 1, 1])), .damaged),
      (TinyJ2K.file(TinyJ2K.segment(0x5C, [0x40, 1, 1])), .damaged),
      (TinyJ2K.file(TinyJ2K.segment(0x63, [0, 0, 0, 0, 65])), .damaged),
      (TinyJ2K.file(tiles: []), .damaged),
      (TinyJ2K.file(tiles: TinyJ2K.tile(length: 13)), .damaged),
      (TinyJ2K.file(tiles: TinyJ2K.tile(length: 37)), .damaged),
      (TinyJ2K.file(tiles: TinyJ2K.tile(length: 39)), .damaged),
      (TinyJ2K.file(tiles: TinyJ2K.tile(length: 0xFFFF_FFFF)), .damaged),
    ]
  )
  func bounds(bytes: [UInt8], expected: MetadataError.Code) {
    #expect(code { _ = try strip(bytes, .j2k) } == expected)
  }

  @Test("A JPX is stripped only if it is a JP2 too, and one picture")
  func jpx() throws {
    func file(_ brands: String, _ boxes: [UInt8] = []) -> [UInt8] {
      JP2Header.signature + isoBox("ftyp", Array("jpx \0\0\0\0\(brands)".utf8))
        + isoBox("rreq", [1, 0x80, 0x80, 0, 0, 0, 0])
        + TinyJP2.file(boxes).dropFirst(32)
    }
    #expect(try strip(file("jpx jp2 "), .jp2).output == TinyJP2.file())
    #expect(code { _ = try strip(file("jpx jpxb"), .jp2) } == .stripUnsupported)
    for type in ["comp", "ftbl", "jpch", "jplh"] {
      let bytes = file("jpx jp2 ", isoBox(type, [1, 2]))
      #expect(code { _ = try strip(bytes, .jp2) } == .stripUnsupported, "\(type)")
      // A reader of JP2 passes over these.
      #expect(try strip(TinyJP2.file(isoBox(type, [1, 2])), .jp2).output == TinyJP2.file())
    }
    let two = file("jpx jp2 ") + isoBox("jp2c", TinyJ2K.file())
    #expect(code { _ = try strip(two, .jp2) } == .stripUnsupported)
    let strange = TinyJP2.file(color: isoBox("colr", [9, 0, 0, 1]))
    #expect(code { _ = try strip(strange, .jp2) } == .stripUnsupported)
  }

  @Test("The palette, channels and depths of a JP2 stay, and nothing behind their fields")
  func header() throws {
    let palette = isoBox("pclr", [0, 2, 3, 7, 7, 15] + [UInt8](repeating: 9, count: 8))
    let map = isoBox("cmap", [0, 0, 1, 0, 0, 0, 1, 1])
    let channels = isoBox("cdef", [0, 1, 0, 0, 0, 0, 0, 0])
    let depths = isoBox("bpcc", [7])
    let whole = TinyJP2.file(color: TinyJP2.gray + palette + map + channels + depths)
    #expect(try strip(whole, .jp2).output == whole)
    for box in [palette, channels, depths] {
      let type = String(decoding: box[4..<8], as: UTF8.self)
      let longer = TinyJP2.file(color: TinyJP2.gray + isoBox(type, box[8...] + [65]))
      #expect(code { _ = try strip(longer, .jp2) } == .damaged, "\(type)")
    }
  }

  @Test("A part of a JP2's header that is removed is counted, however large it is")
  func largePart() throws {
    let large = isoBox("zzzz", [UInt8](repeating: 65, count: ICCProfile.maximumLength))
    let (output, list) = try strip(TinyJP2.file(color: TinyJP2.gray + large), .jp2)
    #expect(output == TinyJP2.file())
    #expect(list.removed == [RemovedMetadata(name: "jp2h zzzz", count: 1)])
  }

  @Test(
    "What except keeps is written anew, and nothing beside it",
    arguments: [MediaFormat.jp2, .jxl]
  )
  func excepted(format: MediaFormat) throws {
    let exif = ExifWriter.block(orientation: 6, kept: KeptMetadataTests.all) ?? []
    let packet = XMPWriter.packet(kept: KeptMetadataTests.all, scope: .alone) ?? []
    let bytes =
      format == .jp2
      ? TinyJP2.file(isoBox("uuid", JP2Metadata.exif + exif) + isoBox("uuid", JP2Metadata.xmp + packet))
      : TinyJXL.file(isoBox("Exif", [0, 0, 0, 0] + exif) + isoBox("xml ", packet))
    let options = StripOptions(except: [.creationDate, .rating])
    let (output, _) = try strip(bytes, format, options)
    let metadata = withSource(output) { source in
      format == .jp2 ? JP2Metadata.find(in: source) : JXLMetadata.find(in: source)
    }
    let kept = metadata.kept(under: StripOptions(except: Set(MetadataException.allCases)))
    #expect(kept.creationDate == KeptMetadataTests.all.creationDate)
    #expect(kept.rating == KeptMetadataTests.all.rating)
    #expect(kept.copyright == nil && kept.location == nil && kept.make == nil)
    // The orientation of such a block is no one's.
    #expect(try facts(of: output).orientation == 1)
    #expect(try strip(output, format, options).output == output)
    #expect(try strip(output, format).output.count < output.count)
    #expect(Self.verdict(output, format) == .residue)
  }
}
