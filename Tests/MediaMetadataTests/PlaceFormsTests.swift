import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaModel
@testable import MediaStripping

@Suite("Places in every form, understood or not")
struct PlaceFormsTests {
  private static let new = MediaDescription.Place(latitude: -368_039_000, longitude: 1_747_264_000)

  private func description(_ bytes: [UInt8]) throws -> MediaDescription {
    let kind = try #require(format(of: bytes))
    return withSource(bytes) { MetadataReader.description(of: $0, format: kind) }
  }

  /// Whether `inspect` lists a place.
  private func isListed(_ bytes: [UInt8]) throws -> Bool {
    let kind = try #require(format(of: bytes))
    return try withSource(bytes) { try MetadataInspector.entries(of: $0, format: kind) }
      .contains { MetadataTag.of(path: $0.path).metadataClass == .location }
  }

  // MARK: Exif

  private static func fractions(_ tag: Int, _ values: [Int], type: Int = 5) -> TinyTIFF.Entry {
    TinyTIFF.Entry(
      tag: tag,
      type: type,
      count: values.count / 2,
      value: values.flatMap { big($0 & 0xFFFF_FFFF) }
    )
  }

  private static func exif(_ entries: [TinyTIFF.Entry]) -> [UInt8] {
    jpeg(exif: TinyTIFF.block([.text(0x0110, "X")], location: entries))
  }

  @Test(
    "Exif: small letters, one or two values and a sign beside its direction are read; no direction is guessed",
    arguments: [
      ("s", [36, 1, 48, 1, 1404, 100], 5, "e", true), ("S", [368039, 10_000], 5, "E", true),
      ("S", [36, 1, 48_234, 1000], 5, "E", true), ("s", [-36, 1, -48, 1, -1404, 100], 10, "E", true),
      ("S", [-36, 1, 48, 1, 1404, 100], 5, "E", true), ("N", [-36, 1, 48, 1, 1404, 100], 10, "E", false),
      ("", [36, 1, 48, 1, 1404, 100], 5, "E", false), ("X", [36, 1], 5, "E", false),
      ("S", [36, 1, 48, 1, 14, 1, 4, 1], 5, "E", false), ("S", [136, 1, 0, 1, 0, 1], 5, "E", false),
    ] as [(String, [Int], Int, String, Bool)]
  )
  func exif(south: String, latitude: [Int], type: Int, east: String, isKnown: Bool) throws {
    let file = Self.exif([
      .text(1, south), Self.fractions(2, latitude, type: type), .text(3, east),
      Self.fractions(4, [174, 1, 43, 1, 3504, 100]),
    ])
    let found = try description(file)
    #expect(found.place == (isKnown ? Self.new : nil))
    #expect(try found.statesPlace && statesPlace(file) && isListed(file))
    // What is read is what strip keeps and `inspect` calls kept.
    let options = StripOptions(except: [.location])
    let output = try strip(file, .jpeg, options).output
    #expect(try description(output).place == (isKnown ? Self.new : nil))
    let kept = try withSource(file) { try MetadataInspector.entries(of: $0, format: .jpeg, options: options) }
      .filter { !$0.isRemoved && $0.path.contains("GPSLatitude") }
    #expect(kept.isEmpty != isKnown)
  }

