import MediaCodecs
import MediaContainers
import MediaMetadata

/// A sample entry, which gives the codec of a track's samples, written anew.
///
/// Source: ISO/IEC 14496-12 sections 8.5.2, 12.1.3 and 12.2.3; Apple, QuickTime File Format, sample
/// descriptions; mp4ra.org, sample entries.
struct ISOSampleEntry {
  /// The whole box.
  var box: [UInt8]
  var bitstream = Bitstream.plain
  /// The purpose of the pictures of an auxiliary track of an image sequence.
  var auxiliary: HEIFAuxiliary?
  /// The names of what was removed from the entry.
  var removed: [String] = []

  /// Returns the number of bytes ahead of the boxes of a whole entry.
  static func headLength(
    of entry: ISOBox,
    _ isAudio: Bool,
    _ isVersionOne: Bool,
    in source: ByteSource
  ) -> Int {
    guard isAudio else { return 78 }
    let version = source.uint16(at: entry.body.lowerBound + 8) ?? 0
    return [28, isVersionOne ? 28 : 44, 64][min(version, 2)]
  }

  /// Reads a box of stsd, of a track with the handler `vide`, `soun`, or, in an image sequence,
  /// `pict` or `auxv`. An stsd of version 1 has the newer form of audio entries. A `sphere` that the
  /// track states beside its entries becomes a part of each.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec, and for encrypted samples or samples in
  ///   another file; `damaged` without a configuration that its codec needs.
  init(
    _ entry: ISOBox,
    handler: FourCharacterCode,
    isVersionOne: Bool,
    sphere: SphericalVideo? = nil,
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
    var kind = ISOVideoCodec.Kind.plain
    let isPicture = handler == "pict" || handler == "auxv"
    if handler == "soun" {
      guard ISOAudioCodec.types.contains(entry.type) else {
        throw MetadataError(.stripUnsupported, "sound track of type \(name)")
      }
      head = try Self.audioHead(&fields, isVersionOne: isVersionOne)
    } else {
      guard let codecKind = ISOVideoCodec.kind(of: entry, in: source),
        !isPicture || BoxAllowList.picture.allows(entry.type, in: "stsd")
      else { throw MetadataError(.stripUnsupported, "video track of type \(name)") }
      kind = codecKind
      head = try Self.videoHead(&fields, isPicture: isPicture)
    }
    var boxes = ISOSampleEntryBoxes(kind, isPicture: isPicture, isSound: handler == "soun")
    try boxes.read(fields.range, of: source, name)
    bitstream = try boxes.finish(name)
    if bitstream == .plain, handler == "soun", let frames = Self.frames[entry.type] {
      bitstream = .sound(frames)
    }
    // Where a table counts bytes or single samples, as old movies' tables do, none of them is a frame.
    let start = entry.body.lowerBound
    let countsFrames =
      isVersionOne || source.uint16(at: start + 8) != 1 || source.uint16(at: start + 20) == 0xFFFE
    if bitstream.sound != nil, !countsFrames { bitstream = .plain }
    (auxiliary, removed) = (boxes.auxiliary, boxes.removed)
    let projection = sphere?.boxes(beside: boxes.types) ?? []
    box = ISOWriter.box(entry.type, head + boxes.bytes + projection)
    let compressor = entry.body.dropFirst(42).prefix(32)
    if handler == "vide",
      source.bytes(in: compressor, limit: 32)?.contains(where: { $0 != 0 }) == true
    {
      removed.append("compressor name")
    }
  }

  /// The frames of sound by the type of the entry.
  private static let frames: [FourCharacterCode: SoundFrames] = [
    "ac-3": .ac3, "ec-3": .ac3, "mlpa": .trueHD, "fLaC": .flac, "dtsc": .dts, "dtsh": .dts,
    "dtsl": .dts, "dtse": .dts, ".mp3": .mpeg, FourCharacterCode(value: 0x6D73_0055): .mpeg,
  ]

  static let encrypted: Set<FourCharacterCode> = [
    "encv", "enca", "enct", "encs", "drms", "drmi", "drmt", "p608",
  ]

  private static let reference: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  /// Returns size, resolution, frames per sample and depth, without version, vendor or compressor
  /// name. A picture has 72 dots per inch, one frame per sample and 24 bits.
  private static func videoHead(
    _ fields: inout ISOFields,
    isPicture: Bool
  ) throws(MetadataError) -> [UInt8] {
    var version = try fields.bytes(2)
    _ = try fields.bytes(6 + 8)
    let size = try fields.bytes(4)
    var resolution = try fields.bytes(8)
    _ = try fields.bytes(4)
    var frames = try fields.bytes(2)
    _ = try fields.bytes(32)
    var depth = try fields.bytes(2)
    let table = try fields.bytes(2)
    if isPicture {
      (version, resolution) = ([0, 0], [0, 72, 0, 0, 0, 72, 0, 0])
      (frames, depth) = ([0, 1], [0, 24])
    }
    // A table ID of 0 means that a color table follows, which only pictures of at most 8 bits have.
    guard table != [0, 0] || (depth[0] == 0 && depth[1] & 0x1F > 8) || depth == [0, 0] else {
      throw MetadataError(.stripUnsupported, "video with a color table")
    }
    return reference + version + [UInt8](repeating: 0, count: 14) + size + resolution
      + [0, 0, 0, 0] + frames + [UInt8](repeating: 0, count: 32) + depth + [0xFF, 0xFF]
  }

  /// Returns channels, sizes and rate, without revision or vendor.
  ///
  /// - Throws: `stripUnsupported` for a number of more than 24 bits in a description of version 1 or 2: these stand
  ///   side by side, with room for a text.
  private static func audioHead(
    _ fields: inout ISOFields,
    isVersionOne: Bool
  ) throws(MetadataError) -> [UInt8] {
    let version = try fields.number(2)
    _ = try fields.bytes(6)
    var head = reference + version.bytes(2) + [UInt8](repeating: 0, count: 6)
    head += try fields.bytes(12)
    switch version {
    case 0: break
    case 1 where isVersionOne: break
    case 1: head += try numbers(4, &fields)
    case 2:
      // The size of the description without boxes, the rate, the channels, a constant, and the layout of a packet.
      _ = try fields.bytes(4)
      head += 72.bytes(4) + (try fields.bytes(8)) + (try numbers(1, &fields))
      _ = try fields.bytes(4)
      head += 0x7F00_0000.bytes(4) + (try numbers(4, &fields))
    default: throw MetadataError(.stripUnsupported, "sound description of version \(version)")
    }
    return head
  }

  /// Returns numbers of four bytes of which the first is 0.
  private static func numbers(_ count: Int, _ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let number = try fields.number(4)
      guard number < 1 << 24 else {
        throw MetadataError(.stripUnsupported, "sound description with a number of more than 24 bits")
      }
      bytes += number.bytes(4)
    }
    return bytes
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
      guard let (bytes, samples) = Self.packet(entry.type, bits: bits) else { return nil }
      self.init(bytes: bytes * channels, samples: samples)
    }
    guard bytes > 0, samples > 0 else { return nil }
  }

  private init(bytes: Int, samples: Int) {
    (self.bytes, self.samples) = (bytes, samples)
  }

  /// Returns the bytes and samples of a packet of one channel.
  private static func packet(_ type: FourCharacterCode, bits: Int) -> (Int, Int)? {
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
