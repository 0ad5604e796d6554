import MediaTestSupport

/// A HEIC or AVIF for tests, of items with any data, references, properties and boxes.
struct HEIFFixture: Sendable {
  struct Item: Sendable {
    var number: Int
    var type: String
    var data: [UInt8]
    /// 1-based numbers of properties; those below zero are essential.
    var properties: [Int] = []
    var name = ""
    var content: [UInt8] = []
    var isHidden = false
    /// 0: in mdat; 1: in idat.
    var method = 0
    /// Cut into so many extents.
    var extents = 1
  }

  var brands = ["mif1", "heic"]
  var items: [Item] = []
  var primary = 1
  var references: [(type: String, from: Int, to: [Int])] = []
  var properties: [[UInt8]] = []
  var handlerName = ""
  /// Whole boxes in meta, at the top ahead of mdat, and behind it.
  var inMeta: [UInt8] = []
  var ahead: [UInt8] = []
  var behind: [UInt8] = []
  /// Ahead of and behind the data of the items.
  var slack: [UInt8] = []
  var minorVersion: [UInt8] = [0, 0, 0, 0]
  /// Made with the offset of the mdat's body.
  var moov: @Sendable (Int) -> [UInt8] = { _ in [] }

  var bytes: [UInt8] {
    let draft = file(base: 0)
    return file(base: draft.mdat).bytes
  }

  private func file(base: Int) -> (bytes: [UInt8], mdat: Int) {
    let major = brands.last ?? "heic"
    let ftyp = isoBox("ftyp", Array(major.utf8) + minorVersion + brands.flatMap { Array($0.utf8) })
    var mdat = slack
    var idat: [UInt8] = []
    var entries: [UInt8] = []
    for item in items {
      entries += big(item.number, 2) + big(item.method, 2) + [0, 0] + big(item.extents, 2)
      let step = (item.data.count + item.extents - 1) / item.extents
      for index in 0..<item.extents {
        let part = item.data.dropFirst(index * step).prefix(step)
        if item.method == 1 {
          entries += big(idat.count) + big(part.count)
          idat += part
        } else {
          entries += big(base + mdat.count) + big(part.count)
          mdat += part
        }
      }
    }
    mdat += slack
    let infes = items.map { item in
      isoBox(
        "infe",
        [2, 0, 0, item.isHidden ? 1 : 0] + big(item.number, 2) + [0, 0] + Array(item.type.utf8)
          + Array(item.name.utf8) + [0] + item.content
      )
    }
    let refs = references.map { reference in
      isoBox(
        reference.type,
        big(reference.from, 2) + big(reference.to.count, 2) + reference.to.flatMap { big($0, 2) }
      )
    }
    let associated = items.filter { !$0.properties.isEmpty }
    let ipma = associated.flatMap { item in
      big(item.number, 2) + [UInt8(item.properties.count)]
        + item.properties.map { UInt8($0 < 0 ? 0x80 | -$0 : $0) }
    }
    let meta = isoFullBox(
      "meta",
      isoFullBox(
        "hdlr",
        big(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 12)
          + Array(handlerName.utf8) + [0]
      ),
      isoFullBox("pitm", big(primary, 2)),
      isoFullBox("iloc", version: 1, [0x44, 0] + big(items.count, 2) + entries),
      isoFullBox("iinf", big(items.count, 2) + infes.flatMap { $0 }),
      isoFullBox("iref", refs.flatMap { $0 }),
      isoBox(
        "iprp",
        isoBox("ipco", properties.flatMap { $0 }),
        isoFullBox("ipma", big(associated.count) + ipma)
      ),
      isoBox("idat", idat),
      inMeta
    )
    let head = ftyp + meta + moov(base) + ahead
    return (head + isoBox("mdat", mdat) + behind, head.count + 8)
  }
}

/// Coded pictures and what describes them; no decoder would like them, but every parser.
enum TinyCoded {
  /// A NAL unit behind its length in four bytes.
  static func nal(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 2) + [UInt8(type << 1), 1] + payload
  }

  static func sei(_ kind: Int, _ payload: [UInt8], type: Int = 39) -> [UInt8] {
    nal(type, [UInt8(kind), UInt8(payload.count)] + payload + [0x80])
  }

  /// An OBU with its length.
  static func obu(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    [UInt8(type << 3 | 2), UInt8(payload.count)] + payload
  }

  /// The sequence header of an AV1 still picture of 1 x 1 pixels.
  static let sequenceHeader: [UInt8] = [0x18, 0, 0, 0, 0x20]

  /// With a VPS, an SPS and a PPS, and what else is given as whole arrays.
  static func hvcC(_ arrays: [[UInt8]] = [], after: [UInt8] = []) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 22)
    head[0] = 1
    head[13] = 0xF0
    for offset in 15...16 { head[offset] = 0xFC }
    for offset in 17...18 { head[offset] = 0xF8 }
    head[21] = 0x0F
    let sets = [32, 33, 34].map { array($0, [[UInt8($0 << 1), 1, 0xAA]]) } + arrays
    return isoBox("hvcC", head + [UInt8(sets.count)] + sets.flatMap { $0 } + after)
  }

  static func array(_ type: Int, _ units: [[UInt8]]) -> [UInt8] {
    [UInt8(0x80 | type)] + big(units.count, 2) + units.flatMap { big($0.count, 2) + $0 }
  }

  static func av1C(_ units: [UInt8] = []) -> [UInt8] {
    isoBox("av1C", [0x81, 0, 0x0C, 0] + units)
  }

  static func auxC(_ urn: String, after: [UInt8] = []) -> [UInt8] {
    isoFullBox("auxC", Array(urn.utf8) + [0] + after)
  }

  static func ispe(_ width: Int, _ height: Int) -> [UInt8] {
    isoFullBox("ispe", big(width), big(height))
  }
}
