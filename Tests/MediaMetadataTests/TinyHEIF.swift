import MediaTestSupport

/// ISO base media files for tests, box by box.
enum TinyHEIF {
  private static func handler(_ type: String) -> [UInt8] {
    isoFullBox("hdlr", big(0), Array(type.utf8), [UInt8](repeating: 0, count: 13))
  }

  private static func item(_ number: Int, _ type: String) -> [UInt8] {
    isoFullBox("infe", version: 2, big(number, 2), big(0, 2), Array(type.utf8), [0])
  }

  /// One picture of 40 × 30 pixels as item 1, turned by `angle`, and `exif` as item 2 in idat.
  static func file(exif: [UInt8], angle: UInt8 = 3, method: Int = 1) -> [UInt8] {
    let data = big(0) + exif
    let iloc = isoFullBox(
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
    let properties = isoBox(
      "iprp",
      isoBox("ipco", isoFullBox("ispe", big(40), big(30)), isoBox("irot", [angle])),
      isoFullBox("ipma", big(1), big(1, 2), [2, 0x01, 0x82])
    )
    let items = isoFullBox("iinf", big(2, 2), item(1, "hvc1"), item(2, "Exif"))
    let meta = isoFullBox(
      "meta",
      handler("pict"),
      isoFullBox("pitm", big(1, 2)),
      items,
      iloc,
      properties,
      isoBox("idat", data)
    )
    return isoBox("ftyp", Array("heic".utf8), big(0), Array("mif1heic".utf8)) + meta
  }

  /// Two seconds, a picture track of 64 × 48 pixels that is turned, and a location.
  static let movie: [UInt8] = movie(matrix: [0, 0x10000, -0x10000, 0])

  static func movie(matrix: [Int], created: Int = 0) -> [UInt8] {
    let rows = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 0x4000_0000]
    let tkhd = isoFullBox(
      "tkhd",
      [UInt8](repeating: 0, count: 36),
      rows.flatMap { big($0 & 0xFFFF_FFFF) },
      big(64 << 16),
      big(48 << 16)
    )
    let mvhd = isoFullBox(
      "mvhd",
      big(created),
      big(0),
      big(600),
      big(1200),
      [UInt8](repeating: 0, count: 80)
    )
    let location = isoBox("\u{A9}xyz", big(8, 2), big(0, 2), Array("+48+002/".utf8))
    let moov = isoBox(
      "moov",
      mvhd,
      isoBox("trak", tkhd, isoBox("mdia", handler("vide"))),
      isoBox("udta", location)
    )
    return isoBox("ftyp", Array("qt  ".utf8), big(0), Array("qt  ".utf8)) + moov
  }
}
