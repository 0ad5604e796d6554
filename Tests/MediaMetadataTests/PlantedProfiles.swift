import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Color profiles with a text in each place that ICC.1 allows, within a file of each format that has one.
enum PlantedProfiles {
  private static let text = PlantedPlaces.text
  private static let zeros: [UInt8] = [0, 0, 0, 0]

  static var targets: [PlantedTarget] {
    hosts.flatMap { format, host in
      [("a display's", display), ("a gray", gray)].map { name, profile in
        PlantedTarget(
          description: "\(name) profile in \(format)",
          format: format,
          bytes: host(profile),
          inner: { plants(profile, host) },
          mayStay: { plant in
            if plant.operation.hasPrefix("+ chad of sf32") { return true }
            let isTable = ["curv", "para", "mft1", "mft2", "mAB ", "mBA ", "mpet"].contains(
              plant.path.suffix(4)
            )
            // What follows a table's numbers is no part of it.
            return isTable && !plant.operation.hasPrefix("end")
          }
        )
      }
    }
  }

  private static let hosts: [(MediaFormat, @Sendable ([UInt8]) -> [UInt8])] = [
    (.jpeg, { TinyJPEG.file(TinyJPEG.segment(0xE2, "ICC_PROFILE\0\u{1}\u{1}", $0)) }),
    (.png, { TinyPNG.file(pngChunk("iCCP", Array("name\0\0".utf8) + stored($0))) }),
    (
      .webp,
      {
        TinyWebP.file(TinyWebP.extended(0x20) + riffChunk("ICCP", $0) + riffChunk("VP8L", TinyWebP.lossless))
      }
    ),
    (.tiff, { TinyTIFFFile.file([TinyTIFFFile.undefined(0x8773, $0)]) }),
    (.jp2, { TinyJP2.file(color: isoBox("colr", [2, 0, 0] + $0)) }),
    (
      .heic,
      { profile in
        var file = HEIFFixture()
        file.properties = [
          TinyCoded.hvcC(), TinyCoded.ispe(64, 64), isoBox("colr", Array("prof".utf8) + profile),
        ]
        file.items = [
          .init(number: 1, type: "hvc1", data: TinyCoded.nal(19, [1, 2, 3]), properties: [-1, 2, 3])
        ]
        return file.bytes
      }
    ),
    (
      .mp4,
      { profile in
        var film = TinyMovie.film
        film.tracks[0].entry = TinyMovie.avc1(isoBox("colr", Array("prof".utf8) + profile))
        return film.bytes
      }
    ),
  ]

