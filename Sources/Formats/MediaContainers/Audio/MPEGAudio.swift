/// The header of an MPEG audio layer III frame.
///
/// Source: ISO/IEC 11172-3 section 2.4.2.3; ISO/IEC 13818-3 for the lower rates.
package struct MPEGAudioFrame: FramedAudio {
  /// The length in bytes, with the header.
  package var length: Int
  /// The version, layer and sample rate, which all frames of a stream share.
  package var kind: UInt32
  /// The samples per second.
  package var sampleRate: Int
  /// The number of channels.
  package var channelCount: Int
  /// The number of samples per channel.
  package var sampleCount: Int
  /// The number of bytes of side information after the four-byte header.
  package var sideLength: Int
  /// Whether a checksum of two bytes follows the four-byte header.
  package var isProtected: Bool

  /// Parses the frame header at `offset`; nil when there is none.
  package init?(of source: ByteSource, at offset: Int) {
    guard let word = source.unsigned(at: offset, count: 4), word >> 21 == 0x7FF else { return nil }
    let version = Int(word >> 19 & 3)
    let layer = word >> 17 & 3
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    guard version != 1, layer == 1, (1...14).contains(rateIndex), frequencyIndex < 3 else {
      return nil
    }
    let isVersion1 = version == 3
    let rate = (isVersion1 ? Self.rates : Self.lowerRates)[rateIndex]
    let divisor = isVersion1 ? 1 : version == 2 ? 2 : 4
    let isMono = word >> 6 & 3 == 3
    sampleRate = Self.frequencies[frequencyIndex] / divisor
    length = (isVersion1 ? 144 : 72) * rate * 1000 / sampleRate + Int(word >> 9 & 1)
    kind = UInt32(truncatingIfNeeded: word & 0xFFFE_0C00)
    isProtected = word >> 16 & 1 == 0
    channelCount = isMono ? 1 : 2
    sampleCount = isVersion1 ? 1152 : 576
    sideLength = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
  }

  private static let frequencies = [44_100, 48_000, 32_000]
  private static let rates = [
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
  ]
  private static let lowerRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// The tags at the start of an audio file: any number of ID3v2 and APE tags.
package struct LeadingTags {
  private static let maximumCount = 64

  /// The ID3v2 tags in file order.
  package private(set) var id3: [ID3Tag] = []
  /// The APE tags in file order.
  package private(set) var ape: [APETag] = []
  /// The end of the last tag, 0 when there are none.
  package private(set) var end = 0

  /// Reads all tags at the start of `source`.
  package init(of source: ByteSource) {
    while id3.count + ape.count < Self.maximumCount {
      if let tag = ID3Tag(of: source, at: end) {
        id3.append(tag)
        end = tag.range.upperBound
      } else if let tag = APETag(of: source, at: end) {
        ape.append(tag)
        end = tag.range.upperBound
      } else {
        return
      }
    }
  }
}
