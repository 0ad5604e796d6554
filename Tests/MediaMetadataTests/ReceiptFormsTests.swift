import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Blocks in unusual places and forms, which are read by the same readers.
@Suite("Receipts and facts of blocks in unusual places and forms")
struct ReceiptFormsTests {
  private static func packet(_ toolkit: String = "") -> String {
    let program = toolkit.isEmpty ? "" : " x:xmptk=\"\(toolkit)\""
    return """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"\(program)>\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" photoshop:City="Ullapool" \
      photoshop:DateCreated="2013-07-19T04:11:37"><dc:creator><rdf:Seq><rdf:li>Xaviera</rdf:li>\
      </rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>
      """
  }
  private static let counts: [MetadataClass: Int] = [.location: 1, .time: 1, .person: 1]

  private static func receipt(
    _ bytes: [UInt8],
    _ format: MediaFormat
  ) throws -> [MetadataClass: Int] {
    let list = try strip(bytes, format).list
    let inspected = try ReceiptTests.inspected(bytes, format, StripOptions())
    let receipt = ReceiptTests.receipt(list)
    #expect(receipt == inspected)
    return receipt
  }

  /// An Exif block, big or little endian, whose pointers have a type and so many bytes of an offset.
  private static func exif(isBig: Bool, type: Int, width: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBig ? big(value, count) : little(value, count)
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4)
        + value + [UInt8](repeating: 0, count: 4 - value.count)
    }
    func directory(_ entries: [[UInt8]]) -> [UInt8] {
      number(entries.count, 2) + entries.flatMap { $0 } + number(0, 4)
    }
    let (camera, place) = (8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 12 + 4)
    let date = place + 2 + 48 + 4
    let latitude = date + 20
    let degrees = [(48, 1), (51, 1), (30, 1)].flatMap { number($0.0, 4) + number($0.1, 4) }
    let head = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    let first = directory([
      entry(0x8769, type, 1, number(camera, width)), entry(0x8825, type, 1, number(place, width)),
    ])
    let second = directory([entry(0x9003, 2, 20, number(date, 4))])
    let third = directory([
      entry(1, 2, 2, Array("N\0".utf8)), entry(2, 5, 3, number(latitude, 4)),
      entry(3, 2, 2, Array("E\0".utf8)), entry(4, 5, 3, number(latitude, 4)),
    ])
    return head + first + second + third + Array("2013:07:19 04:11:37\0".utf8) + degrees
  }

  @Test("A directory is read whatever integer points to it", arguments: [true, false])
  func pointers(isBig: Bool) throws {
    // Types, and the bytes of the offset: some writers put four bytes into a short one.
    for (type, width) in [(4, 4), (13, 4), (9, 4), (3, 2), (8, 2), (3, 4), (8, 4)] {
      let block = Self.exif(isBig: isBig, type: type, width: width)
      let file = TinyJPEG.file(TinyJPEG.segment(0xE1, "Exif\0\0", block))
      #expect(try Self.receipt(file, .jpeg) == [.location: 4, .time: 1], "\(type) \(width)")
      let found = try facts(of: file)
      #expect(found.hasLocation && found.creationDate?.local == "2013-07-19T04:11:37")
    }
  }

  @Test("The Exif item of a HEIC may begin with the header")
  func item() {
    let block = Self.exif(isBig: true, type: 4, width: 4)
    #expect(HEIFDescriptionItems.block(block) == block)
    #expect(HEIFDescriptionItems.block([0, 0, 0, 0] + block) == block)
    #expect(HEIFDescriptionItems.block([0, 0, 0, 6] + Array("Exif\0\0".utf8) + block) == block)
  }

  @Test("XMP is read in the XML box of a JP2, and in each kind of text of a PNG")
  func places() throws {
    let packet = Array(Self.packet().utf8)
    let keyword = Array("XML:com.adobe.xmp\0".utf8)
    let zlib: [UInt8] =
      [0x78, 0x01, 0x01] + little(packet.count, 2) + little(~packet.count & 0xFFFF, 2)
    var (low, high) = (1, 0)
    for byte in packet {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let compressed = zlib + packet + big(high << 16 | low)
    for (file, format) in [
      (TinyJP2.file(isoBox("xml ", packet)), MediaFormat.jp2),
      (TinyPNG.file(pngChunk("tEXt", keyword + packet)), .png),
      (TinyPNG.file(pngChunk("zTXt", keyword + [0] + compressed)), .png),
      (TinyPNG.file(pngChunk("iTXt", keyword + [0, 0, 0, 0] + packet)), .png),
    ] {
      #expect(try Self.receipt(file, format) == Self.counts, "\(format)")
    }
    // XML of another kind is one text.
    let other = TinyJP2.file(isoBox("xml ", Array("<gml>Ullapool</gml>".utf8)))
    #expect(try Self.receipt(other, .jp2)[.location] == nil)
  }

  @Test("XMP is read in UTF-16 of either order, and the program that wrote it counts")
  func encodings() throws {
    let units = Array(Self.packet().utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let identifier = "http://ns.adobe.com/xap/1.0/\0"
    for packet in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      let file = TinyJPEG.file(TinyJPEG.segment(0xE1, identifier, packet))
      #expect(try Self.receipt(file, .jpeg) == Self.counts)
    }
    let named = Array(Self.packet("Darkrumble 7.7").utf8)
    let file = TinyJPEG.file(TinyJPEG.segment(0xE1, identifier, named))
    #expect(try Self.receipt(file, .jpeg) == Self.counts.merging([.device: 1]) { $1 })
  }

  @Test("Names of version 2 in an ID3 tag of version 3 are those of its frames")
  func frames() throws {
    for end in ["\0", " "] {
      let texts = [("TP1", "Xaviera"), ("TT2", "Birthday"), ("TYE", "2013")]
      let tag = TinyMP3.id3(3, texts.map { ($0.0 + end, [0] + Array($0.1.utf8)) })
      let receipt = try Self.receipt(tag + TinyMP3.frames, .mp3)
      #expect(receipt == [.person: 1, .text: 1, .time: 1])
    }
  }
}
