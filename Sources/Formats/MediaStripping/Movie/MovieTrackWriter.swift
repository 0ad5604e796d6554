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
  let offsets: [Int]
  let newSizes: [UInt32]?
  /// Whether offsets take 8 bytes.
  let isLong: Bool
  /// The edit list to write in place of the track's own.
  let soundEdit: ISOSoundEdit?

  private(set) var removed: [String] = []

  init(
    _ track: ISOTrack,
    keepsAll: Bool,
    kept: Set<Int>,
    offsets: [Int],
    newSizes: [UInt32]?,
    isLong: Bool,
    soundEdit: ISOSoundEdit? = nil
  ) {
    self.track = track
    self.keepsAll = keepsAll
    self.kept = kept
    self.offsets = offsets
    self.newSizes = newSizes
    self.isLong = isLong
    self.soundEdit = soundEdit
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
      // An edit list precedes the media that it edits.
      if box.type == "mdia", let soundEdit { content.literal(soundEdit.box) }
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
    case "stco", "co64": return try offsetTable()
    case "stsz" where newSizes != nil, "stz2" where newSizes != nil:
      return try sizes(newSizes ?? [])
    case _ where keepsAll: return nil
    case "tkhd", "mdhd":
      if ISOHeaders.hasTimes(box, of: source) { removed.append("creation time") }
      return OutputPieces(
        box.type == "tkhd"
          ? try ISOHeaders.tkhd(box, of: source, soundEdit: soundEdit)
          : try ISOHeaders.mdhd(box, of: source)
      )
    case "edts" where soundEdit != nil: return OutputPieces()
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
        .boxed("stsd", head: head + track.entries.count.bytes(4))
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

  private func offsetTable() throws(MetadataError) -> OutputPieces {
    try OutputPieces(Self.numbers(offsets, byteCount: isLong ? 8 : 4))
      .boxed(isLong ? "co64" : "stco", head: [0, 0, 0, 0] + offsets.count.bytes(4))
  }

  private func sizes(_ sizes: [UInt32]) throws(MetadataError) -> OutputPieces {
    try OutputPieces(Self.numbers(sizes, byteCount: 4))
      .boxed("stsz", head: [UInt8](repeating: 0, count: 8) + sizes.count.bytes(4))
  }

  /// Returns big-endian numbers, of which a film has millions.
  private static func numbers(_ values: [some FixedWidthInteger], byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * byteCount)
    for value in values {
      for index in 1...byteCount {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * (byteCount - index))))
      }
    }
    return bytes
  }

  /// Returns the references to other kept tracks.
  private mutating func references() -> [UInt8] {
    var body: [UInt8] = []
    for (type, to) in track.references {
      guard keepsAll || BoxAllowList.movie.allows(type, in: "tref") else { continue }
      let staying = to.filter { kept.contains($0) }
      if !staying.isEmpty { body += ISOWriter.box(type, staying.flatMap { $0.bytes(4) }) }
    }
    return body.isEmpty ? [] : ISOWriter.box("tref", body)
  }
}
