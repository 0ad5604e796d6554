import MediaContainers

/// A sample entry, which gives the codec of a track's samples, written anew.
///
/// Source: ISO/IEC 14496-12 sections 8.5.2, 12.1.3 and 12.2.3; Apple, QuickTime File Format, sample
/// descriptions; mp4ra.org, sample entries.
struct MovieSampleEntry {
  /// The whole box.
  var box: [UInt8]
  var bitstream = Bitstream.plain
  /// The names of what was removed from the entry.
  var removed: [String] = []

  /// Reads a box of stsd, of a track with the handler `vide` or `soun`. An stsd of version 1 has
  /// the newer form of audio entries.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec, and for encrypted samples or samples in
  ///   another file; `damaged` without a configuration that its codec needs.
  init(
    _ entry: ISOBox,
    handler: FourCharacterCode,
    isVersionOne: Bool,
    of source: ByteSource
  ) throws(MetadataError) {
    let name = entry.type.displayName
    if Self.encrypted.contains(entry.type) {
      throw MetadataError(.stripUnsupported, "encrypted track")
    }
    var fields = ISOFields(source, entry.body, name)
    _ = try fields.number(6)
    guard try fields.number(2) >= 1 else { throw fields.damaged }
    let head: [UInt8]
    if handler == "vide" {
      guard let kind = MovieVideoCodec.kinds[entry.type] else {
        throw MetadataError(.stripUnsupported, "video track of type \(name)")
      }
      head = try Self.videoHead(&fields)
      var boxes = MovieEntryBoxes(kind)
      try boxes.read(fields.range, of: source, name)
      bitstream = try boxes.finish(name)
      (box, removed) = (ISOWriter.box(entry.type, head + boxes.bytes), boxes.removed)
      let name = entry.body.dropFirst(42).prefix(32)
      if source.bytes(in: name, limit: 32)?.contains(where: { $0 != 0 }) == true {
        removed.append("compressor name")
      }
    } else {
      guard MovieAudioCodec.types.contains(entry.type) else {
        throw MetadataError(.stripUnsupported, "sound track of type \(name)")
      }
      head = try Self.audioHead(&fields, isVersionOne: isVersionOne)
      var boxes = MovieEntryBoxes(.plain)
      try boxes.read(fields.range, of: source, name)
      bitstream = try boxes.finish(name)
      (box, removed) = (ISOWriter.box(entry.type, head + boxes.bytes), boxes.removed)
    }
  }

  static let encrypted: Set<FourCharacterCode> = [
    "encv", "enca", "enct", "encs", "drms", "drmi", "drmt", "p608",
  ]

  private static let reference: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  /// Returns size, resolution, frames per sample and depth, without version, vendor or compressor
  /// name.
  private static func videoHead(
    _ fields: inout ISOFields
  ) throws(MetadataError) -> [UInt8] {
    let version = try fields.bytes(2)
    _ = try fields.bytes(6 + 8)
    let size = try fields.bytes(4)
    let resolution = try fields.bytes(8)
    _ = try fields.bytes(4)
    let frames = try fields.bytes(2)
    _ = try fields.bytes(32)
    let depth = try fields.bytes(2)
    let table = try fields.bytes(2)
    // A table ID of 0 means that a color table follows, which only pictures of at most 8 bits have.
    guard table != [0, 0] || (depth[0] == 0 && depth[1] & 0x1F > 8) || depth == [0, 0] else {
      throw MetadataError(.stripUnsupported, "video with a colour table")
    }
    return reference + version + [UInt8](repeating: 0, count: 14) + size + resolution
      + [0, 0, 0, 0] + frames + [UInt8](repeating: 0, count: 32) + depth + [0xFF, 0xFF]
  }

  /// Returns channels, sizes and rate, without revision or vendor.
  private static func audioHead(
    _ fields: inout ISOFields,
    isVersionOne: Bool
  ) throws(MetadataError) -> [UInt8] {
    let version = try fields.number(2)
    _ = try fields.bytes(6)
    var head = reference + ISOWriter.uint16(version) + [UInt8](repeating: 0, count: 6)
    head += try fields.bytes(12)
    switch version {
    case 0: break
    case 1 where isVersionOne: break
    case 1: head += try fields.bytes(16)
    case 2: head += try fields.bytes(36)
    default: throw MetadataError(.stripUnsupported, "sound description of version \(version)")
    }
    return head
  }
}

/// The number of bytes of a packet of samples in uncompressed audio, whose table of sizes counts
/// samples.
///
/// Source: Apple, QuickTime File Format, sound sample descriptions.
struct MovieAudioPacket: Equatable {
  var bytes: Int
  var samples: Int

  /// Reads the first sample entry; nil when its samples have the sizes of the table.
  init?(_ entry: ISOBox, of source: ByteSource) {
    let body = entry.body.lowerBound
    guard let version = source.uint16(at: body + 8), let channels = source.uint16(at: body + 16),
      let bits = source.uint16(at: body + 18)
    else { return nil }
    switch version {
    case 1:
      guard let samples = source.uint32(at: body + 28), let bytes = source.uint32(at: body + 36)
      else { return nil }
      self.init(bytes: bytes, samples: samples)
    case 2:
      guard let bytes = source.uint32(at: body + 56), let samples = source.uint32(at: body + 60)
      else { return nil }
      self.init(bytes: bytes, samples: samples)
    default:
      guard let (bytes, samples) = Self.known(entry.type, bits: bits) else { return nil }
      self.init(bytes: bytes * channels, samples: samples)
    }
    guard bytes > 0, samples > 0 else { return nil }
  }

  private init(bytes: Int, samples: Int) {
    (self.bytes, self.samples) = (bytes, samples)
  }

  /// Returns the bytes and samples of a packet of one channel.
  private static func known(_ type: FourCharacterCode, bits: Int) -> (Int, Int)? {
    switch type {
    case "raw ", "NONE", "twos", "sowt": ((bits + 7) / 8, 1)
    case "in24": (3, 1)
    case "in32", "fl32": (4, 1)
    case "fl64": (8, 1)
    case "ulaw", "alaw": (1, 1)
    case "ima4": (34, 64)
    case "MAC3": (2, 6)
    case "MAC6": (1, 6)
    default: nil
    }
  }
}
