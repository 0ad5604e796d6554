import MediaContainers

/// Writes the kept parts of a track, its boxes in the order of the source, so that the copies of
/// long tables ascend.
///
/// Source: ISO/IEC 14496-12 sections 8.3 to 8.10.
struct MovieTrackWriter {
  let track: MovieTrack
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
    _ track: MovieTrack,
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
  mutating func write() throws(MetadataError) -> MoviePieces {
    var trak = MoviePieces()
    for box in track.trak {
      switch box.type {
      case "tref": trak.literal(references())
      case "mdia": trak.append(try media())
      case _ where keepsAll: trak.bytes(of: box.range, in: source)
      case "tkhd":
        trak.literal(try MovieHeaders.tkhd(box, of: source))
        if MovieHeaders.hasTimes(box, of: source) { removed.append("creation time") }
      case "edts": if let edts = try MovieHeaders.edts(box, of: source) { trak.append(edts) }
      case "tapt": trak.literal(try MovieHeaders.tapt(box, of: source))
      default: removed.append("\(box.type.displayName) of a track")
      }
    }
    return try trak.boxed("trak")
  }

  private mutating func media() throws(MetadataError) -> MoviePieces {
    var mdia = MoviePieces()
    for box in track.mdia {
      switch box.type {
      case "minf": mdia.append(try mediaInformation())
      case _ where keepsAll: mdia.bytes(of: box.range, in: source)
      case "mdhd":
        mdia.literal(try MovieHeaders.mdhd(box, of: source))
        if MovieHeaders.hasTimes(box, of: source) { removed.append("creation time") }
      case "hdlr":
        mdia.literal(try MovieHeaders.hdlr(box, of: source))
        noteName(of: box)
      default: removed.append("\(box.type.displayName) of a track")
      }
    }
    return try mdia.boxed("mdia")
  }

  private mutating func mediaInformation() throws(MetadataError) -> MoviePieces {
    var minf = MoviePieces()
    for box in track.minf {
      switch box.type {
      case "stbl": minf.append(try sampleTable())
      case _ where keepsAll: minf.bytes(of: box.range, in: source)
      case "vmhd", "smhd": minf.literal(try MovieHeaders.mediaHeader(box, of: source))
      case "hdlr":
        minf.literal(try MovieHeaders.hdlr(box, of: source))
        noteName(of: box)
      case "dinf": minf.literal(MovieHeaders.ownData)
      default: removed.append("\(box.type.displayName) of a track")
      }
    }
    return try minf.boxed("minf")
  }

  private mutating func sampleTable() throws(MetadataError) -> MoviePieces {
    var stbl = MoviePieces()
    let single: Set<FourCharacterCode> = [
      "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco",
      "co64",
    ]
    for type in single { _ = try track.stbl.only(type) }
    for box in track.stbl {
      switch box.type {
      case "stco", "co64": stbl.append(try offsets())
      case "stsz" where newSizes != nil, "stz2" where newSizes != nil:
        stbl.append(try sizes(newSizes ?? []))
      case _ where keepsAll: stbl.bytes(of: box.range, in: source)
      case "stsd":
        let head = (source.bytes(in: box.body.prefix(4), limit: 4) ?? [0]).prefix(1) + [0, 0, 0]
        let entries = MoviePieces(track.entries.flatMap(\.box))
        stbl.append(
          try entries.boxed("stsd", head: head + ISOWriter.uint32(track.entries.count))
        )
        removed += track.entries.flatMap(\.removed)
      case "stts", "ctts", "stss", "stps", "stsc", "stsz", "stz2":
        stbl.append(try MovieTables.table(box, of: source))
      case "cslg", "sdtp", "sgpd", "sbgp":
        let count = track.table?.sizes.count ?? 0
        if let table = try MovieTables.optional(box, samples: count, of: source) {
          stbl.append(table)
        } else {
          removed.append("\(box.type.displayName) of a track")
        }
      default: removed.append("\(box.type.displayName) of a track")
      }
    }
    return try stbl.boxed("stbl")
  }

  private mutating func noteName(of box: ISOBox) {
    let maker = source.unsigned(at: box.body.lowerBound + 12, count: 8) ?? 0
    if maker != 0 || MovieHeaders.handlerName(box, of: source) != nil {
      removed.append("handler name")
    }
  }

  private func offsets() throws(MetadataError) -> MoviePieces {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places.count * (isLong ? 8 : 4))
    for place in places {
      if isLong { bytes += ISOWriter.uint32(place >> 32) }
      bytes.append(UInt8(truncatingIfNeeded: place >> 24))
      bytes.append(UInt8(truncatingIfNeeded: place >> 16))
      bytes.append(UInt8(truncatingIfNeeded: place >> 8))
      bytes.append(UInt8(truncatingIfNeeded: place))
    }
    return try MoviePieces(bytes)
      .boxed(isLong ? "co64" : "stco", head: [0, 0, 0, 0] + ISOWriter.uint32(places.count))
  }

  private func sizes(_ sizes: [UInt32]) throws(MetadataError) -> MoviePieces {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sizes.count * 4)
    for size in sizes {
      bytes.append(UInt8(truncatingIfNeeded: size >> 24))
      bytes.append(UInt8(truncatingIfNeeded: size >> 16))
      bytes.append(UInt8(truncatingIfNeeded: size >> 8))
      bytes.append(UInt8(truncatingIfNeeded: size))
    }
    return try MoviePieces(bytes)
      .boxed("stsz", head: [UInt8](repeating: 0, count: 8) + ISOWriter.uint32(sizes.count))
  }

  /// Returns the references to other kept tracks.
  private mutating func references() -> [UInt8] {
    let known: Set<FourCharacterCode> = ["auxl", "fall", "folw", "sync", "vdep", "sbas", "scal"]
    var body: [UInt8] = []
    for (type, to) in track.references {
      guard keepsAll || known.contains(type) else { continue }
      let staying = to.filter { kept.contains($0) }
      if !staying.isEmpty { body += ISOWriter.box(type, staying.flatMap(ISOWriter.uint32)) }
    }
    return body.isEmpty ? [] : ISOWriter.box("tref", body)
  }
}

/// Copies sample tables that do not change, without the bytes after their last entry.
///
/// Source: ISO/IEC 14496-12 sections 8.6.1 to 8.6.4, 8.7.3, 8.7.4 and 8.9.
enum MovieTables {
  /// The length of an entry in bits, for tables that begin with a number of entries.
  private static let widths: [FourCharacterCode: Int] = [
    "stts": 64, "ctts": 64, "stss": 32, "stps": 32, "stsc": 96,
  ]

  static func table(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> MoviePieces {
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
    var entries = MoviePieces()
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
  ) throws(MetadataError) -> MoviePieces? {
    var fields = ISOFields(source, box.body, box.type.displayName)
    let version = try fields.number(4) >> 24
    var content = MoviePieces()
    switch box.type {
    case "cslg":
      let length = version == 0 ? 20 : 40
      guard fields.left == length else { return nil }
      return MoviePieces(
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
