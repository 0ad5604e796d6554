import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Blocks of metadata with a text in each place, in files of which `except` keeps one kind of values: the text stays
/// where it is such a value, and nowhere else.
enum PlantedBlocks {
  private static let text = PlantedPlaces.text
  private static let words: [MetadataException?] =
    [nil]
    + MetadataException.allCases.filter {
      $0 != .contentCredentials
    }

  static var targets: [PlantedTarget] { exif + packets + datasets + userData + soundTags }

  /// A target for each word, which lets stay what `values` has of it.
  private static func targets(
    _ name: String,
    _ format: MediaFormat,
    _ bytes: [UInt8],
    _ values: [MetadataException: Set<String>],
    _ inner: @escaping @Sendable () -> [PlantedPlaces.Plant]
  ) -> [PlantedTarget] {
    words.map { word in
      let staying = word.flatMap { values[$0] } ?? []
      return PlantedTarget(
        description: "\(name) in \(format), \(word?.rawValue ?? "nothing kept")",
        format: format,
        bytes: bytes,
        options: StripOptions(except: word.map { [$0] } ?? []),
        inner: inner,
        mayStay: { plant in staying.contains { plant.name.hasPrefix($0) } }
      )
    }
  }

  private static func plant(_ path: String, _ operation: String, _ make: @escaping () -> [UInt8]?)
    -> PlantedPlaces.Plant
  {
    PlantedPlaces.Plant(path: path, operation: operation, make: make)
  }

  // MARK: Exif

  private typealias T = TinyTIFFFile

  /// Directories of a picture, its camera, its place, its interoperability and its preview, with unused bytes between
  /// their values and behind them.
  private static let block: [UInt8] = {
    let unused = [UInt8](repeating: 0, count: 40)
    let note =
      Array("Apple iOS\0\0\u{1}MM".utf8) + [0, 1] + [0, 1, 0, 9, 0, 0, 0, 1] + big(7) + big(0) + unused
    func degrees(_ values: [Int]) -> [UInt8] { values.flatMap { little($0) + little(1) } }
    func length(_ entries: [T.Entry]) -> Int { T.directory(entries, at: 0).count }
    func image(_ camera: Int, _ place: Int) -> [T.Entry] {
      [
        T.short(0x0112, 6), T.undefined(0x0132, Array("2024:01:02 03:04:05\0".utf8), type: 2),
        T.long(0x8769, camera),
        T.long(0x8825, place),
      ]
    }
    func camera(_ other: Int) -> [T.Entry] {
      [
        T.undefined(0x9003, Array("2024:01:02 03:04:05\0".utf8), type: 2), T.undefined(0x927C, note),
        T.long(0xA005, other), T.short(0xA001, 1), T.undefined(0x9000, Array("0232".utf8)),
      ]
    }
    let place: [T.Entry] = [
      T.undefined(1, Array("N\0".utf8), type: 2), (2, 5, 3, degrees([48, 8, 13])),
      T.undefined(3, Array("E\0".utf8), type: 2), (4, 5, 3, degrees([11, 34, 30])), (6, 5, 1, degrees([520])),
    ]
    let other: [T.Entry] = [T.undefined(1, Array("R98\0".utf8), type: 2), T.undefined(2, Array("0100".utf8))]
    let preview = TinyJPEG.file()
    let start = 8 + unused.count
    let cameraAt = start + length(image(0, 0)) + unused.count
    let placeAt = cameraAt + length(camera(0)) + unused.count
    let otherAt = placeAt + length(place) + unused.count
    let nextAt = otherAt + length(other)
    func next(_ at: Int) -> [T.Entry] {
      [T.short(0x0103, 6), T.long(0x0201, at), T.long(0x0202, preview.count)]
    }
    let previewAt = nextAt + length(next(0))
    return Array("II".utf8) + [42, 0] + little(start) + unused
      + T.directory(image(cameraAt, placeAt), at: start, next: nextAt) + unused
      + T.directory(camera(otherAt), at: cameraAt) + unused + T.directory(place, at: placeAt) + unused
      + T.directory(other, at: otherAt) + T.directory(next(previewAt), at: nextAt) + preview + unused
  }()

