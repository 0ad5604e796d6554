import MediaContainers

/// The configuration of a decoder of lossless MPEG-4 sound (ALS), written anew without the header and the
/// trailer of the file that was coded, and without auxiliary data: the sound does not depend on them.
///
/// Source: ISO/IEC 14496-3 section 11.6.1 (ALSSpecificConfig); libavcodec, alsdec.c, mpeg4audio.c.
struct ALSConfiguration {
  /// The configuration, in whole bytes.
  private(set) var bytes: [UInt8] = []
  /// The bits of the header and of the trailer of the file that was coded.
  private(set) var embedded: [Range<Int>] = []

  private static let identifier = 0x414C_5300
  private static let damaged = MetadataError(.damaged, "AAC configuration that cannot be")

  /// Reads the fields that follow the ones of all MPEG-4 sound.
  ///
  /// - Throws: `damaged` when some are missing, and for an order of channels that is none.
  init(_ reader: inout BitReader) throws(MetadataError) {
    let start = reader
    // Some writers have 24 bits in front, which decoders pass over.
    if reader.read(24) == Self.identifier >> 8 { reader = start }
    func number(_ count: Int) throws(MetadataError) -> Int {
      guard let value = reader.read(count) else { throw Self.damaged }
      return value
    }
    guard try number(32) == Self.identifier else { throw Self.damaged }
    let rate = try number(32)
    let samples = try number(32)
    let channels = try number(16) + 1
    _ = try number(3)  // file_type
    let form = try number(5)  // resolution, floating, msb_first
    let frameLength = try number(16)
    let randomAccess = try number(8)
    let accessUnits = try number(2)  // ra_flag
    // adapt_order, coef_table, long_term_prediction, max_order, block_switching, bgmc_mode, sb_part,
    // joint_stereo, mc_coding
    let coding = try number(1 + 2 + 1 + 10 + 2 + 1 + 1 + 1 + 1)
    let hasLayout = try number(1)  // chan_config
    let isSorted = try number(1)  // chan_sort
    let hasChecksum = try number(1)  // crc_enabled
    let isAdaptive = try number(1)  // RLSLMS
    _ = try number(5 + 1)  // reserved, aux_data_enabled
    bytes = Self.identifier.bytes(4) + rate.bytes(4) + samples.bytes(4) + (channels - 1).bytes(2)
    // A file of no known type, since its header is not there.
    bytes += form.bytes(1) + frameLength.bytes(2) + randomAccess.bytes(1)
    // The lengths of access units, which no decoder needs, stand in frames or nowhere.
    let flags = (accessUnits == 2 ? 0 : accessUnits) << 22 | coding << 2 | hasLayout << 1 | isSorted
    bytes += flags.bytes(3) + (hasChecksum << 7 | isAdaptive << 6).bytes(1)
    if hasLayout == 1 { bytes += (try number(16)).bytes(2) }
    if isSorted == 1, channels > 1 { bytes += try Self.positions(&reader, of: channels) }
    let (header, trailer) = (try number(32), try number(32))
    for length in [header, trailer] where length != 0xFFFF_FFFF {
      let start = reader.position
      guard reader.skip(8 * length) else { throw Self.damaged }
      if length > 0 { embedded.append(start..<reader.position) }
    }
    bytes += [UInt8](repeating: 0, count: 8)
    if hasChecksum == 1 { bytes += (try number(32)).bytes(4) }
  }

  /// Returns the place of each channel, of which each is there once, up to the end of a byte.
  private static func positions(
    _ reader: inout BitReader,
    of channels: Int
  ) throws(MetadataError) -> [UInt8] {
    let width = Int.bitWidth - (channels - 1).leadingZeroBitCount
    let end = (channels * width + 7) / 8
    let start = reader
    var seen: Set<Int> = []
    for _ in 0..<channels {
      guard let channel = reader.read(width), channel < channels, seen.insert(channel).inserted else {
        throw damaged
      }
    }
    reader.align()
    var copy = start
    var bytes: [UInt8] = []
    for index in 0..<end {
      let width = min(8, channels * width - 8 * index)
      guard let byte = copy.read(width) else { throw damaged }
      bytes.append(UInt8(byte << (8 - width)))
    }
    return bytes
  }
}
