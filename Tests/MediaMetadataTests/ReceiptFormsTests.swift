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
      #expect(try statesPlace(file) && found.creationDate?.local == "2013-07-19T04:11:37")
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

  // MARK: JPEG

  private static let datasets: [UInt8] = {
    let values = [(90, "Ullapool"), (80, "Xaviera"), (55, "20130719"), (60, "041137+0000")]
    return values.flatMap { [0x1C, 2, UInt8($0.0)] + big($0.1.utf8.count, 2) + Array($0.1.utf8) }
  }()

  /// A trailer of AFCP that begins at `base` of its file.
  private static func concatenation(_ datasets: [UInt8], at base: Int, isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
      isBig ? big(value, count) : little(value, count)
    }
    let mark = Array((isBig ? "AXS!" : "AXS*").utf8)
    let head = mark + number(1, 2) + number(1, 2) + number(0) + Array("IPTC".utf8)
    return head + number(datasets.count) + number(base + 24) + datasets
      + mark + number(base) + number(0)
  }

  /// A trailer of FotoStation: 1 is IPTC, 3 a preview.
  private static func fotoStation(_ type: Int, _ data: [UInt8]) -> [UInt8] {
    data + big(type, 2) + big(data.count + 10) + [0xA1, 0xB2, 0xC3, 0xD4]
  }

  private static func described(_ bytes: [UInt8]) throws -> Facts {
    try withSource(bytes) { try MetadataReader.describedFacts(of: $0, format: .jpeg) }
  }

  @Test("IPTC behind a picture, in a trailer of AFCP or FotoStation, is read")
  func trailers() throws {
    let picture = TinyJPEG.file()
    let end = picture.count
    let foto = Self.fotoStation(1, Self.datasets)
    let preview = Self.fotoStation(3, [1, 2, 3])
    let big = Self.concatenation(Self.datasets, at: end, isBig: true)
    let little = Self.concatenation(Self.datasets, at: end, isBig: false)
    let expected: [MetadataClass: Int] = [.location: 1, .person: 1, .time: 2]
    for trailer in [foto, foto + preview, preview + foto, big, little, big + preview] {
      let file = picture + trailer
      #expect(try strip(file, .jpeg).output == picture)
      #expect(try Self.receipt(file, .jpeg) == expected)
      let facts = try Self.described(file)
      #expect(facts.description?.dates.map(\.local) == ["2013-07-19T04:11:37"])
      // What is kept is in the output, and is not counted.
      let options = StripOptions(except: [.copyright, .creationDate])
      let (output, list) = try strip(file, .jpeg, options)
      #expect(output.contains("Xaviera") && output.contains("2013:07:19"))
      #expect(ReceiptTests.receipt(list) == [.location: 1])
      for count in 1..<trailer.count {
        let cut = picture + trailer.prefix(count)
        #expect(try strip(cut, .jpeg).output == picture, "\(count)")
      }
    }
    // Those in front of the picture come first.
    let city: [UInt8] = [0x1C, 2, 80, 0, 3] + Array("Own".utf8)
    let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(city.count)] + city
    let own = TinyJPEG.file(TinyJPEG.segment(0xED, "Photoshop 3.0\0", resource), after: foto)
    let output = try strip(own, .jpeg, StripOptions(except: [.copyright])).output
    #expect(output.contains("Own") && !output.contains("Xaviera"))
  }

  /// A heap of CIFF: data, a directory, and where that begins.
  private static func heap(_ records: [(tag: Int, value: [UInt8])], isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
      isBig ? big(value, count) : little(value, count)
    }
    var (data, directory): ([UInt8], [UInt8]) = ([], number(records.count, 2))
    for (tag, value) in records {
      directory += number(tag, 2)
      if tag & 0x4000 != 0 {
        directory += value
      } else {
        directory += number(value.count) + number(data.count)
        data += value
      }
    }
    return data + directory + number(data.count)
  }

  private static func canon(isBig: Bool) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { isBig ? big(value) : little(value) }
    let text = { (text: String) in Array(text.utf8) + [0] }
    let description = heap([(0x0805, text("A day at sea"))], isBig: isBig)
    let camera: [(tag: Int, value: [UInt8])] = [
      (0x080A, text("Canon") + text("Canon PowerShot A5")), (0x080B, text("Firmware 1.0")),
      (0x0810, text("Xaviera")), (0x2804, description),
    ]
    let properties: [(tag: Int, value: [UInt8])] = [
      (0x180E, number(932_184_000) + number(0) + number(0)),
      (0x0815, text("IMG:PowerShot A5 JPEG")), (0x2807, heap(camera, isBig: isBig)),
      (0x1804 | 0x4000, number(7) + number(0)), (0x1834 | 0x4000, number(0x101_0000) + number(0)),
    ]
    let head = Array((isBig ? "MM" : "II").utf8) + number(26) + Array("HEAPJPGM".utf8)
    return head + number(0x1_0002) + number(0) + number(0)
      + heap([(0x300A, heap(properties, isBig: isBig))], isBig: isBig)
  }

  @Test("The CIFF of an early Canon is read", arguments: [true, false])
  func canon(isBig: Bool) throws {
    let block = Self.canon(isBig: isBig)
    let file = TinyJPEG.file(TinyJPEG.segment(0xE0, "", block))
    let (output, list) = try strip(file, .jpeg)
    #expect(output == TinyJPEG.file())
    #expect(list.removedNames == ["APP0 CIFF": 1])
    #expect(try Self.receipt(file, .jpeg) == [.device: 5, .time: 1, .person: 1, .text: 1])
    let facts = try Self.described(file)
    #expect(facts.camera == "Canon PowerShot A5")
    #expect(facts.description?.dates.map(\.local) == ["1999-07-17T04:00:00"])
    let kept = try strip(file, .jpeg, StripOptions(except: [.camera, .creationDate]))
    #expect(kept.output.contains("Canon PowerShot A5"))
    #expect(kept.output.contains("1999:07:17 04:00:00"))
    #expect(ReceiptTests.receipt(kept.list) == [.device: 3, .person: 1, .text: 1])
    // A damaged block is one entry, or fewer.
    for index in block.indices {
      var damaged = block
      damaged[index] ^= 0xFF
      let bytes = TinyJPEG.file(TinyJPEG.segment(0xE0, "", damaged))
      #expect(try strip(bytes, .jpeg).output == TinyJPEG.file(), "\(index)")
      _ = try Self.described(bytes)
    }
  }

  @Test("A second Exif block counts by its tags, also behind a scan; the first gives the facts")
  func secondBlock() throws {
    let block = { (make: String) in
      TinyJPEG.segment(0xE1, "Exif\0\0", TinyTIFF.block([.text(0x010F, make)]))
    }
    let place = TinyJPEG.segment(0xE1, "Exif\0\0", Self.exif(isBig: true, type: 4, width: 4))
    for file in [
      TinyJPEG.file(block("First") + place),
      TinyJPEG.file(block("First"), scan: TinyJPEG.scan + place),
    ] {
      #expect(try Self.receipt(file, .jpeg) == [.device: 1, .location: 4, .time: 1])
      let facts = try facts(of: file)
      #expect(facts.camera == "First")
      let described = withSource(file) { MetadataReader.description(of: $0, format: .jpeg) }
      #expect(described.place == nil)
    }
  }

  @Test("Each ExtendedXMP is put together, in whatever order its parts stand")
  func extended() throws {
    let packet = { (property: String, value: String) in
      Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(property)="\(value)"/></rdf:RDF>\
        </x:xmpmeta>
        """.utf8
      )
    }
    let part = { (packet: [UInt8], digest: String, range: Range<Int>) in
      TinyJPEG.segment(
        0xE1,
        "http://ns.adobe.com/xmp/extension/\0" + String(repeating: digest, count: 32),
        big(packet.count) + big(range.lowerBound) + packet[range]
      )
    }
    let (first, second) = (packet("pdf:Producer", "Quill 2"), packet("photoshop:City", "Ullapool"))
    let parts = [
      part(first, "A", 100..<first.count), part(second, "B", 0..<second.count),
      part(first, "A", 0..<100),
    ]
    for segments in [parts, parts.reversed()] {
      let file = TinyJPEG.file(segments.flatMap { $0 })
      #expect(try Self.receipt(file, .jpeg) == [.device: 1, .location: 1])
    }
    let gap = TinyJPEG.file(part(first, "A", 100..<first.count))
    #expect(try Self.receipt(gap, .jpeg) == [:])
    #expect(MetadataTag.of(path: "APP1 XMP/pdf:Creator").metadataClass == .device)
  }
}
