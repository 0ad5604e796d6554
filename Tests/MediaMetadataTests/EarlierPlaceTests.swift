import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaModel
@testable import MediaStripping

@Suite("A place that is written leaves nothing of an earlier one beside it")
struct EarlierPlaceTests {
  private static let place = MediaDescription.Place(latitude: 481_361_000, longitude: -115_000_000)
  private static let embeddedFacts = EmbeddedFacts(
    packet: XMPWriter.packet(
      of:
        "<exif:GPSLatitude>48,8.166000N</exif:GPSLatitude><exif:GPSLongitude>11,30.000000W</exif:GPSLongitude>",
      namespaces: [("exif", XMPNamespace.exif)]
    ),
    place: place
  )

  private func embedded(_ bytes: [UInt8]) throws -> [UInt8] {
    let kind = try #require(format(of: bytes))
    let list = try withSource(bytes) {
      try FactEmbedder.editList(of: $0, format: kind, facts: Self.embeddedFacts)
    }
    return apply(list, to: bytes)
  }

  private static func fractions(_ tag: Int, _ values: Int...) -> TinyTIFF.Entry {
    TinyTIFF.Entry(tag: tag, type: 5, count: values.count / 2, value: values.flatMap { big($0) })
  }

  /// An Exif block with all that a camera writes of a place; at the place itself, or elsewhere.
  private static func block(isSame: Bool) -> [UInt8] {
    let latitude = isSame ? fractions(2, 48, 1, 8, 1, 996, 100) : fractions(2, 10, 1, 0, 1, 0, 1)
    let longitude = isSame ? fractions(4, 11, 1, 30, 1, 0, 1) : fractions(4, 20, 1, 0, 1, 0, 1)
    return TinyTIFF.block(
      [.text(0x0110, "X")],
      location: [
        .text(1, "n"), latitude, .text(3, isSame ? "w" : "e"), longitude, fractions(6, 35, 1),
        fractions(7, 8, 1, 15, 1, 30, 1), .text(9, "V"), fractions(17, 270, 1), .text(18, "TOKYO"),
        .text(19, "S"), fractions(20, 1, 1), .text(29, "2019:07:04"),
      ]
    )
  }

