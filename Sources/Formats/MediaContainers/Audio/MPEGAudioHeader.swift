/// The header of a frame of MPEG audio, of any version and layer.
///
/// Source: ISO/IEC 11172-3 section 2.4.2.3; ISO/IEC 13818-3 for the lower rates, and FFmpeg's
/// libavcodec/mpegaudiodecheader.c for the lowest ones (version 2.5).
package struct MPEGAudioHeader {
  /// Whether it is one of version 1; the sample rates of the others are a half or a quarter of its own.
  package let isVersion1: Bool
  /// The layer, 1 to 3.
  package let layer: Int
  /// The samples per second.
  package let sampleRate: Int
  /// Whether there is one channel; there are two otherwise.
  package let isMono: Bool
  /// Whether a checksum of two bytes follows the four-byte header.
  package let isProtected: Bool
  /// The length of the frame in bytes, with the header; nil for a free rate, whose frames do not state it.
  package let length: Int?
  /// The bits of version, layer and sample rate, which all frames of a stream share.
  package let kind: UInt32

  /// Parses the header at `offset`; nil when there is none.
  package init?(of source: ByteSource, at offset: Int) {
    guard let word = source.unsigned(at: offset, count: 4), word >> 21 == 0x7FF else { return nil }
    let (version, layer) = (Int(word >> 19 & 3), 4 - Int(word >> 17 & 3))
    let (rateIndex, frequencyIndex) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
    guard version != 1, layer < 4, rateIndex < 15, frequencyIndex < 3 else { return nil }
    isVersion1 = version == 3
    self.layer = layer
    sampleRate = Self.frequencies[frequencyIndex] / (isVersion1 ? 1 : version == 2 ? 2 : 4)
    isMono = word >> 6 & 3 == 3
    isProtected = word >> 16 & 1 == 0
    kind = UInt32(truncatingIfNeeded: word & 0xFFFE_0C00)
    let padding = Int(word >> 9 & 1)
    let row = isVersion1 ? layer - 1 : layer == 1 ? 3 : 4
    let rate = 1000 * Self.rates[15 * row + rateIndex]
    if rate == 0 {
      length = nil
    } else if layer == 1 {
      length = 4 * (12 * rate / sampleRate + padding)
    } else {
      length = (layer == 3 && !isVersion1 ? 72 : 144) * rate / sampleRate + padding
    }
  }

  private static let frequencies = [44_100, 48_000, 32_000]
  /// The rates in kilobits per second, 0 for a free one: a row for each layer of version 1, one for layer I
  /// of the others, and one for their layers II and III.
  private static let rates = [
    0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
    0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
  ]
}
