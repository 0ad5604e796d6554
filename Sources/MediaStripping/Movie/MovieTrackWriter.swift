import MediaContainers

/// Writes the kept parts of a track, its boxes in the order of the source, so that the copies of
/// long tables ascend.
///
/// Source: ISO/IEC 14496-12 sections 8.3 to 8.10.
struct MovieTrackWriter {
  let track: ISOTrack
  /// Whether only audio is removed: then every box without offsets is copied.
  let keepsAll: Bool
  /// The IDs of the kept tracks.
  let kept: Set<Int>
  /// The offset of each chunk from the start of the file.
  let places: [Int]
  let newSizes: [UInt32]?
  /// Whether offsets take 8 bytes.
  let isLong: Bool

  private(set) var removed: [String] = []

  init(
    _ track: ISOTrack,
    keepsAll: Bool,
    kept: Set<Int>,
    places: [Int],
    newSizes: [UInt32]?,
    isLong: Bool
  ) {
    self.track = track
    self.keepsAll = keepsAll
    self.kept = kept
    self.places = places
    self.newSizes = newSizes
    self.isLong = isLong
  }

  private var source: ByteSource { track.source }

  /// Returns the whole trak box.
  mutating func write() throws(MetadataError) -> OutputPieces {
    for type in (BoxAllowList.movie.rules["stbl"] ?? [:]).keys
    where type != "sgpd" && type != "sbgp" {
      _ = try track.stbl.only(type)
    }
    return try container("trak", track.trak)
  }

  /// Returns a box with those of its children that are kept.
  private mutating func container(
    _ type: FourCharacterCode,
    _ boxes: [ISOBox]
  ) throws(MetadataError) -> OutputPieces {
    var content = OutputPieces()
    for box in boxes {
      let isAllowed = BoxAllowList.movie.allows(box.type, in: type)
      if isAllowed, let kept = try rewritten(box) {
        content.append(kept)
      } else if keepsAll {
        content.bytes(of: box.range, in: source)
      } else {
        removed.append("\(box.type.displayName) of a track")
      }
    }
    return try content.boxed(type)
  }

  /// Returns an allowed box anew; nil for a table of a form that is not kept, and for a box that
  /// only a change of metadata would change, while only audio is removed.
  private mutating func rewritten(_ box: ISOBox) throws(MetadataError) -> OutputPieces? {
    switch box.type {
    case "tref": return OutputPieces(references())
    case "mdia": return try container("mdia", track.mdia)
    case "minf": return try container("minf", track.minf)
    case "stbl": return try container("stbl", track.stbl)
    case "stco", "co64": return try offsets()
    case "stsz" where newSizes != nil, "stz2" where newSizes != nil:
      return try sizes(newSizes ?? [])
    case _ where keepsAll: return nil
    case "tkhd", "mdhd":
      if ISOHeaders.hasTimes(box, of: source) { removed.append("creation time") }
      return OutputPieces(
        box.type == "tkhd"
          ? try ISOHeaders.tkhd(box, of: source) : try ISOHeaders.mdhd(box, of: source)
      )
    case "edts": return try ISOHeaders.edts(box, of: source) ?? OutputPieces()
    case "tapt": return OutputPieces(try ISOHeaders.tapt(box, of: source))
    case "hdlr":
      noteName(of: box)
      return OutputPieces(try ISOHeaders.hdlr(box, of: source))
    case "vmhd", "smhd": return OutputPieces(try ISOHeaders.mediaHeader(box, of: source))
    case "dinf": return OutputPieces(ISOHeaders.ownData)
    case "stsd":
      let head = (source.bytes(in: box.body.prefix(4), limit: 4) ?? [0]).prefix(1) + [0, 0, 0]
      removed += track.entries.flatMap(\.removed)
      return try OutputPieces(track.entries.flatMap(\.box))
        .boxed("stsd", head: head + ISOWriter.uint32(track.entries.count))
    case "cslg", "sdtp", "sgpd", "sbgp":
      return try ISOTables.optional(box, samples: track.table?.sizes.count ?? 0, of: source)
    default: return try ISOTables.table(box, of: source)
    }
  }

  private mutating func noteName(of box: ISOBox) {
    let maker = source.unsigned(at: box.body.lowerBound + 12, count: 8) ?? 0
    if maker != 0 || ISOHeaders.handlerName(box, of: source) != nil {
      removed.append("handler name")
    }
  }

