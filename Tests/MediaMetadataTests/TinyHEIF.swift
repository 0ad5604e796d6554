import MediaTestSupport

/// ISO base media files for tests, box by box.
enum TinyHEIF {
  static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let body = Array(parts.joined())
    let name = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return Array([big(8 + body.count), name, body].joined())
  }

  static func full(_ type: String, version: UInt8 = 0, _ parts: [UInt8]...) -> [UInt8] {
    box(type, [version, 0, 0, 0], Array(parts.joined()))
  }

  private static func handler(_ type: String) -> [UInt8] {
    full("hdlr", big(0), Array(type.utf8), [UInt8](repeating: 0, count: 13))
  }

  private static func item(_ number: Int, _ type: String) -> [UInt8] {
    full("infe", version: 2, big(number, 2), big(0, 2), Array(type.utf8), [0])
  }

  /// One picture of 40 × 30 pixels as item 1, turned by `angle`, and `exif` as item 2 in idat.
  static func file(exif: [UInt8], angle: UInt8 = 3, method: Int = 1) -> [UInt8] {
    let data = big(0) + exif
    let place = full(
      "iloc",
      version: 1,
      [0x44, 0x00],
      big(1, 2),
      big(2, 2),
      big(method, 2),
      big(0, 2),
      big(1, 2),
      big(0),
      big(data.count)
    )
    let properties = box(
      "iprp",
      box("ipco", full("ispe", big(40), big(30)), box("irot", [angle])),
      full("ipma", big(1), big(1, 2), [2, 0x01, 0x82])
    )
    let items = full("iinf", big(2, 2), item(1, "hvc1"), item(2, "Exif"))
    let meta = full(
      "meta",
      handler("pict"),
      full("pitm", big(1, 2)),
      items,
      place,
      properties,
      box("idat", data)
    )
    return box("ftyp", Array("heic".utf8), big(0), Array("mif1heic".utf8)) + meta
  }

  /// Two seconds, a picture track of 64 × 48 pixels that is turned, and a location.
  static let movie: [UInt8] = movie(matrix: [0, 0x10000, -0x10000, 0])

  static func movie(matrix: [Int], created: Int = 0) -> [UInt8] {
    let rows = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 0x4000_0000]
    let tkhd = full(
      "tkhd",
      [UInt8](repeating: 0, count: 36),
      rows.flatMap { big($0 & 0xFFFF_FFFF) },
      big(64 << 16),
      big(48 << 16)
    )
    let mvhd = full(
      "mvhd",
      big(created),
      big(0),
      big(600),
      big(1200),
      [UInt8](repeating: 0, count: 80)
    )
    let location = box("\u{A9}xyz", big(8, 2), big(0, 2), Array("+48+002/".utf8))
    let moov = box(
      "moov",
      mvhd,
      box("trak", tkhd, box("mdia", handler("vide"))),
      box("udta", location)
    )
    return box("ftyp", Array("qt  ".utf8), big(0), Array("qt  ".utf8)) + moov
  }
}
