import MediaContainers

/// Writes the headers of a movie and of its tracks anew without times, languages and names.
///
/// Source: ISO/IEC 14496-12 sections 8.2.2 (mvhd), 8.3.2 (tkhd), 8.4.2 (mdhd), 8.4.3 (hdlr), 8.6.6
/// (elst); Apple, QuickTime File Format, track aperture mode dimensions (tapt).
enum ISOHeaders {
  /// Returns an mvhd with time scale, duration, rate, volume, matrix and the next track ID;
  /// `created`, in seconds since 1904, is written for both times. For an image sequence, whose
  /// tracks get new IDs, `nextTrack` is the next one, and rate and volume are normal. `soundEdit`
  /// decides time scale and duration.
  static func mvhd(
    _ box: ISOBox,
    of source: ByteSource,
    created: Int = 0,
    nextTrack: Int? = nil,
    soundEdit: ISOSoundEdit? = nil
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, "mvhd")
    let size = try version(&fields)
    _ = try fields.bytes(2 * size)
    var duration = try fields.bytes(4 + size)
    if let soundEdit { duration = soundEdit.timeScale.bytes(4) + soundEdit.duration.bytes(size) }
    var rate = try fields.bytes(6)
    _ = try fields.bytes(10)
    let matrix = try matrix(&fields)
    // QuickTime: preview, poster, selection and current time.
    _ = try fields.bytes(24)
    var next = try fields.bytes(4)
    if let nextTrack { (rate, next) = ([0, 1, 0, 0, 1, 0], nextTrack.bytes(4)) }
    return ISOWriter.full(
      "mvhd",
      version: size == 8 ? 1 : 0,
      time(created, size) + time(created, size) + duration + rate
        + [UInt8](repeating: 0, count: 10) + matrix + [UInt8](repeating: 0, count: 24) + next
    )
  }

  /// Returns a tkhd with the enabled flags, track ID, duration, layer, group, volume, matrix and
  /// size; with another track ID and no volume for a track of pictures, and the duration of
  /// `soundEdit`.
  static func tkhd(
    _ box: ISOBox,
    of source: ByteSource,
    identifier number: Int? = nil,
    soundEdit: ISOSoundEdit? = nil
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, "tkhd")
    let head = try fields.number(4)
    let size = try width(head >> 24, "tkhd")
    _ = try fields.bytes(2 * size)
    var identifier = try fields.bytes(4)
    _ = try fields.bytes(4)
    var duration = try fields.bytes(size)
    if let soundEdit { duration = soundEdit.duration.bytes(size) }
    _ = try fields.bytes(8)
    var order = try fields.bytes(6)
    if let number { (identifier, order) = (number.bytes(4), order[..<4] + [0, 0]) }
    _ = try fields.bytes(2)
    return ISOWriter.full(
      "tkhd",
      version: size == 8 ? 1 : 0,
      flags: head & 0xF,
      [UInt8](repeating: 0, count: 2 * size) + identifier + [0, 0, 0, 0] + duration
        + [UInt8](repeating: 0, count: 8) + order + [0, 0] + (try matrix(&fields))
        + (try fields.bytes(8))
    )
  }

  /// Returns a matrix with the numbers that turn, scale and move a picture.
  ///
  /// Those of its third column, which files may not choose, are 0, 0 and 1: with them the matrix would
  /// have room for a text of 36 bytes. A matrix of zeros keeps a third number of 0.
  ///
  /// Source: ISO/IEC 14496-12 section 8.2.2.3.
  private static func matrix(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    let numbers = try fields.bytes(36)
    let zeros: [UInt8] = [0, 0, 0, 0]
    let last = numbers[32...].allSatisfy { $0 == 0 } ? zeros : [0x40, 0, 0, 0]
    return numbers[..<8] + zeros + numbers[12..<20] + zeros + numbers[24..<32] + last
  }

  /// Returns an mdhd with time scale and duration.
  static func mdhd(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, "mdhd")
    let size = try version(&fields)
    _ = try fields.bytes(2 * size)
    // The language is "und", the quality 0.
    return ISOWriter.full(
      "mdhd",
      version: size == 8 ? 1 : 0,
      [UInt8](repeating: 0, count: 2 * size) + (try fields.bytes(4 + size)) + [0x55, 0xC4, 0, 0]
    )
  }

  /// Returns an hdlr with the handler type, without a vendor, flags or a name.
  static func hdlr(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, "hdlr")
    _ = try fields.number(4)
    // The component type is mhlr or dhlr in QuickTime, and 0 in MPEG-4.
    let component = try fields.code()
    let standard: Set<FourCharacterCode> = ["mhlr", "dhlr"]
    var type = try fields.code()
    if component == "dhlr" { type = "url " }
    return ISOWriter.full(
      "hdlr",
      (standard.contains(component) ? component.bytes : [0, 0, 0, 0]) + type.bytes
        + [UInt8](repeating: 0, count: 13)
    )
  }

  /// Returns the media header, with graphics mode and color of video, or balance of audio.
  static func mediaHeader(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, box.type.displayName)
    _ = try fields.number(4)
    if box.type == "vmhd" { return ISOWriter.full("vmhd", flags: 1, try fields.bytes(8)) }
    return ISOWriter.full("smhd", try fields.bytes(2) + [0, 0])
  }

  /// Returns the edit list of a track.
  static func edts(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> OutputPieces? {
    let children = try box.children(in: source)
    guard let elst = try children.only("elst") else { return nil }
    var fields = ISOFields(source, elst.body, "elst")
    let head = try fields.number(4)
    let version = try width(head >> 24, "elst") == 8 ? 1 : 0
    let count = try fields.number(4)
    let length = version == 1 ? 20 : 12
    guard count <= fields.left / length else { throw fields.damaged }
    var entries = OutputPieces()
    let start = fields.range.lowerBound
    entries.bytes(of: start..<(start + count * length), in: source)
    let list = try entries.boxed("elst", head: (version << 24 | head & 1).bytes(4) + count.bytes(4))
    return try list.boxed("edts")
  }

  /// Returns the track aperture dimensions: three sizes.
  static func tapt(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    var body: [UInt8] = []
    for child in try box.children(in: source)
    where ["clef", "prof", "enof"].contains(child.type) {
      var fields = ISOFields(source, child.body, "tapt")
      _ = try fields.number(4)
      body += ISOWriter.full(child.type, try fields.bytes(8))
    }
    return ISOWriter.box("tapt", body)
  }

  /// A data reference to samples in the same file.
  static let ownData = ISOWriter.box(
    "dinf",
    ISOWriter.full("dref", 1.bytes(4) + ISOWriter.full("url ", flags: 1, []))
  )

  /// Returns whether an mvhd, tkhd or mdhd has a creation or modification time.
  static func hasTimes(_ box: ISOBox, of source: ByteSource) -> Bool {
    let start = box.body.lowerBound
    let size = source.byte(at: start) == 1 ? 8 : 4
    return source.unsigned(at: start + 4, count: size) != 0
      || source.unsigned(at: start + 4 + size, count: size) != 0
  }

  /// Returns the range of the name in an hdlr; nil when it has none.
  static func handlerName(
    _ box: ISOBox,
    of source: ByteSource
  ) -> Range<Int>? {
    // The name follows version, component, type, vendor and flags.
    let name = min(box.body.lowerBound + 24, box.body.upperBound)..<box.body.upperBound
    let bytes = source.bytes(in: name.prefix(4096), limit: 4096) ?? []
    return bytes.contains { $0 != 0 } ? name : nil
  }

  /// Reads the version, and returns the number of bytes of a time.
  private static func version(
    _ fields: inout ISOFields
  ) throws(MetadataError) -> Int {
    try width(try fields.number(4) >> 24, fields.name)
  }

  private static func width(_ version: Int, _ name: String) throws(MetadataError) -> Int {
    guard version <= 1 else {
      throw MetadataError(.stripUnsupported, "\(name) of version \(version)")
    }
    return version == 1 ? 8 : 4
  }

  /// Returns the bytes of a time, or 0 for one that does not fit.
  private static func time(_ seconds: Int, _ size: Int) -> [UInt8] {
    if size == 8 { return seconds.bytes(8) }
    return (seconds <= Int(UInt32.max) ? seconds : 0).bytes(4)
  }
}