  private func offsets() throws(MetadataError) -> OutputPieces {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places.count * (isLong ? 8 : 4))
    for place in places {
      if isLong { bytes += ISOWriter.uint32(place >> 32) }
      bytes.append(UInt8(truncatingIfNeeded: place >> 24))
      bytes.append(UInt8(truncatingIfNeeded: place >> 16))
      bytes.append(UInt8(truncatingIfNeeded: place >> 8))
      bytes.append(UInt8(truncatingIfNeeded: place))
    }
    return try OutputPieces(bytes)
      .boxed(isLong ? "co64" : "stco", head: [0, 0, 0, 0] + ISOWriter.uint32(places.count))
  }

  private func sizes(_ sizes: [UInt32]) throws(MetadataError) -> OutputPieces {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sizes.count * 4)
    for size in sizes {
      bytes.append(UInt8(truncatingIfNeeded: size >> 24))
      bytes.append(UInt8(truncatingIfNeeded: size >> 16))
      bytes.append(UInt8(truncatingIfNeeded: size >> 8))
      bytes.append(UInt8(truncatingIfNeeded: size))
    }
    return try OutputPieces(bytes)
      .boxed("stsz", head: [UInt8](repeating: 0, count: 8) + ISOWriter.uint32(sizes.count))
  }

  /// Returns the references to other kept tracks.
  private mutating func references() -> [UInt8] {
    var body: [UInt8] = []
    for (type, to) in track.references {
      guard keepsAll || BoxAllowList.movie.allows(type, in: "tref") else { continue }
      let staying = to.filter { kept.contains($0) }
      if !staying.isEmpty { body += ISOWriter.box(type, staying.flatMap(ISOWriter.uint32)) }
    }
    return body.isEmpty ? [] : ISOWriter.box("tref", body)
  }
}

/// Copies sample tables that do not change, without the bytes after their last entry.
///
/// Source: ISO/IEC 14496-12 sections 8.6.1 to 8.6.4, 8.7.3, 8.7.4 and 8.9.
enum ISOTables {
  /// The length of an entry in bits, for tables that begin with a number of entries.
  private static let widths: [FourCharacterCode: Int] = [
    "stts": 64, "ctts": 64, "stss": 32, "stps": 32, "stsc": 96,
  ]

  static func table(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> OutputPieces {
    var fields = ISOFields(source, box.body, box.type.displayName)
    let version = try fields.number(4) >> 24
    var head = ISOWriter.uint32(box.type == "ctts" ? version << 24 & 0x0100_0000 : 0)
    var width = widths[box.type] ?? 0
    if box.type == "stsz" {
      let size = try fields.number(4)
      head += ISOWriter.uint32(size)
      width = size == 0 ? 32 : 0
    } else if box.type == "stz2" {
      width = try fields.number(4) & 0xFF
      head += ISOWriter.uint32(width)
    }
    let count = try fields.number(4)
    head += ISOWriter.uint32(count)
    let length = (count * width + 7) / 8
    guard length <= fields.left else { throw fields.damaged }
    var entries = OutputPieces()
    entries.bytes(of: fields.range.prefix(length), in: source)
    return try entries.boxed(box.type, head: head)
  }

  /// The sample group types that a decoder needs, with the length of their descriptions.
  private static let groups: [FourCharacterCode: Int] = [
    "roll": 2, "prol": 2, "rap ": 1, "sync": 1, "tele": 1,
  ]

  /// Returns a table that some players do not read; nil for a table of another form.
  static func optional(
    _ box: ISOBox,
    samples: Int,
    of source: ByteSource
  ) throws(MetadataError) -> OutputPieces? {
    var fields = ISOFields(source, box.body, box.type.displayName)
    let version = try fields.number(4) >> 24
    var content = OutputPieces()
    switch box.type {
    case "cslg":
      let length = version == 0 ? 20 : 40
      guard fields.left == length else { return nil }
      return OutputPieces(
        ISOWriter.full("cslg", version: UInt8(min(version, 1)), try fields.bytes(length))
      )
    case "sdtp":
      guard fields.left >= samples else { return nil }
      content.bytes(of: fields.range.prefix(samples), in: source)
      return try content.boxed("sdtp", head: [0, 0, 0, 0])
    case "sbgp":
      let type = try fields.code()
      guard groups[type] != nil, version == 0 else { return nil }
      let count = try fields.number(4)
      guard count <= fields.left / 8 else { throw fields.damaged }
      content.bytes(of: fields.range.prefix(count * 8), in: source)
      return try content.boxed("sbgp", head: [0, 0, 0, 0] + type.bytes + ISOWriter.uint32(count))
    default:
      let type = try fields.code()
      guard let length = groups[type], version >= 1 else { return nil }
      let entryLength = try fields.number(4)
      let descriptions = version >= 2 ? 4 : 0
      guard entryLength == length || version >= 2 else { return nil }
      var head = ISOWriter.uint32(version << 24) + type.bytes + ISOWriter.uint32(entryLength)
      if descriptions > 0 { return nil }
      let count = try fields.number(4)
      head += ISOWriter.uint32(count)
      guard count <= fields.left / length else { throw fields.damaged }
      content.bytes(of: fields.range.prefix(count * length), in: source)
      return try content.boxed("sgpd", head: head)
    }
  }
}
