import Foundation
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

  private static let embeddedFacts = EmbeddedFacts(
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
    _ facts: EmbeddedFacts = embeddedFacts
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
    let metadata = withSource(copy) { JPEGMetadata.find(in: $0) }
    #expect(metadata.xmp?.caption == "new" && metadata.xmp?.rating == 4)
    #expect(metadata.exif?.creationDate?.local == "2019-07-04T10:15:30")
    #expect(metadata.exif?.creationDate?.offsetMinutes == 120)
    #expect(metadata.exif?.location?.latitude == 481_361_000)
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
    var later = Self.embeddedFacts
    later.date?.local = "2020-01-02T03:04:05"
    let shifted = try embedded(copy, .jpeg, later)
    let date = withSource(shifted) { JPEGMetadata.find(in: $0) }.exif?.creationDate
    #expect(date?.local == "2020-01-02T03:04:05")
  }

  @Test("A place gets into an Exif block that is there, of which no other byte moves")
  func exif() throws {
    var kept = KeptMetadata()
    (kept.make, kept.caption) = ("Camera", "A text that has room of its own")
    kept.creationDate = CaptureDate(local: "2018-01-01T00:00:00", offsetMinutes: 60, tag: "")
    let bare = try #require(ExifWriter.block(orientation: 6, kept: kept))
    kept.location = Coordinate(latitude: 10, longitude: 20, altitudeMillimeters: 35_000)
    let placed = try #require(ExifWriter.block(orientation: 6, kept: kept))
    for (block, altitude) in [(bare, nil), (placed, nil)] as [([UInt8], Int?)] {
      let changed = try FactEmbedder.exif(block, Self.embeddedFacts)
      let values = try #require(
        TIFFBlock(ByteSource(changed), 0..<changed.count).map { ExifHandle($0).values }
      )
      #expect(values.location?.latitude == 481_361_000)
      #expect(values.location?.longitude == -115_000_000)
      #expect(values.location?.altitudeMillimeters == altitude)
      #expect(values.make == "Camera" && values.caption == kept.caption)
      #expect(values.creationDate?.local == "2019-07-04T10:15:30")
      #expect(values.creationDate?.offsetMinutes == 120)
      // The offset of a directory is all that differs besides the date.
      let differing = block.indices.filter { block[$0] != changed[$0] }
      #expect(changed.count > block.count && differing.count < 4 + 19 + 6, "\(differing)")
      // What says the place already stays as it is.
      #expect(try FactEmbedder.exif(changed, Self.embeddedFacts) == changed)
      let copy = try embedded(TinyJPEG.file(exifSegment(block)), .jpeg)
      let metadata = withSource(copy) { JPEGMetadata.find(in: $0) }
      #expect(metadata.exif?.location == values.location && metadata.exif?.make == "Camera")
      #expect(metadata.xmp?.caption == "new")
    }
    // One that would not fit into its segment keeps its place, and the packet has it.
    let long = bare + [UInt8](repeating: 0, count: 65_500 - bare.count)
    let copy = try embedded(TinyJPEG.file(exifSegment(long)), .jpeg)
    let metadata = withSource(copy) { JPEGMetadata.find(in: $0) }
    #expect(metadata.exif?.location == nil && metadata.exif?.creationDate?.offsetMinutes == 120)
    for text in [[], Array("II*".utf8), Array(bare.prefix(30))] {
      _ = code { _ = try FactEmbedder.exif(text, Self.embeddedFacts) }
    }
  }

  @Test("A day alone takes the place of another day, and of no time of the same one")
  func day() throws {
    var kept = KeptMetadata()
    kept.creationDate = CaptureDate(local: "2019-07-04T10:00:00", offsetMinutes: 120, tag: "")
    let block = try #require(ExifWriter.block(orientation: 1, kept: kept))
    func changed(_ day: String) throws -> [UInt8] {
      let date = CaptureDate(local: day, offsetMinutes: nil, tag: "")
      return try FactEmbedder.exif(block, EmbeddedFacts(packet: Self.packet, date: date))
    }
    #expect(try changed("2019-07-04") == block)
    let other = try changed("2020-01-05")
    #expect(other.contains("2020:01:05   :  :  \0") && other.contains("      \0"))
    #expect(other.count == block.count && !other.contains("+02:00"))
  }

  private func exifSegment(_ block: [UInt8]) -> [UInt8] {
    JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + block)
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
      for output in [copy, twice] {
        let metadata = withSource(output) { source in
          switch format {
          case .png: PNGMetadata.find(in: source)
          case .webp: WebPMetadata.find(in: source)
          default: TIFFMetadata.find(in: source)
          }
        }
        #expect(metadata.xmp?.caption == "new" && metadata.xmp?.rating == 4, "\(format)")
        #expect(try facts(of: output).pixelSize == facts(of: bytes).pixelSize, "\(format)")
        if format == .tiff { #expect(metadata.exif?.location?.latitude == 481_361_000) }
      }
    }
    #expect(code { _ = try embedded(png, .gif) } == .stripUnsupported)
    #expect(code { _ = try embedded(Array(png.prefix(40)), .png) } == .damaged)
    #expect(code { _ = try embedded(TinyBigTIFF.file(.little), .tiff) } == .stripUnsupported)
  }

  /// A picture in two extents, and a smaller one in idat.
  private var heif: HEIFFixture {
    var fixture = HEIFFixture()
    fixture.properties = [TinyCoded.ispe(64, 48), TinyCoded.hvcC()]
    fixture.items = [
      .init(
        number: 1,
        type: "hvc1",
        data: TinyCoded.nal(19, [1, 2, 3, 4, 5]),
        properties: [1, -2],
        extents: 2
      ),
      .init(
        number: 3,
        type: "hvc1",
        data: TinyCoded.nal(19, [6, 7]),
        properties: [1, -2],
        isHidden: true,
        method: 1
      ),
    ]
    fixture.references = [("thmb", 3, [1])]
    fixture.behind = isoBox("free", [1, 2, 3])
    return fixture
  }

  /// The types and bytes of the items of a HEIC, by their numbers.
  private func items(_ bytes: [UInt8]) throws -> [Int: (type: String, data: [UInt8])] {
    try withSource(bytes) { source in
      let box = try #require(try HEIFContainer(of: source).meta)
      let meta = try HEIFMetaReader.read(box.body, of: source)
      return Dictionary(
        uniqueKeysWithValues: meta.items.map {
          let data = HEIFDescriptionItems.data(of: $0, in: source) ?? []
          return ($0.identifier, ($0.type.displayName, data))
        }
      )
    }
  }

  @Test("A HEIC gets items of its own, and every other item keeps its number and bytes")
  func insertsItems() throws {
    let bytes = heif.bytes
    let before = try items(bytes)
    let copy = try embedded(bytes, .heic)
    let after = try items(copy)
    #expect(after.keys.sorted() == [1, 2, 3, 4])
    #expect(after[2]?.type == "Exif" && after[4]?.type == "mime")
    for number in [1, 3] { #expect(after[number]?.data == before[number]?.data) }
    let metadata = withSource(copy) { HEIFMetadata.find(in: $0) }
    #expect(metadata.xmp?.caption == "new" && metadata.xmp?.rating == 4)
    #expect(metadata.exif?.creationDate?.local == "2019-07-04T10:15:30")
    #expect(metadata.exif?.location?.latitude == 481_361_000)
    #expect(copy.suffix(11) == bytes.suffix(11))
    // A second embedding takes the place of the first.
    var later = Self.embeddedFacts
    later.date?.local = "2020-01-02T03:04:05"
    later.place = MediaDescription.Place(latitude: 1, longitude: 2)
    let twice = try embedded(copy, .heic, later)
    #expect(try items(twice).mapValues { $0.type } == after.mapValues { $0.type })
    let second = withSource(twice) { HEIFMetadata.find(in: $0) }
    #expect(second.exif?.creationDate?.local == "2020-01-02T03:04:05")
    #expect(second.exif?.location?.longitude == 2)
    #expect(second.xmp?.caption == "new")
  }

  @Test("A HEIC with a sequence, or an item that is not in it, is refused, and one cut anywhere")
  func refusesHEIC() throws {
    var sequence = heif
    sequence.moov = { _ in isoBox("moov", []) }
    #expect(code { _ = try embedded(sequence.bytes, .heic) } == .stripUnsupported)
    let bytes = heif.bytes
    let end = bytes.count - 11
    for count in 0..<end {
      #expect(code { _ = try embedded(Array(bytes.prefix(count)), .heic) } != nil, "\(count)")
    }
  }

  @Test("A film gets keys, and a box at its end; an earlier one becomes free space as long as it")
  func movie() throws {
    let index = ISOWriter.box("mfra", [0, 0, 0, 0])
    let bytes: [UInt8] = ISOWriter.box("moov", []) + ISOWriter.box("mdat", [1, 2, 3])
    func edited(_ bytes: [UInt8]) throws -> [UInt8] {
      let list = try withSource(bytes) {
        try FactEmbedder.movie($0, Self.embeddedFacts).editList(of: $0)
      }
      return apply(list, to: bytes)
    }
    let box = ISOWriter.box("uuid", MovieFile.xmpIdentifier + Self.packet)
    let keys = try #require(
      withSource([]) { MovieDescription.box(of: Self.embeddedFacts, into: nil, of: $0) }
    )
    // What has no table of offsets cannot grow ahead of the samples.
    let moved: [UInt8] = ISOWriter.box("free", []) + ISOWriter.box("mdat", [1, 2, 3])
    let moov = ISOWriter.box("moov", keys)
    let once = try edited(bytes)
    let expectedOnce: [UInt8] = moved + moov + box
    #expect(once == expectedOnce)
    // Nothing of the earlier packet is left in it.
    let length = MovieFile.xmpIdentifier.count + Self.packet.count
    let free = ISOWriter.box("free", [UInt8](repeating: 0, count: length))
    let twice = try edited(once)
    let freed: [UInt8] = moved + moov + free
    #expect(Array(twice.prefix(freed.count)) == freed)
    #expect(twice.count > once.count)
    let expected: [UInt8] = bytes + box + index
    #expect(try edited(bytes + index) == expected)
    let ends: [[UInt8]] = [[0, 0, 0, 0] + Array("mdat".utf8), [0, 0, 1]]
    for end in ends {
      #expect(code { _ = try edited(bytes + end) } == .stripUnsupported)
    }
  }

  @Test("Keys of a film take the values of the facts, and the others stay")
  func movieKeys() throws {
    var kept = KeptMetadata()
    (kept.make, kept.caption, kept.contentIdentifier) = ("Camera", "old", "11-22")
    kept.location = Coordinate(latitude: 10_000_000, longitude: 20_000_000)
    let ends: [[UInt8]] = [[], ISOWriter.box("udta", []), [0, 0, 0, 0]]
    for end in ends {
      let body = MovieDescription(kept).box + end
      let (movie, samples) = (ISOWriter.box("moov", body), ISOWriter.box("mdat", [1]))
      for bytes in [movie + samples, samples + movie] {
        let list = try withSource(bytes) {
          try FactEmbedder.movie($0, Self.embeddedFacts).editList(of: $0)
        }
        let copy = apply(list, to: bytes)
        let values = withSource(copy) { source in
          ISOBoxes.first("moov", in: 0..<source.length, of: source).map { moov in
            (moov: moov, boxes: Array(ISOBoxes(source, in: moov.body)).map(\.type))
          }
        }
        #expect(values?.boxes.first == "meta")
        #expect(copy.contains("+48.1361000-011.5000000/") && copy.contains("Camera"))
        #expect(copy.contains("11-22") && copy.contains("2019-07-04T10:15:30+0200"))
        // An index ahead of the samples is left as free space, with all that it said.
        let moov = values?.moov.range ?? 0..<0
        #expect(!Array(copy[moov]).contains("+01.0000000") && !Array(copy[moov]).contains("old"))
      }
    }
  }

  private func filmCopy(
    _ bytes: [UInt8],
    _ facts: EmbeddedFacts = embeddedFacts
  ) throws -> (bytes: [UInt8], boxes: [FourCharacterCode]) {
    let list = try withSource(bytes) { try FactEmbedder.movie($0, facts).editList(of: $0) }
    let copy = apply(list, to: bytes)
    return (copy, withSource(copy) { ISOBoxes($0, in: 0..<$0.length).map(\.type) })
  }

  @Test(
    "An index ahead of the samples stays there, and leads to the same samples",
    arguments: [false, true]
  )
  func indexAhead(isLong: Bool) throws {
    var film = TinyMovie.film
    (film.isMovieFirst, film.isLong, film.slack) = (true, isLong, [9, 9])
    film.behind = isoBox("skip", [1])
    let samples = MovieReader(film.bytes).samples
    #expect(samples.values.allSatisfy { !$0.isEmpty })
    let once = try filmCopy(film.bytes)
    #expect(once.boxes == ["ftyp", "moov", "mdat", "skip", "uuid"])
    #expect(once.bytes.contains("+48.1361000-011.5000000/"))
    #expect(MovieReader(once.bytes).samples == samples)
    // Keys that are there already give way.
    var later = Self.embeddedFacts
    later.date?.local = "2020-01-02T03:04:05"
    let twice = try filmCopy(once.bytes, later)
    #expect(twice.bytes.contains("2020-01-02T03:04:05"))
    #expect(twice.boxes == ["ftyp", "moov", "mdat", "skip", "free", "uuid"])
    #expect(MovieReader(twice.bytes).samples == samples)
  }

  @Test(
    "ffmpeg reads the same samples of a film whose index is ahead of them",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
  )
  func samplesOfIndexAhead() throws {
    let folder = TemporaryFolder()
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Manifests/media/DCIM/100MEDIA/MOV_0010.MP4").path
    let (before, after) = ("\(folder.path)/before.mp4", "\(folder.path)/after.mp4")
    let quiet = ["-nostdin", "-v", "error"]
    let arguments = ["-i", sample, "-c", "copy", "-movflags", "+faststart", before]
    #expect(try Tool.run("ffmpeg", quiet + arguments).status == 0)
    let copy = try embedded(try readBytes(before), .mp4)
    try Data(copy).write(to: URL(fileURLWithPath: after))
    let boxes = withSource(copy) { ISOBoxes($0, in: 0..<$0.length).map(\.type) }
    #expect(boxes == ["ftyp", "moov", "free", "mdat", "uuid"])
    let sums = try [before, after].map { path in
      let options = ["-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"]
      return try Tool.run("ffmpeg", quiet + options).output
    }
    #expect(sums[0] == sums[1] && sums[0].contains("SHA256"))
  }

  @Test("An index whose offsets cannot grow moves behind the samples")
  func indexMoves() throws {
    var film = TinyMovie.film
    film.isMovieFirst = true
    var (elsewhere, auxiliary) = (film, film)
    elsewhere.tracks[0].url = Array("file:///other.mov".utf8)
    auxiliary.tracks[0].inTable = isoFullBox("saio", big(1) + big(40))
    var cut = film.bytes
    let table = try #require(Data(cut).range(of: Data("stco".utf8))).upperBound
    cut.replaceSubrange((table + 8)..<(table + 12), with: [0xFF, 0xFF, 0xFF, 0xF0])
    var inside = film.bytes
    inside.replaceSubrange((table + 8)..<(table + 12), with: big(60))
    var counted = film.bytes
    counted.replaceSubrange((table + 4)..<(table + 8), with: [0x7F, 0xFF, 0xFF, 0xFF])
    for bytes in [elsewhere.bytes, auxiliary.bytes, cut, inside, counted] {
      let copy = try filmCopy(bytes)
      #expect(copy.boxes == ["ftyp", "free", "mdat", "moov", "uuid"])
      #expect(copy.bytes.count > bytes.count)
    }
    let moved = try filmCopy(auxiliary.bytes).bytes
    #expect(MovieReader(moved).samples == MovieReader(film.bytes).samples)
  }

  @Test("A film in fragments, and one whose own values have no keys, gets the packet alone")
  func withoutKeys() throws {
    let handler = ISOWriter.handler("mdir")
    let tags = ISOWriter.box("meta", [0, 0, 0, 0] + handler + ISOWriter.box("ilst", []))
    let files: [[UInt8]] = [
      ISOWriter.box("moov", ISOWriter.box("mvex", [])), ISOWriter.box("moov", tags),
      ISOWriter.box("moov", []) + ISOWriter.box("moof", []),
    ]
    for bytes in files {
      let list = try withSource(bytes) {
        try FactEmbedder.movie($0, Self.embeddedFacts).editList(of: $0)
      }
      let box = ISOWriter.box("uuid", MovieFile.xmpIdentifier + Self.packet)
      #expect(apply(list, to: bytes) == bytes + box)
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