  @Test(
    "Every tag of a GPS directory that says where something is counts, and what only qualifies a position does not"
  )
  func directory() throws {
    let area = TinyTIFF.Entry(tag: 28, type: 7, count: 14, value: Array("ASCII\0\0\0Rivoli".utf8))
    let blank = TinyTIFF.Entry(tag: 28, type: 7, count: 10, value: Array("ASCII\0\0\0  ".utf8))
    let said: [TinyTIFF.Entry] = [
      Self.fractions(20, [48, 1, 0, 1, 0, 1]), Self.fractions(22, [2, 1]), area, Self.fractions(6, [35, 1]),
      .text(2, "48.8"), .short(4, 7), .text(40, "somewhere"),
    ]
    for entry in said { #expect(try statesPlace(Self.exif([entry])), "\(entry.tag)") }
    let silent: [TinyTIFF.Entry] = [
      .text(1, "N"), Self.fractions(2, [0, 1, 0, 0, 0, 1]), Self.fractions(6, [0, 1]), .text(8, "07"),
      .text(9, "V"), Self.fractions(13, [5, 1]), Self.fractions(17, [270, 1]), .text(18, "WGS-84"),
      .text(19, "N"), Self.fractions(24, [90, 1]), blank, .text(29, "2024:01:01"), .text(2, " "),
      TinyTIFF.Entry(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]),
    ]
    for entry in silent { #expect(try !statesPlace(Self.exif([entry])), "\(entry.tag)") }
  }

  // MARK: XMP

  private static func packet(_ inner: String, attributes: String = "") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='\(XMPNamespace.rdf)'><r:Description
      xmlns:e='\(XMPNamespace.exif)' xmlns:p='\(XMPNamespace.photoshop)'
      xmlns:c='http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/' xmlns:i='\(XMPNamespace.iptcExtension)'
      xmlns:l='\(XMPNamespace.plus)' xmlns:d='http://www.dji.com/drone-dji/1.0/' \(attributes)>\(inner)</r:Description>
      </r:RDF></x:xmpmeta>
      """.utf8
    )
  }

  private static func picture(_ packet: [UInt8]) -> [UInt8] {
    TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, packet))
  }

  @Test(
    "XMP: its own forms, Apple's and signed degrees are read, in a picture as beside it",
    arguments: [
      ("36,48,14.04S", "174,43.584E", nil, nil, true), ("36,48.234s", "174,43,35.04e", nil, nil, true),
      ("36.8039", "174.7264", "S", "E", true), ("36.8039", "174.7264", "s", "e", true),
      ("-36.8039", "174.7264", nil, nil, true), ("-36.8039", "+174.7264", "S", "E", true),
      ("36.8039S", "174.7264E", nil, nil, true), ("36,48.234", "174,43.584", "S", "E", true),
      (" 36.8039 ", "174.7264", " S", "E ", true), ("36.8039", "174.7264", "S", nil, false),
      ("36,48.234", "174,43.584", nil, nil, false), ("-36.8039", "174.7264", "N", "E", false),
      ("36.8039", "174.7264", "X", "E", false), ("-136.8039", "174.7264", nil, nil, false),
      ("36.8039 deg", "174.7264", nil, nil, false), ("1e1", "174.7264", nil, nil, false),
    ] as [(String, String, String?, String?, Bool)]
  )
  func xmp(latitude: String, longitude: String, south: String?, east: String?, isKnown: Bool) throws {
    var attributes = "e:GPSLatitude='\(latitude)' e:GPSLongitude='\(longitude)'"
    if let south { attributes += " e:GPSLatitudeRef='\(south)'" }
    if let east { attributes += " e:GPSLongitudeRef='\(east)'" }
    let packet = Self.packet("", attributes: attributes)
    let beside = try withSource(packet) { try SidecarReader.description(of: $0, format: .xmp) }
    let file = Self.picture(packet)
    for found in [beside, try description(file)] {
      #expect(found.place == (isKnown ? Self.new : nil))
      #expect(found.statesPlace)
    }
    #expect(try isListed(file))
    let output = try strip(file, .jpeg, StripOptions(except: [.location])).output
    #expect(try description(output).place == (isKnown ? Self.new : nil))
  }

  @Test("A name of a place in XMP is one, and the address of a person is none")
  func names() throws {
    let structure = { (name: String, field: String) in
      "<\(name)><r:Bag><r:li r:parseType='Resource'>\(field)</r:li></r:Bag></\(name)>"
    }
    let said = [
      "<p:City>Essen</p:City>", "<p:State>N</p:State>", "<p:Country>FR</p:Country>",
      "<c:Location>Rue</c:Location>",
      "<c:CountryCode>FRA</c:CountryCode>", structure("i:LocationCreated", "<i:City>Paris</i:City>"),
      structure("i:LocationShown", "<i:Sublocation>Rue</i:Sublocation>"),
      "<e:GPSDestLatitude>48,1N</e:GPSDestLatitude>",
      "<e:GPSAreaInformation>Rivoli</e:GPSAreaInformation>", "<d:GpsLatitude>48.1</d:GpsLatitude>",
      "<e:GPSLatitude>48,51.5N</e:GPSLatitude>", structure("i:Other", "<i:City>Paris</i:City>"),
    ]
    for inner in said {
      let file = Self.picture(Self.packet(inner))
      #expect(try statesPlace(file) && isListed(file), "\(inner)")
      let beside = try withSource(Self.packet(inner)) { try SidecarReader.description(of: $0, format: .xmp) }
      #expect(beside.statesPlace && beside.place == nil, "\(inner)")
    }
    let contact =
      "<c:CreatorContactInfo r:parseType='Resource'><c:CiAdrCity>Rome</c:CiAdrCity></c:CreatorContactInfo>"
    let silent = [
      "<p:City> </p:City>", "<e:GPSLatitudeRef>N</e:GPSLatitudeRef>", "<e:GPSMapDatum>WGS-84</e:GPSMapDatum>",
      "<e:GPSLatitude>0,0.0N</e:GPSLatitude><e:GPSLongitude>0,0.0E</e:GPSLongitude>", contact,
      structure("l:Licensor", "<l:LicensorCity>Rome</l:LicensorCity>"),
      structure("i:LocationShown", "<i:City/>"),
      "<e:SubjectLocation>10 20</e:SubjectLocation>", "<d:GpsLatitude>+0.00</d:GpsLatitude>",
    ]
    for inner in silent { #expect(try !statesPlace(Self.picture(Self.packet(inner))), "\(inner)") }
  }

  // MARK: Other blocks

  private static func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number] + big(text.utf8.count, 2) + Array(text.utf8)
  }

  private static func resource(_ number: Int, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + big(number, 2) + [0, 0] + big(data.count) + data + (data.count % 2 == 1 ? [0] : [])
  }

  @Test("Names in IPTC, and blocks that are not used, count as `inspect` lists them")
  func blocks() throws {
    let photoshop = { (resources: [UInt8]) in
      TinyJPEG.file(TinyJPEG.segment(0xED, JPEGMetadata.photoshopIdentifier, resources))
    }
    for number in [26, 27, 90, 92, 95, 100, 101] as [UInt8] {
      let file = photoshop(Self.resource(0x0404, Self.dataset(number, "Essen")))
      #expect(try statesPlace(file) && isListed(file), "\(number)")
      #expect(try !statesPlace(photoshop(Self.resource(0x0404, Self.dataset(number, " ")))), "\(number)")
    }
    #expect(try !statesPlace(photoshop(Self.resource(0x0404, Self.dataset(120, "Essen")))))
    let place = TinyTIFF.block([], location: [.text(1, "N"), .degrees(2), .text(3, "E"), .degrees(4)])
    let city = Self.packet("<p:City>Essen</p:City>")
    let empty = Self.packet("<p:Credit>A</p:Credit>")
    let xmp = { (packet: [UInt8]) in TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, packet) }
    let bare = TinyTIFF.block([.text(0x0110, "X")])
    let extended =
      Array(repeating: UInt8(ascii: "A"), count: 32) + big(city.count) + big(0) + city
    let texts = Array("Raw profile type iptc\0\niptc\n      10\n".utf8)
    let digits = Array(Hexadecimal.text(Self.dataset(90, "Essen")).utf8)
    for (index, file) in [
      photoshop(Self.resource(0x0422, place)), photoshop(Self.resource(0x0424, city)),
      TinyJPEG.file(xmp(empty) + xmp(city)),
      TinyJPEG.file(TinyJPEG.segment(0xE1, "Exif\0\0", bare) + TinyJPEG.segment(0xE1, "Exif\0\0", place)),
      TinyJPEG.file(TinyJPEG.segment(0xE1, "http://ns.adobe.com/xmp/extension/\0", extended)),
      TinyPNG.file(pngChunk("tEXt", Array("Location\0Essen".utf8))),
      TinyPNG.file(pngChunk("tEXt", texts + digits)),
      TinyTIFFFile.file([TinyTIFFFile.undefined(0x8482, [UInt8](repeating: 7, count: 16))]),
    ].enumerated() {
      #expect(try statesPlace(file) && isListed(file), "\(index)")
      #expect(try description(file).place == nil, "\(index)")
    }
    #expect(try !statesPlace(TinyPNG.file(pngChunk("tEXt", Array("Location\0".utf8)))))
  }

  @Test("Content credentials say a place by the names of their values")
  func credentials() throws {
    func store(_ json: String) -> [UInt8] {
      let type = Array("c2pa".utf8) + [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      return isoBox(
        "jumb",
        isoBox("jumd", type + [3] + Array("c2pa\0".utf8)) + isoBox("jumb", isoBox("json", Array(json.utf8)))
      )
    }
    for (json, isPlace) in [
      (#"{"exif:GPSLatitude":"48,51.5N"}"#, true), (#"{"exif:GPSLatitude":"","exif:Make":"X"}"#, false),
    ] {
      let store = store(json)
      let segment = TinyJPEG.segment(0xEB, "JP", [0, 1, 0, 0, 0, 1] + store)
      for file in [
        TinyJPEG.file(segment), TinyPNG.file(pngChunk("caBX", store)),
        TinyWebP.file(TinyWebP.extended(0) + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("C2PA", store)),
      ] {
        #expect(try statesPlace(file) == isPlace && isListed(file) == isPlace, "\(json)")
      }
    }
  }

  // MARK: Films and sounds

  private static func user(_ type: String, _ text: String) -> [UInt8] {
    isoBox(type, big(text.utf8.count, 2) + [0x15, 0xC7] + Array(text.utf8))
  }

  @Test(
    "ISO 6709 is read in degrees, in minutes and in seconds, with and without a height and a reference system",
    arguments: [
      ("-36.8039+174.7264/", true), ("-36.8039+174.7264+012.3/", true), ("-3648.234+17443.584/", true),
      ("-364814.04+1744335.04/", true), ("-364814.04+1744335.04+12CRSWGS_84/", true),
      ("-36.8039+174.7264", true), ("-036.8039+174.7264/", true), ("-3660.1+17443.5/", false),
      ("-364860+1744335/", false), ("-96.1+174.7/", false), ("-36.8039", false), ("north", false),
      ("-123456789+1/", false),
    ] as [(String, Bool)]
  )
  func iso6709(text: String, isKnown: Bool) throws {
    let place = isKnown ? Self.new : nil
    var film = TinyMovie.film
    for inMovie in [
      isoBox("udta", Self.user("\u{A9}xyz", text)), isoBox("udta", isoBox("\u{A9}xyz", Array(text.utf8))),
      MovieValuesTests.named([("location.ISO6709", text)]),
    ] {
      film.inMovie = inMovie
      let found = try description(film.bytes)
      #expect(found.place == place && found.statesPlace, "\(inMovie)")
      #expect(try isListed(film.bytes))
      let output = try strip(film.bytes, .mp4, StripOptions(except: [.location])).output
      #expect(try description(output).place == place)
    }
    let matroska = TinyMatroska.file(others: TinyMatroska.tag("LOCATION", Array(text.utf8)))
    let found = try description(matroska)
    #expect(found.place == place && found.statesPlace)
    #expect(try isListed(matroska))
    let options = StripOptions(except: [.location])
    let entries = try withSource(matroska) {
      try MetadataInspector.entries(of: $0, format: .mkv, options: options)
    }
    #expect(entries.first { $0.path == "Tags/LOCATION" }?.isRemoved == !isKnown)
  }

  @Test("Places of films and sounds that are not understood are places, and zeros and precision are none")
  func films() throws {
    var film = TinyMovie.film
    let loci = { (name: String, numbers: [Int]) in
      isoBox(
        "udta",
        isoFullBox("loci", [0x15, 0xC7] + Array(name.utf8) + [0, 0] + numbers.flatMap { big($0) })
      )
    }
    for (inMovie, isPlace) in [
      (loci("Sea", [65536, 65536, 0]), true), (loci("Sea", []), true), (loci("", [0, 0, 0]), false),
      (MovieValuesTests.named([("location.name", "Essen")]), true),
      (MovieValuesTests.named([("location.accuracy.horizontal", "9.66")]), false),
      (isoBox("udta", Self.user("\u{A9}xyz", "")), false),
    ] as [([UInt8], Bool)] {
      film.inMovie = inMovie
      #expect(try statesPlace(film.bytes) == isPlace, "\(inMovie)")
    }
    film.inMovie = []
    film.tracks[0].inTrak = isoBox("udta", Self.user("\u{A9}xyz", "here"))
    #expect(try statesPlace(film.bytes))
    let list = { (name: String) in
      riffChunk("LIST", Array("INFO".utf8) + riffChunk(name, Array("Essen\0".utf8)))
    }
    let comment = { (field: String) in
      TinyFLAC.file(TinyFLAC.block(4, TinyFLAC.comment([field]), isLast: true))
    }
    for (file, isPlace) in [
      (TinyWAV.file(list("IARL")), true),
      (TinyWAV.file(riffChunk("_PMX", Self.packet("<p:City>Essen</p:City>"))), true),
      (TinyWAV.file(list("INAM")), false),
      (TinyAVI.file(others: list("ICNT")), true), (comment("LOCATION=Essen"), true),
      (comment("TITLE=Essen"), false),
      (TinyMatroska.file(others: TinyMatroska.tag("RECORDING_LOCATION", Array("Essen".utf8))), true),
      (TinyMP3.frames + TinyMP3.ape([("Record Location", Array("Essen".utf8))]), true),
    ] as [([UInt8], Bool)] {
      #expect(try statesPlace(file) == isPlace)
      #expect(try isListed(file) == isPlace)
    }
  }

  // MARK: HEIF

  @Test("The Exif item of a HEIC is read without its offset, and behind a head of its own")
  func heads() throws {
    let block = TinyTIFF.block(
      [.text(0x0110, "X")],
      exif: [.text(0x9003, "2024:03:04 05:06:07")],
      location: [.text(1, "N"), .degrees(2), .text(3, "E"), .degrees(4)]
    )
    let head = Array("Exif\0\0".utf8)
    let marked = [0xFF, 0xE1] + big(8 + block.count, 2) + head
    for (index, data) in [
      block, big(0) + block, big(6) + head + block, big(0) + head + block, head + block,
      big(0) + marked + block,
      marked + block, big(10) + marked + block, big(4) + marked + block,
    ].enumerated() {
      var file = HEIFFixture()
      file.items = [
        .init(number: 1, type: "hvc1", data: [1, 2]), .init(number: 2, type: "Exif", data: data),
      ]
      file.references = [("cdsc", 2, [1])]
      let found = withSource(file.bytes) { MetadataReader.description(of: $0, format: .heic) }
      #expect(found.place?.latitude == 488_583_333, "\(index)")
      #expect(found.dates.first?.local == "2024-03-04T05:06:07", "\(index)")
    }
    #expect(HEIFDescriptionItems.block(big(2) + [1, 2, 3, 4]) == [3, 4])
    for data in [[], big(0), big(4), Array("Exif".utf8), big(0xFFFF_FFFF) + [1]] as [[UInt8]] {
      #expect(HEIFDescriptionItems.block(data) == nil)
    }
  }
}
