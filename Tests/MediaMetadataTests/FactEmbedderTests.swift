import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Facts are written into copies of files")
struct FactEmbedderTests {
  private static let packet = XMPWriter.packet(
    of: "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">new</rdf:li></rdf:Alt>"
      + "</dc:description><xmp:Rating>4</xmp:Rating>",
    namespaces: XMPWriter.namespaces(.besideExif, of: KeptMetadata())
  )

  private static let known = EmbeddedFacts(
    packet: packet,
    date: CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: 120, tag: ""),
    place: MediaDescription.Place(latitude: 481_361_000, longitude: -115_000_000)
  )

  private func merged(_ inner: String, about: String = "") -> String? {
    let packet =
      "<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(XMPNamespace.rdf)'>"
      + inner + "</rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
    return XMPMerge.merged(Self.packet, into: Array(packet.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func properties(_ packet: String?) throws -> XMPProperties {
    XMPProperties(Array(try #require(packet).utf8))
  }

  // MARK: Packets

  @Test("A property takes the place of the one of its name, in either form and under any prefix")
  func replaces() throws {
    let dublinCore = XMPNamespace.dublinCore
    for inner in [
      """
      <rdf:Description rdf:about='' xmlns:d='\(dublinCore)' xmlns:xap='\(XMPNamespace.basic)'
        xap:Rating='1' xap:Label='a &lt; b&#10;"c"'><d:description><rdf:Alt><rdf:li
        xml:lang='de'>alt</rdf:li></rdf:Alt></d:description><d:source>kept</d:source></rdf:Description>
      """,
      """
      <rdf:Description rdf:about='' xmlns='\(XMPNamespace.basic)'><Rating>1</Rating>
        <Label>a &lt; b&#10;"c"</Label></rdf:Description><rdf:Description rdf:about=''
        xmlns:dc='\(dublinCore)'><dc:description/><dc:source>kept</dc:source></rdf:Description>
      """,
    ] {
      let read = try properties(merged(inner))
      #expect(read.isWhole)
      #expect(read[XMPNamespace.basic, "Rating"] == ["4"])
      #expect(read[dublinCore, "description"] == ["new"])
      #expect(read[dublinCore, "source"] == ["kept"])
      #expect(read[XMPNamespace.basic, "Label"] == ["a < b\n\"c\""])
    }
  }

  @Test("What lies deeper keeps its name, and every byte that is not replaced stays")
  func keeps() throws {
    let inner = """
      <rdf:Description rdf:about='' xmlns:g='urn:g' xmlns:dc='\(XMPNamespace.dublinCore)'>
        <!-- a note --><g:item rdf:parseType='Resource'><dc:description>inner</dc:description></g:item>
      </rdf:Description>
      """
    let text = try #require(merged(inner))
    #expect(text.contains(inner))
    #expect(try properties(text)[XMPNamespace.basic, "Rating"] == ["4"])
  }

  @Test("What is added is about the same as what is there")
  func about() throws {
    let inner = "<rdf:Description rdf:about='uuid:1&amp;2'/><rdf:Description/>"
    let text = try #require(merged(inner))
    #expect(text.hasSuffix("</rdf:RDF></x:xmpmeta><?xpacket end='w'?>"))
    #expect(text.contains(inner + "<rdf:Description rdf:about=\"uuid:1&amp;2\" xmlns"))
    let other = try #require(merged("<rdf:Description rdf:about=''/>"))
    #expect(other.contains("<rdf:Description rdf:about=\"\" xmlns"))
    #expect(try properties(text)[XMPNamespace.basic, "Rating"] == ["4"])
  }

  @Test("A packet that cannot be changed is none")
  func refuses() {
    #expect(XMPMerge.merged(Self.packet, into: Array("<rdf:RDF".utf8)) == nil)
    #expect(XMPMerge.merged(Self.packet, into: []) == nil)
    #expect(XMPMerge.merged(Self.packet, into: [0xFF, 0xFE, 0x3C, 0]) == nil)
    #expect(merged("<rdf:Description></rdf:Wrong>") == nil)
    let other = "<r:RDF xmlns:r='\(XMPNamespace.rdf)'><r:Description/></r:RDF>"
    #expect(XMPMerge.merged(Self.packet, into: Array(other.utf8)) == nil)
    let empty = "<rdf:RDF xmlns:rdf='\(XMPNamespace.rdf)'/>"
    #expect(XMPMerge.merged(Self.packet, into: Array(empty.utf8)) == nil)
  }

  // MARK: Files

  /// The copy of a file with the facts, and what its metadata say.
  private func embedded(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ facts: EmbeddedFacts = known
  ) throws -> [UInt8] {
    let list = try withSource(bytes) {
      try FactEmbedder.editList(of: $0, format: format, facts: facts)
    }
    return apply(list, to: bytes)
  }

  @Test("A JPEG gets both segments behind its JFIF, and a second embedding replaces the packet")
  func jpeg() throws {
    let bytes = TinyJPEG.file(TinyJPEG.jfif)
    let copy = try embedded(bytes, .jpeg)
    let found = withSource(copy) { JPEGMetadata.find(in: $0) }
    #expect(found.xmp?.caption == "new" && found.xmp?.rating == 4)
    #expect(found.exif?.creationDate?.local == "2019-07-04T10:15:30")
    #expect(found.exif?.creationDate?.offsetMinutes == 120)
    #expect(found.exif?.location?.latitude == 481_361_000)
    // Only what was inserted differs.
    let head = 2 + TinyJPEG.jfif.count
    #expect(copy.prefix(head) == bytes.prefix(head))
    #expect(copy.suffix(bytes.count - head) == bytes.suffix(bytes.count - head))
    let again = try embedded(copy, .jpeg)
    #expect(again.count >= copy.count)
    let packets = withSource(again) { source in
      JPEGSegments(source).count {
        source.holds(JPEGMetadata.xmpIdentifier, at: $0.body.lowerBound)
      }
    }
    #expect(packets == 1)
    // A date that is there is changed where it stands.
    var later = Self.known
    later.date?.local = "2020-01-02T03:04:05"
    let shifted = try embedded(copy, .jpeg, later)
    let date = withSource(shifted) { JPEGMetadata.find(in: $0) }.exif?.creationDate
    #expect(date?.local == "2020-01-02T03:04:05")
  }

  @Test("A segment that ends before the name of an index, which stands behind it, is no index")
  func shortIndex() throws {
    let bytes = TinyJPEG.file([0xFF, 0xE2, 0, 2] + Array("MPF\0".utf8))
    let copy = try embedded(bytes, .jpeg)
    #expect(withSource(copy) { JPEGMetadata.find(in: $0) }.xmp?.caption == "new")
    #expect(withSource(copy) { JPEGGainMap.find(in: $0, behind: $0.length) } == nil)
  }

  @Test("A PNG, a WebP without an extended header and a TIFF get the packet, and stay whole")
  func others() throws {
    let png = TinyPNG.file()
    let files: [(MediaFormat, [UInt8])] = [
      (.png, png), (.webp, TinyWebP.simple),
      (.webp, TinyWebP.file(TinyWebP.extended(0) + riffChunk("VP8L", TinyWebP.lossless))),
      (.tiff, TinyTIFFFile.file()),
    ]
    for (format, bytes) in files {
      let copy = try embedded(bytes, format)
      let twice = try embedded(copy, format)
      for made in [copy, twice] {
        let found = withSource(made) { source in
          switch format {
          case .png: PNGMetadata.find(in: source)
          case .webp: WebPMetadata.find(in: source)
          default: TIFFMetadata.find(in: source)
          }
        }
        #expect(found.xmp?.caption == "new" && found.xmp?.rating == 4, "\(format)")
        #expect(try facts(of: made).pixelSize == facts(of: bytes).pixelSize, "\(format)")
      }
    }
    #expect(code { _ = try embedded(png, .gif) } == .stripUnsupported)
    #expect(code { _ = try embedded(Array(png.prefix(40)), .png) } == .damaged)
    #expect(code { _ = try embedded(TinyBigTIFF.file(.little), .tiff) } == .stripUnsupported)
  }

  @Test("A film gets a box at its end, and an earlier one becomes free space of the same length")
  func movie() throws {
    let index = ISOWriter.box("mfra", [0, 0, 0, 0])
    let bytes: [UInt8] = ISOWriter.box("moov", []) + ISOWriter.box("mdat", [1, 2, 3])
    func edited(_ bytes: [UInt8]) throws -> [UInt8] {
      let list = try withSource(bytes) { try FactEmbedder.movie($0, Self.known).editList(of: $0) }
      return apply(list, to: bytes)
    }
    let box = ISOWriter.box("uuid", MovieFile.xmpIdentifier + Self.packet)
    let once = try edited(bytes)
    #expect(once == bytes + box)
    let free = ISOWriter.box("free", MovieFile.xmpIdentifier + Self.packet)
    let twice = try edited(once)
    let freed: [UInt8] = bytes + free
    #expect(Array(twice.prefix(freed.count)) == freed)
    #expect(twice.count > once.count)
    let expected: [UInt8] = bytes + box + index
    #expect(try edited(bytes + index) == expected)
    let ends: [[UInt8]] = [[0, 0, 0, 0] + Array("mdat".utf8), [0, 0, 1]]
    for end in ends {
      #expect(code { _ = try edited(bytes + end) } == .stripUnsupported)
    }
  }

  @Test("A file that is cut at any byte is refused or written, and ends no process")
  func cut() throws {
    let bytes = try embedded(TinyJPEG.file(), .jpeg)
    for count in 0..<bytes.count {
      _ = code { _ = try embedded(Array(bytes.prefix(count)), .jpeg) }
    }
    let tiff = TinyTIFFFile.file()
    for count in 0..<tiff.count {
      _ = code { _ = try embedded(Array(tiff.prefix(count)), .tiff) }
    }
  }
}