  private func tags(_ block: [UInt8]) throws -> Set<Int> {
    let tiff = try #require(TIFFBlock(ByteSource(block), 0..<block.count))
    var tags: Set<Int> = []
    tiff.forEachEntry(ofDirectoryAt: try #require(tiff.pointer(0x8825))) { tags.insert($0.tag) }
    return tags
  }

  @Test("Exif keeps the time of the fix and the direction of the camera; at the same place it stays as it is")
  func exif() throws {
    let changed = try FactEmbedder.exif(Self.block(isSame: false), Self.embeddedFacts)
    #expect(try tags(changed) == [0, 1, 2, 3, 4, 7, 17, 29])
    let same = Self.block(isSame: true)
    #expect(try FactEmbedder.exif(same, Self.embeddedFacts) == same)
    // A segment that cannot grow says no place; the packet does.
    let block = Self.block(isSame: false)
    let full = block + [UInt8](repeating: 0, count: 65_500 - block.count)
    let file = jpeg(exif: full)
    let copy = try embedded(file)
    let found = withSource(copy) { JPEGMetadata.find(in: $0) }
    #expect(found.exif?.location == nil && found.xmp?.location?.latitude == 481_361_000)
    #expect(found.merged.location?.longitude == -115_000_000)
  }

  @Test("Exif blocks of a PNG and a WebP get the place too, and their pictures stay")
  func pictures() throws {
    let block = Self.block(isSame: false)
    for file in [
      jpeg(exif: block), TinyPNG.file(pngChunk("eXIf", block)),
      TinyWebP.file(
        TinyWebP.extended(0x08) + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("EXIF", block)
      ),
    ] {
      let kind = try #require(format(of: file))
      for copy in [try embedded(file), try embedded(embedded(file))] {
        let found = try withSource(copy) { source in
          let metadata = try #require(FormatReader.of(kind).found(of: source))
          return (metadata.exif?.location, metadata.xmp?.location)
        }
        #expect(found.0?.latitude == 481_361_000 && found.1?.latitude == 481_361_000, "\(kind)")
        #expect(found.0?.altitudeMillimeters == nil, "\(kind)")
        #expect(try facts(of: copy).pixelSize == facts(of: file).pixelSize, "\(kind)")
      }
    }
  }

  @Test("XMP loses directions of their own, and what qualifies another place; names of places stay")
  func xmp() throws {
    func properties(_ latitude: String, _ longitude: String) throws -> XMPProperties {
      let own = """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(XMPNamespace.rdf)'><rdf:Description
        xmlns:e='\(XMPNamespace.exif)' xmlns:p='\(XMPNamespace.photoshop)'
        xmlns:d='http://www.dji.com/drone-dji/1.0/' e:GPSLatitude='\(latitude)'
        e:GPSLatitudeRef='N' e:GPSLongitude='\(longitude)' e:GPSLongitudeRef='W' e:GPSAltitude='35/1'
        e:GPSDestLatitude='1,0N' e:GPSTimeStamp='2019-07-04T08:15:30Z' p:City='Essen' d:GpsLatitude='1.5'/>
        </rdf:RDF></x:xmpmeta>
        """
      let file = TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, Array(own.utf8)))
      let copy = try embedded(file)
      let packet = try withSource(copy) { source in
        let segment = try #require(
          JPEGSegments(source).first { source.holds(JPEGMetadata.xmpIdentifier, at: $0.body.lowerBound) }
        )
        return try #require(
          source.bytes(in: segment.body.dropFirst(JPEGMetadata.xmpIdentifier.utf8.count), limit: 1 << 16)
        )
      }
      return XMPProperties(packet)
    }
    for (latitude, longitude, isSame) in [("48.1361", "11.5", true), ("40.6892", "74.0445", false)] {
      let found = try properties(latitude, longitude)
      #expect(found[XMPNamespace.exif, "GPSLatitude"] == ["48,8.166000N"])
      #expect(
        found[XMPNamespace.exif, "GPSLatitudeRef"].isEmpty
          && found[XMPNamespace.exif, "GPSLongitudeRef"].isEmpty
      )
      for name in ["GPSAltitude", "GPSDestLatitude"] {
        #expect(found[XMPNamespace.exif, name].isEmpty != isSame, "\(name)")
      }
      #expect(found["http://www.dji.com/drone-dji/1.0/", "GpsLatitude"].isEmpty != isSame)
      #expect(found[XMPNamespace.exif, "GPSTimeStamp"].count == 1)
      #expect(found[XMPNamespace.photoshop, "City"] == ["Essen"])
    }
  }

  @Test(
    "A film loses the places in its user data, and keys that qualify another place",
    arguments: [true, false]
  )
  func movie(isMovieFirst: Bool) throws {
    func film(_ text: String) -> [UInt8] {
      var film = TinyMovie.film
      film.isMovieFirst = isMovieFirst
      film.inMovie =
        isoBox(
          "udta",
          isoBox("\u{A9}xyz", big(text.utf8.count, 2) + [0x15, 0xC7] + Array(text.utf8)),
          isoBox("\u{A9}nam", big(1, 2) + [0x15, 0xC7, 0x41])
        )
        + MovieValuesTests.named([
          ("location.ISO6709", text), ("location.accuracy.horizontal", "9.66"), ("make", "Maker"),
        ])
      return film.bytes
    }
    for (text, isSame) in [("+48.1361-011.5/", true), ("+10.0000+020.0000/", false)] {
      let file = film(text)
      let copy = try embedded(file)
      let values = withSource(copy) { MovieValues.all(in: $0) }
      #expect(values.location?.longitude == -115_000_000 && values.make == "Maker" && values.title == "A")
      #expect(copy.contains("\u{A9}xyz".unicodeScalars.map { UInt8($0.value) }) == isSame)
      #expect(copy.contains("9.66") == isSame)
      #expect(try facts(of: copy).pixelSize == facts(of: file).pixelSize)
      #expect(withSource(copy) { Completeness.missingPart(of: $0, format: .mp4) } == nil)
    }
  }
}

extension FormatReader {
  /// The blocks of a picture.
  fileprivate func found(of source: ByteSource) -> FoundMetadata? {
    if case .blocks(let find) = metadata { find(source, true) } else { nil }
  }
}
