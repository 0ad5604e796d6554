/// The header of an AAC frame in a file without a container.
///
/// Source: ISO/IEC 13818-7 section 6.2 and ISO/IEC 14496-3 section 1.A.2 (adts_fixed_header,
/// adts_variable_header).
package struct ADTSFrame: FramedAudio {
  private static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    7350,
  ]
  /// The bits of a header without a checksum that say nothing to a decoder: private, original, home,
  /// and the two of the copyright identification, which is a number in pieces of a bit.
  private static let silentBits: UInt64 = 1 << 33 | 0b1111 << 26
  private static let checksumAbsent: UInt64 = 1 << 40

  /// The length in bytes, with the header.
  package let length: Int
  /// Version, profile, sample rate and channel configuration.
  package let kind: UInt32
  /// The number of bytes of the header: 7, or 9 with a checksum.
  package let headLength: Int
  /// The samples per second; a decoder may double it.
  package let sampleRate: Int
  /// The number of channels; nil when the audio data contain it.
  package let channelCount: Int?
  /// The number of packets in the frame.
  package let packetCount: Int
  /// The seven bytes of a header without checksum and without the bits that no decoder reads.
  package let header: [UInt8]

  /// Parses the frame header at `offset`; nil when there is none.
  package init?(of source: ByteSource, at offset: Int) {
    guard let word = source.unsigned(at: offset, count: 7), word >> 44 == 0xFFF,
      word >> 41 & 3 == 0, Int(word >> 34 & 0xF) < Self.rates.count
    else { return nil }
    headLength = word & Self.checksumAbsent != 0 ? 7 : 9
    length = Int(word >> 13 & 0x1FFF)
    guard length > headLength else { return nil }
    sampleRate = Self.rates[Int(word >> 34 & 0xF)]
    let channels = Int(word >> 30 & 7)
    channelCount = channels == 0 ? nil : channels == 7 ? 8 : channels
    packetCount = Int(word & 3) + 1
    kind = UInt32(truncatingIfNeeded: (word & ~Self.checksumAbsent & ~Self.silentBits) >> 30)
    let shorter = UInt64(length - headLength + 7) << 13
    let fields = word & ~Self.silentBits & ~(0x1FFF << 13)
    header = (fields | Self.checksumAbsent | shorter).bytes(7)
  }

  /// The number of samples per channel of a packet, before a decoder doubles the rate.
  package static let samplesInPacket = 1024

  /// Returns the bytes of the packet in a frame at `offset`.
  package func packet(at offset: Int) -> Range<Int> { (offset + headLength)..<(offset + length) }
}