  private static let exifHosts: [(MediaFormat, @Sendable ([UInt8]) -> [UInt8])] = [
    (.jpeg, { jpeg(exif: $0) }), (.png, { TinyPNG.file(pngChunk("eXIf", $0)) }),
    (
      .webp,
      {
        TinyWebP.file(TinyWebP.extended(0x08) + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("EXIF", $0))
      }
    ),
    (.jxl, { TinyJXL.file(isoBox("Exif", [0, 0, 0, 0] + $0)) }),
    (.jp2, { TinyJP2.file(isoBox("uuid", Array("JpgTiffExif->JP2".utf8) + $0)) }),
    (
      .heic,
      { block in
        var file = HEIFFixture()
        file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(64, 64)]
        file.items = [
          .init(number: 1, type: "hvc1", data: TinyCoded.nal(19, [1, 2, 3]), properties: [-1, 2]),
          .init(number: 2, type: "Exif", data: [0, 0, 0, 0] + block),
        ]
        file.references = [("cdsc", 2, [1])]
        return file.bytes
      }
    ),
  ]

  private static let exif = exifHosts.flatMap { format, host in
    targets(
      "Exif",
      format,
      host(block),
      [
        .camera: ["IFD + tag 271 ", "IFD + tag 272 "], .lens: ["IFD/34665 + tag 42036 "],
        .caption: [
          "IFD + tag 270 ", "IFD + tag 40091 ", "IFD + tag 40092 ", "IFD/34665 + tag 37510 ",
        ],
        .copyright: ["IFD + tag 33432 ", "IFD + tag 315 "],
      ],
      { exifPlants(host) }
    )
  }

  private static func exifPlants(_ host: @escaping ([UInt8]) -> [UInt8]) -> [PlantedPlaces.Plant] {
    let grammar = FileGrammar(block, family: .tiff)
    let known = [
      0x000B, 0x00FE, 0x010D, 0x010E, 0x010F, 0x0110, 0x0112, 0x0131, 0x0132, 0x013B, 0x013C, 0x02BC, 0x1000,
      0x1001,
      0x4746, 0x4749, 0x7035, 0x80A4, 0x80E3, 0x8298, 0x830E, 0x83BB, 0x847E, 0x8482, 0x85D8, 0x8649, 0x8769,
      0x8773,
      0x8822, 0x8824, 0x8825, 0x8830, 0x8840, 0x8841, 0x9000, 0x9003, 0x9004, 0x9009, 0x9010, 0x9011, 0x9012,
      0x9101,
      0x920B, 0x9211, 0x9213, 0x9214, 0x927C, 0x9286, 0x9290, 0x9291, 0x935C, 0x9400, 0x9C9B, 0x9C9C, 0x9C9D,
      0x9C9E,
      0x9C9F, 0xA000, 0xA001, 0xA004, 0xA005, 0xA20B, 0xA300, 0xA301, 0xA302, 0xA40B, 0xA420, 0xA430, 0xA431,
      0xA432,
      0xA433, 0xA434, 0xA435, 0xA436, 0xA437, 0xA438, 0xA439, 0xA43A, 0xA43B, 0xA43C, 0xA460, 0xA461, 0xA462,
      0xA480,
      0xA500, 0xC4A5, 0xC634, 0xC6F3, 0xEA1C, 0xFDE8, 0xFFFF,
    ]
    let tags = Array(0...0x1F) + known
    let more: [(String, [UInt8])] = [
      ("ASCII", Array("ASCII\0\0\0".utf8) + text),
      ("UNICODE", Array("UNICODE\0".utf8) + text.flatMap { [$0, 0] }),
      ("JIS", Array("JIS\0\0\0\0\0".utf8) + text), ("behind a text", Array("a\0".utf8) + text),
      ("behind a date", Array("2024:01:02 03:04:05\0".utf8) + text), ("behind N", Array("N\0".utf8) + text),
    ]
    let directories = grammar.gaps.filter { !$0.sizes.isEmpty }
    var plants = directories.flatMap { directory in
      tags.flatMap { tag in
        [1, 2, 3, 4, 5, 7, 9, 10, 12].flatMap { type in
          (PlantedPlaces.bodies + more).map { name, body in
            plant(directory.path, "+ tag \(tag) of type \(type), \(name)") {
              let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 12: 8][type] ?? 1
              let padded = body + [UInt8](repeating: 0, count: (size - body.count % size) % size)
              return grammar.adding(
                tag: tag,
                type: type,
                count: padded.count / size,
                value: padded,
                to: directory
              )
              .map(host)
            }
          }
        }
      }
    }
    // Over every byte, and in front of and behind all.
    let others = PlantedPlaces.plants(of: grammar, density: 300).filter { !$0.operation.contains("tag ") }
    plants += others.map { other in plant(other.path, other.operation) { other.make().map(host) } }
    return plants
  }

  // MARK: XMP

  private static let packetHosts: [(MediaFormat, @Sendable ([UInt8]) -> [UInt8])] = [
    (.jpeg, { TinyJPEG.file(TinyJPEG.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", $0)) }),
    (.png, { TinyPNG.file(pngChunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + $0)) }),
    (.gif, { TinyGIF.file(GIFXMP.block($0)) }),
    (.tiff, { TinyTIFFFile.file([TinyTIFFFile.undefined(0x02BC, $0, type: 1)]) }),
    (
      .webp,
      { TinyWebP.file(TinyWebP.extended(4) + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("XMP ", $0)) }
    ),
    (
      .mp4,
      { packet in
        var film = TinyMovie.film
        film.inMovie = isoBox("udta", isoBox("XMP_", packet))
        return film.bytes
      }
    ),
  ]

  private static let packets = packetHosts.flatMap { format, host in
    targets(
      "XMP",
      format,
      host(Array(packet("").utf8)),
      [
        .camera: ["XMP tiff:Make ", "XMP tiff:Model "], .lens: ["XMP exifEX:LensModel ", "XMP aux:Lens "],
        .caption: [
          "XMP dc:title ", "XMP dc:description ", "XMP tiff:ImageDescription ", "XMP exif:UserComment ",
        ],
        .copyright: ["XMP dc:rights ", "XMP dc:creator "],
      ],
      { packetPlants(host) }
    )
  }

  private static let spaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "xmp": "http://ns.adobe.com/xap/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/", "tiff": "http://ns.adobe.com/tiff/1.0/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/", "exifEX": "http://cipa.jp/exif/1.0/",
    "aux": "http://ns.adobe.com/exif/1.0/aux/", "GPano": "http://ns.google.com/photos/1.0/panorama/",
    "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/", "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    "GCamera": "http://ns.google.com/photos/1.0/camera/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/", "HDRGainMap": "http://ns.apple.com/HDRGainMap/1.0/",
    "Container": "http://ns.google.com/photos/1.0/container/", "zz": "http://example.com/zz/",
  ]

  private static func packet(
    _ inner: String,
    attributes: String = "",
    around: (String, String) = ("", ""),
    about: String = ""
  ) -> String {
    let declared = spaces.sorted { $0.key < $1.key }.map { "xmlns:\($0.key)='\($0.value)'" }.joined(
      separator: " "
    )
    return around.0
      + "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
      + "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<rdf:Description rdf:about='\(about)' \(declared) GPano:ProjectionType='equirectangular' \(attributes)>"
      + "\(inner)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>" + around.1
  }

  private static let properties = [
    "dc:title", "dc:description", "dc:rights", "dc:creator", "dc:subject", "dc:source", "dc:publisher",
    "dc:format",
    "xmp:Rating", "xmp:CreateDate", "xmp:CreatorTool", "xmp:Label", "exif:DateTimeOriginal",
    "exif:GPSLatitude",
    "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef", "exif:UserComment", "exif:GPSMapDatum",
    "exif:DateTimeDigitized", "tiff:Make", "tiff:Model", "tiff:ImageDescription", "tiff:Software",
    "tiff:Artist",
    "tiff:Copyright", "tiff:Orientation", "photoshop:DateCreated", "photoshop:Headline", "photoshop:City",
    "exifEX:LensModel", "exifEX:LensMake", "exifEX:LensSerialNumber", "exifEX:BodySerialNumber", "aux:Lens",
    "aux:SerialNumber", "aux:LensID", "GPano:ProjectionType", "GPano:UsePanoramaViewer",
    "GPano:FullPanoWidthPixels",
    "GPano:FullPanoHeightPixels", "GPano:CroppedAreaImageWidthPixels", "GPano:CroppedAreaLeftPixels",
    "GPano:StitchingSoftware", "GPano:FirstPhotoDate", "hdrgm:Version", "hdrgm:GainMapMax", "hdrgm:Gamma",
    "MicrosoftPhoto:Rating", "MicrosoftPhoto:LastKeywordXMP", "GCamera:MotionPhoto", "Iptc4xmpCore:Location",
    "xmpMM:DocumentID", "HDRGainMap:HDRGainMapVersion", "Container:Directory", "zz:anything",
  ]

  private static func packetPlants(_ host: @escaping ([UInt8]) -> [UInt8]) -> [PlantedPlaces.Plant] {
    // The text has letters that XML has to write in another way.
    let text = String(decoding: PlantedBlocks.text, as: UTF8.self)
    var plants: [PlantedPlaces.Plant] = []
    func add(_ path: String, _ operation: String, _ packet: String) {
      plants.append(plant("XMP", "\(path) \(operation)") { host(Array(packet.utf8)) })
    }
    for name in properties {
      let values: [(String, String)] = [
        ("", text), ("behind a number", "5 \(text)"), ("behind a date", "2024-01-02T03:04:05\(text)"),
        ("behind a line", "a&#10;\(text)"), ("behind a zone", "2024-01-02T03:04:05+01:00[\(text)]"),
        ("behind degrees", "48,30,10N\(text)"),
      ]
      for (kind, value) in values {
        add(name, "attribute \(kind)", packet("", attributes: "\(name)='\(value)'"))
        add(name, "element \(kind)", packet("<\(name)>\(value)</\(name)>"))
        add(name, "CDATA \(kind)", packet("<\(name)><![CDATA[\(value)]]></\(name)>"))
        for list in ["Seq", "Bag", "Alt"] {
          let items = "<rdf:li xml:lang='x-default'>\(value)</rdf:li><rdf:li xml:lang='de'>\(value)</rdf:li>"
          add(name, "\(list) \(kind)", packet("<\(name)><rdf:\(list)>\(items)</rdf:\(list)></\(name)>"))
        }
        add(
          name,
          "value \(kind)",
          packet("<\(name) rdf:parseType='Resource'><rdf:value>\(value)</rdf:value></\(name)>")
        )
      }
      let odd: [(String, String)] = [
        ("language", "<\(name)><rdf:Alt><rdf:li xml:lang='\(text)'>a</rdf:li></rdf:Alt></\(name)>"),
        ("resource", "<\(name) rdf:resource='\(text)'/>"),
        ("identifier", "<\(name) rdf:nodeID='\(text)'>5</\(name)>"),
        ("qualifier", "<\(name) zz:q='\(text)'>5</\(name)>"),
        ("comment", "<\(name)>5<!--\(text)--></\(name)>"),
        ("instruction", "<\(name)>5<?zz \(text)?></\(name)>"),
        ("field", "<\(name) rdf:parseType='Resource'><zz:f>\(text)</zz:f></\(name)>"),
        ("type", "<\(name) rdf:datatype='\(text)'>5</\(name)>"),
      ]
      for (kind, inner) in odd { add("odd \(name)", kind, packet(inner)) }
    }
    add("around", "ahead", packet("", around: (text, "")))
    add("around", "behind", packet("", around: ("", text)))
    add("around", "padding", packet("", around: ("", String(repeating: " ", count: 200) + text)))
    add("around", "about", packet("", about: text))
    add("around", "comment", packet("<!--\(text)-->"))
    add("around", "a text", packet(text))
    add("around", "an entity", packet("<zz:e>&\(text);</zz:e>"))
    add("around", "a second description", packet("</rdf:Description><rdf:Description zz:a='\(text)'>"))
    add("around", "a name", packet("<zz:a\(text.filter(\.isLetter))>5</zz:a\(text.filter(\.isLetter))>"))
    return plants
  }

  // MARK: IPTC and Photoshop's resources

  private static let datasets: [PlantedTarget] = {
    let host: @Sendable ([UInt8]) -> [UInt8] = {
      TinyJPEG.file(TinyJPEG.segment(0xED, "Photoshop 3.0\0", $0))
    }
    let resource: @Sendable (Int, [UInt8], [UInt8]) -> [UInt8] = { number, name, data in
      let title = [UInt8(name.count)] + name + (name.count % 2 == 0 ? [0] : [])
      return Array("8BIM".utf8) + big(number, 2) + title + big(data.count) + data
        + (data.count % 2 == 1 ? [0] : [])
    }
    let dataset: @Sendable (Int, Int, [UInt8]) -> [UInt8] = { record, number, data in
      [0x1C, UInt8(record), UInt8(number)] + big(data.count, 2) + data
    }
    let inner: @Sendable () -> [PlantedPlaces.Plant] = {
      var plants: [PlantedPlaces.Plant] = []
      for record in 1...9 {
        for number in 0...255 {
          for (name, body) in PlantedPlaces.bodies {
            plants.append(
              plant("IPTC", "\(record):\(number), \(name)") {
                host(resource(0x0404, [], dataset(2, 0, [0, 4]) + dataset(record, number, body)))
              }
            )
          }
        }
      }
      for number in Array(0x03E8...0x0440) + [0x07D0, 0x0BB7, 0x0FA0, 0x1B58, 0x2710] where number != 0x0404 {
        plants.append(plant("resource", "\(number)") { host(resource(number, [], text)) })
        plants.append(plant("resource", "name of \(number)") { host(resource(number, text, [1, 2])) })
      }
      plants.append(
        plant("resource", "behind IPTC") { host(resource(0x0404, [], dataset(2, 5, [65])) + text) }
      )
      plants.append(
        plant("IPTC", "behind the last") { host(resource(0x0404, [], dataset(2, 5, [65]) + text)) }
      )
      return plants
    }
    return targets(
      "IPTC",
      .jpeg,
      host(resource(0x0404, [], dataset(2, 0, [0, 4]))),
      [
        .copyright: ["IPTC 2:116,", "IPTC 2:80,"], .caption: ["IPTC 2:5,", "IPTC 2:120,"],
      ],
      inner
    )
  }()

  // MARK: Values of movies

  private static let userData: [PlantedTarget] = [MediaFormat.mp4, .mov].flatMap { format in
    let host: @Sendable ([UInt8], _ level: Int) -> [UInt8] = { boxes, level in
      var film = TinyMovie.film
      film.isQuickTime = format == .mov
      switch level {
      case 0: film.inMovie = boxes
      case 1: film.tracks[0].inTrak = boxes
      case 2: film.tracks[0].inMedia = boxes
      case 3: film.tracks[0].inInformation = boxes
      case 4: film.tracks[0].inTable = boxes
      default: film.ahead = boxes
      }
      return film.bytes
    }
    return targets(
      "user data",
      format,
      host([], 0),
      [
        .camera: ["movie ©mak", "movie ©mod", "movie manu", "movie modl", "named make", "named model"],
        .lens: ["movie ©lnm", "named camera.lens_model"],
        .caption: [
          "movie ©nam", "movie ©cmt", "movie ©des", "movie ©inf", "movie desc", "movie ldes", "movie titl",
          "movie dscp", "named title", "named displayname",
          "named description", "named comment", "named information",
        ],
        .copyright: [
          "movie ©cpy", "movie ©ART", "movie ©aut", "movie ©prd", "movie cprt", "movie auth", "movie perf",
          "named copyright",
          "named author", "named artist",
        ],
      ],
      { userDataPlants(host) }
    )
  }

  private static let valueNames = [
    "make", "model", "software", "creationdate", "location.ISO6709", "camera.lens_model", "camera.identifier",
    "title",
    "description", "comment", "information", "copyright", "author", "artist", "album", "genre", "keywords",
    "rating.user", "content.identifier", "live-photo.auto", "location.name", "location.body", "producer",
    "publisher",
    "displayname", "year", "still-image-time", "detected-face", "full-frame-rate-playback-intent",
  ]

  private static func userDataPlants(_ host: @escaping ([UInt8], Int) -> [UInt8]) -> [PlantedPlaces.Plant] {
    let levels = ["movie", "track", "media", "information", "table", "top"]
    let types = [
      "©nam", "©cmt", "©des", "©inf", "©cpy", "©ART", "©aut", "©mak", "©mod", "©swr", "©day", "©xyz", "©too",
      "©alb",
      "©gen", "©key", "©lnm", "©req", "©fmt", "©src", "©dir", "©prd", "©prf", "©wrt", "©enc", "desc", "ldes",
      "aART",
      "titl", "dscp", "cprt", "auth", "perf", "gnre", "albm", "yrrc", "rtng", "clsf", "kywd", "loci", "manu",
      "modl",
      "name", "tagc", "ID32", "xml ", "XMP_", "hnti", "meta", "date", "CNTH", "GoPr", "FIRM", "LENS", "CAME",
      "SDLN",
      "thmb", "smta", "auth", "AllF", "SelO", "LOOP", "MUID", "uuid", "free", "----", "sefd", "CNCV", "hinf",
      "kgit",
    ]
    var plants: [PlantedPlaces.Plant] = []
    let wide: [UInt8] = text.flatMap { [0, $0] }
    let zero: [UInt8] = [0]
    for type in types {
      let code = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let box = { (body: [UInt8]) -> [UInt8] in big(body.count + 8) + code + body }
      let forms: [(String, [UInt8])] = [
        ("plain", box(text)), ("international", box([0, UInt8(text.count), 0x15, 0xC7] + text)),
        ("two of them", box([0, 1, 0, 0, 65] as [UInt8] + big(text.count, 2) + [0, 0] + text)),
        ("3GPP", box([0, 0, 0, 0, 0x15, 0xC7] + text + zero)),
        ("3GPP wide", box([0, 0, 0, 0, 0x15, 0xC7, 0xFE, 0xFF] + wide + zero + zero)),
        ("behind a text", box([0, 1, 0x15, 0xC7, 65] + text)),
        ("3GPP behind a text", box([0, 0, 0, 0, 0x15, 0xC7, 65, 0] + text)),
        ("data", box(isoBox("data", big(1) + big(0) + text))),
      ]
      for (form, bytes) in forms {
        let list = isoFullBox(
          "meta",
          isoFullBox("hdlr", big(0) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)),
          isoBox("ilst", bytes)
        )
        for (level, name) in levels.enumerated() {
          plants.append(plant("\(name)", "\(type) \(form)") { host(isoBox("udta", bytes), level) })
          plants.append(plant("\(name)", "\(type) \(form) without user data") { host(bytes, level) })
          plants.append(plant("\(name)", "\(type) \(form) of a list") { host(isoBox("udta", list), level) })
        }
      }
    }
    for name in valueNames {
      for type in [0, 1, 2, 13, 21, 22, 23, 27, 65, 78] {
        for (form, body) in PlantedPlaces.bodies {
          let key = Array("com.apple.quicktime.\(name)".utf8)
          let values = isoBox(
            "meta",
            isoFullBox("hdlr", big(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13)),
            isoFullBox("keys", big(1) + big(key.count + 8) + Array("mdta".utf8) + key),
            isoBox("ilst", big(body.count + 24) + big(1) + isoBox("data", big(type) + big(0) + body))
          )
          for level in [0, 1] {
            let path = level == 0 ? "named" : "named of a track"
            plants.append(plant(path, "\(name) of type \(type), \(form)") { host(values, level) })
          }
        }
      }
    }
    return plants
  }

  // MARK: Tags of sound

  private static let soundTags: [PlantedTarget] = {
    let id3: @Sendable (UInt8) -> [PlantedPlaces.Plant] = { version in
      let names = [
        "TIT1", "TIT2", "TIT3", "TALB", "TCOM", "TCON", "TCOP", "TPE1", "TPE2", "TPE3", "TDRC", "TYER",
        "TDAT", "TIME",
        "TXXX", "WXXX", "COMM", "USLT", "SYLT", "APIC", "GEOB", "PRIV", "UFID", "POPM", "PCNT", "OWNE",
        "USER", "TSSE",
        "TENC", "MCDI", "CHAP", "CTOC", "LINK", "WCOP", "IPLS", "ZZZZ",
      ]
      return names.flatMap { name in
        let forms: [(String, [UInt8])] = [
          ("Latin", [0] + text), ("UTF-8", [3] + text),
          ("wide", [1, 0xFF, 0xFE] + text.flatMap { [$0, 0] }),
          ("big wide", [2] + text.flatMap { [0, $0] }), ("of a language", [0] + Array("eng\0".utf8) + text),
          ("of a description", [0] + Array("eng".utf8) + text + [0] + Array("a".utf8)),
          ("of another", [0] + Array("engother\0".utf8) + text), ("behind a text", [3, 65, 0] + text),
          ("raw", text), ("language behind a text", [3] + Array("eng\0a\0".utf8) + text),
          ("behind a rating", Array("a\0".utf8) + [255, 0, 0, 0, 1] + text),
        ]
        return forms.map { form, body in
          plant("ID3", "\(name) \(form)") { TinyMP3.id3(version, [(name, body)]) + TinyMP3.frames }
        }
      }
    }
    let allowed: [MetadataException: Set<String>] = [
      .caption: ["ID3 TIT2", "ID3 COMM"], .copyright: ["ID3 TCOP", "ID3 TPE1"],
    ]
    let tagged = targets("ID3", .mp3, TinyMP3.frames, allowed, { id3(3) + id3(4) })
    let fields = [
      "TITLE", "DESCRIPTION", "COMMENT", "COPYRIGHT", "ARTIST", "DATE", "RATING", "LOCATION", "GENRE",
      "ALBUM",
      "ENCODER", "ORGANIZATION", "CONTACT", "ISRC", "PERFORMER", "VERSION", "METADATA_BLOCK_PICTURE",
      "LICENSE",
      "WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "ZZ",
    ]
    let comments = targets(
      "comments",
      .flac,
      TinyFLAC.file(),
      [
        .caption: ["comment TITLE", "comment DESCRIPTION", "comment COMMENT"],
        .copyright: ["comment COPYRIGHT", "comment ARTIST"],
      ],
      {
        fields.flatMap { name in
          ["", "5 ", "2024-01-02T03:04:05", "0x3"].map { start in
            plant("comment", "\(name) behind '\(start)'") {
              let field = "\(name)=\(start)\(String(decoding: text, as: UTF8.self))"
              var bytes = TinyFLAC.file()
              let isLast = bytes[4] & 0x80 != 0
              bytes[4] &= 0x7F
              bytes.insert(contentsOf: TinyFLAC.block(4, TinyFLAC.comment([field]), isLast: isLast), at: 42)
              return bytes
            }
          }
        }
      }
    )
    let types = [
      "INAM", "ICMT", "ICOP", "IART", "ICRD", "IRTD", "ISFT", "IGNR", "IPRD", "ISBJ", "ISRC", "ITCH", "IENG",
      "IKEY",
      "IARL", "ILOC", "ZZZZ",
    ]
    let lists = targets(
      "a list",
      .wav,
      TinyWAV.file(),
      [.caption: ["list INAM", "list ICMT"], .copyright: ["list ICOP", "list IART"]],
      {
        types.flatMap { type in
          [[], Array("5 ".utf8), Array("2024-01-02\0".utf8), [65, 0]].map { (start: [UInt8]) in
            plant("list", "\(type) behind \(start)") {
              var bytes = TinyWAV.file()
              bytes += riffChunk("LIST", Array("INFO".utf8) + riffChunk(type, start + text + [0]))
              bytes.replaceSubrange(4..<8, with: little(bytes.count - 8))
              return bytes
            }
          }
        }
      }
    )
    return tagged + comments + lists
  }()
}
