package import MediaContainers

/// A rewritten MPEG-4 elementary stream descriptor: the codec, its buffer size and bit rates, and
/// the decoder configuration.
///
/// Source: ISO/IEC 14496-1 section 7.2.6; ISO/IEC 14496-14 section 3.1.2.
package struct MovieElementaryStream {
  /// The body of esds after version and flags.
  package private(set) var body: [UInt8] = []
  /// Whether packets are AAC whose first elements can be parsed.
  package private(set) var isAAC = false
  /// Whether pictures are MPEG-2, or MPEG-1.
  package private(set) var isMPEG2 = false
  /// The frames of the samples, of sound that can be told from other bytes.
  package private(set) var frames: SoundFrames?
  /// The decoder configuration.
  package private(set) var configuration: [UInt8] = []
  /// The ranges of the source with the header and the trailer of the file that was coded.
  package private(set) var embedded: [Range<Int>] = []
  /// The names of what was removed from the configuration.
  package private(set) var removed: [String] = []

  private static let maximumSpecific = 1 << 12
  /// The profiles of MPEG-2, and MPEG-1.
  private static let mpeg2: Set<UInt8> = [0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x6A]
  /// The types of MPEG-4 and MPEG-2 sound whose decoders need a configuration.
  private static let sounds: Set<UInt8> = [0x40, 0x66, 0x67, 0x68]

  /// Parses and rewrites the descriptor in the body of an esds box.
  ///
  /// - Throws: `damaged` when the descriptor violates its format; `stripUnsupported` for a codec whose
  ///   configuration cannot be written anew.
  package init(
    _ fields: inout ISOFields,
    _ kind: ISOVideoCodec.Kind
  ) throws(MetadataError) {
    _ = try fields.number(4)
    var stream = try Self.descriptor(3, &fields)
    _ = try stream.number(2)
    let flags = try stream.number(1)
    if flags & 0x80 != 0 { _ = try stream.number(2) }
    // An address is that of no file that a player opens.
    if flags & 0x40 != 0 { _ = try stream.bytes(try stream.number(1)) }
    if flags & 0x20 != 0 { _ = try stream.number(2) }
    var codec = try Self.descriptor(4, &stream)
    let head = try codec.bytes(13)
    // These types are Vorbis and private types that other programs put into this number range.
    guard head[0] < 0xC0 || head[0] == 0xE1, kind != .mpeg4 || head[0] == 0x20 || Self.mpeg2.contains(head[0])
    else {
      throw MetadataError(.stripUnsupported, "MPEG-4 stream of type \(head[0])")
    }
    isMPEG2 = kind == .mpeg4 && head[0] != 0x20
    frames =
      switch head[0] {
      case 0x69, 0x6B: .mpeg
      case 0xA5, 0xA6: .ac3
      case 0xA9...0xAC: .dts
      default: nil
      }
    var description = head
    if codec.left > 0, let specific = try cleaned(try Self.descriptor(5, &codec), head[0], kind) {
      isAAC = Self.sounds.contains(head[0]) && AACElements.isRead(specific)
      description += Self.written(5, specific)
      configuration = specific
    }
    body = Self.written(3, [0, 0, 0] + Self.written(4, description) + Self.written(6, [2]))
  }

  /// Returns the number of AAC channels in the decoder configuration; nil for another codec, and
  /// where only the audio data contain it.
  ///
  /// Source: ISO/IEC 14496-3 section 1.6.2.1 (AudioSpecificConfig) and table 1.19.
  package static func channelCount(
    of entry: ISOBox,
    in source: ByteSource
  ) -> Int? {
    let version = source.uint16(at: entry.body.lowerBound + 8) ?? 0
    let head = [28, 44, 64][min(version, 2)]
    var boxes = entry.body.dropFirst(head)
    if let wave = ISOBoxes.first("wave", in: boxes, of: source) { boxes = wave.body }
    guard entry.type == "mp4a", let esds = ISOBoxes.first("esds", in: boxes, of: source) else {
      return nil
    }
    var fields = ISOFields(source, esds.body, "esds")
    guard let stream = try? MovieElementaryStream(&fields, .plain), stream.isAAC,
      let first = stream.configuration.first, stream.configuration.count >= 2
    else { return nil }
    // The configuration has five bits of type and four of rate, of which 15 means that 24 more
    // follow.
    let second = stream.configuration[1]
    let rate = first << 1 & 0xE | second >> 7
    let count = rate == 15 ? nil : Int(second >> 3 & 0xF)
    let channels = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]
    return count.flatMap { channels[$0] }
  }

  /// Returns the decoder configuration without what its decoder does not need; nil for a codec that has
  /// none.
  private mutating func cleaned(
    _ specific: ISOFields,
    _ type: UInt8,
    _ kind: ISOVideoCodec.Kind
  ) throws(MetadataError) -> [UInt8]? {
    let isSound = kind == .plain && Self.sounds.contains(type)
    let limit = isSound ? AACConfiguration.maximumLength : Self.maximumSpecific
    guard let bytes = specific.source.bytes(in: specific.range, limit: limit) else {
      throw MetadataError(.overLimit, "esds with too much in it")
    }
    if kind == .mpeg4 {
      let (kept, names) = try (isMPEG2 ? Bitstream.mpeg2 : .mpeg4).cleaned(bytes)
      removed += names
      return kept
    }
    let sound = isSound && !bytes.isEmpty ? try AACConfiguration(bytes) : nil
    let (kept, start) = (sound?.bytes, specific.range.lowerBound)
    embedded = (sound?.embedded ?? []).map { $0.lowerBound + start..<$0.upperBound + start }
    if kept ?? [] != bytes { removed.append("AAC configuration") }
    return kept
  }

  /// Reads the next descriptor, which must have the given tag.
  private static func descriptor(
    _ tag: Int,
    _ fields: inout ISOFields
  ) throws(MetadataError) -> ISOFields {
    guard try fields.number(1) == tag else { throw fields.damaged }
    var length = 0
    for _ in 0..<4 {
      let byte = try fields.number(1)
      length = length << 7 | byte & 0x7F
      if byte & 0x80 == 0 { break }
    }
    guard length <= fields.left else { throw fields.damaged }
    let start = fields.range.lowerBound
    let inner = ISOFields(fields.source, start..<(start + length), fields.name)
    fields = ISOFields(fields.source, (start + length)..<fields.range.upperBound, fields.name)
    return inner
  }

  /// Returns a descriptor whose length takes four bytes, as most programs write it.
  private static func written(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = [21, 14, 7, 0].map { shift in
      UInt8(truncatingIfNeeded: body.count >> shift & 0x7F) | (shift > 0 ? 0x80 : 0)
    }
    return [tag] + length + body
  }
}