  /// A zlib stream of stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01, 1] + little(bytes.count, 2) + little(bytes.count ^ 0xFFFF, 2) + bytes
      + big(b << 16 | a)
  }

  // MARK: Profiles

  private static let curve = Array("curv".utf8) + zeros + big(64) + (0..<64).flatMap { big($0 * 1040, 2) }
  private static let parameters =
    Array("para".utf8) + zeros + big(3, 2) + big(0, 2)
    + [3 << 16, 157_286, 62_119, 3417, 5072].flatMap { big($0) }
  private static let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { big($0 << 16) }
  private static let small = Array("curv".utf8) + zeros + big(0)

  private static let table8: [UInt8] =
    Array("mft1".utf8) + zeros + [3, 3, 2, 0] + matrix
    + (0..<3).flatMap { _ in [UInt8](0...255) } + [UInt8](repeating: 7, count: 24)
    + (0..<3).flatMap { _ in [UInt8](0...255) }

  private static let table16: [UInt8] =
    Array("mft2".utf8) + zeros + [3, 3, 2, 0] + matrix + big(8, 2) + big(8, 2)
    + [UInt8](repeating: 9, count: 2 * (24 + 24 + 24))

  private static func combined(_ type: String) -> [UInt8] {
    Array(type.utf8) + zeros + [3, 3, 0, 0] + [32, 68, 116, 152, 196].flatMap { big($0) }
      + small + small + small + matrix + big(0) + big(0) + big(0) + small + small + small
      + [2, 2, 2] + [UInt8](repeating: 0, count: 13) + [1, 0, 0, 0] + [UInt8](repeating: 5, count: 24)
      + small + small + small
  }

  private static func elements(_ elements: [[UInt8]]) -> [UInt8] {
    var start = 16 + 8 * elements.count
    var table: [UInt8] = []
    for element in elements {
      table += big(start) + big(element.count)
      start += element.count
    }
    return Array("mpet".utf8) + zeros + big(3, 2) + big(3, 2) + big(elements.count) + table
      + elements.flatMap { $0 }
  }

  private static let element =
    Array("matf".utf8) + zeros + big(3, 2) + big(3, 2)
    + [0x3F80_0000, 0, 0, 0, 0x3F80_0000, 0, 0, 0, 0x3F80_0000, 0, 0, 0].flatMap { big($0) }

  private static let display = TinyICC.profile(
    [
      .text("desc", "a display"), .text("cprt", "none"), .xyz("rXYZ"), .xyz("gXYZ"), .xyz("bXYZ"),
      .xyz("wtpt"),
      .init(name: "rTRC", data: curve), .init(name: "gTRC", data: parameters),
      .init(name: "bTRC", data: small),
      .init(name: "A2B0", data: table8), .init(name: "A2B1", data: table16),
      .init(name: "A2B2", data: combined("mAB ")), .init(name: "B2A0", data: combined("mBA ")),
      .init(name: "D2B0", data: elements([element, element])), .text("zzzz", "private"),
    ],
    version: 4
  )

  private static let gray: [UInt8] = {
    var profile = TinyICC.profile([.init(name: "kTRC", data: curve), .text("desc", "a scanner")])
    profile.replaceSubrange(16..<20, with: Array("GRAY".utf8))
    return profile
  }()

  // MARK: Places

  private static func plants(
    _ profile: [UInt8],
    _ host: @escaping ([UInt8]) -> [UInt8]
  ) -> [PlantedPlaces.Plant] {
    let grammar = FileGrammar(profile, family: .icc)
    var plants = PlantedPlaces.plants(of: grammar, density: 40)
    for name in names {
      for (kind, data) in datas {
        plants.append(
          PlantedPlaces.Plant(path: "profile", operation: "+ \(name) of \(kind)") {
            grammar.adding(tag: name, data)
          }
        )
      }
    }
    return plants.map { plant in
      PlantedPlaces.Plant(path: plant.path, operation: plant.operation) { plant.make().map(host) }
    }
  }

  private static let names = [
    "desc", "cprt", "dmnd", "dmdd", "vued", "targ", "tech", "meta", "dscm", "mmod", "vcgt", "ncl2", "pseq",
    "psid",
    "view", "lumi", "meas", "chrm", "clrt", "clot", "bfd ", "crdi", "scrn", "scrd", "devs", "gamt", "pre0",
    "ps2s",
    "calt", "rig0", "msn ", "aarg", "ndin", "zzzz", "wtpt", "bkpt", "chad", "cicp", "kTRC", "A2B0", "A2B1",
    "A2B2",
    "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D3", "rXYZ", "rTRC",
  ]

  private static func data(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    Array(type.utf8) + zeros + parts.flatMap { $0 }
  }

  private static let datas: [(String, [UInt8])] = {
    let wide: [UInt8] = text.flatMap { [0, $0] }
    let unknown = data("zzzz", big(3, 2), big(3, 2), text)
    let reserved = data("bACS", big(3, 2), big(3, 2), Array("Pl4n".utf8), text)
    var datas: [(String, [UInt8])] = [
      ("text", data("text", text, [0])),
      ("desc", data("desc", big(text.count + 1), text, [UInt8](repeating: 0, count: 79))),
      ("mluc", data("mluc", big(1), big(12), Array("enUS".utf8), big(wide.count), big(28), wide)),
      ("dict", data("dict", big(1), big(16), big(32), big(32), big(32), big(32), text)),
      // An element that is not known, and bytes behind one that is.
      ("mpet of an unknown element", elements([element, unknown])), ("mpet of a text", elements([text])),
      ("mpet with a longer element", elements([element + text])),
      ("mpet of bACS", elements([reserved, element])),
    ]
    // Behind the numbers of each type.
    let whole: [(String, [UInt8])] = [
      ("curv", curve), ("empty curv", small), ("para", parameters), ("mft1", table8), ("mft2", table16),
      ("mAB", combined("mAB ")), ("mBA", combined("mBA ")), ("mpet", elements([element])),
      ("XYZ", data("XYZ ", [UInt8](1...12))), ("cicp", data("cicp", [1, 13, 0, 1])),
    ]
    datas += whole.map { ("longer \($0.0)", $0.1 + text) }
    let types = [
      "sf32", "uf32", "ui08", "ui16", "ui32", "ui64", "data", "sig ", "dtim", "vcgt", "ncl2", "pseq", "psid",
      "view",
      "meas", "crdi", "zzzz", "XYZ ", "gbd ", "rcs2", "cicp", "MS10",
    ]
    return datas + types.map { ($0, data($0, text, text)) }
  }()
}
