import MediaModel

/// How the samples of a WAV are coded: what its fmt chunk says.
///
/// Source: Microsoft, WAVEFORMATEX, WAVEFORMATEXTENSIBLE and mmreg.h.
package struct WAVFormat {
  /// What stands behind the first two bytes of a sub-format that is a plain format code.
  private static let base: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  /// The same for Ambisonic B-format.
  private static let ambisonic: [UInt8] = [
    0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0,
  ]

  /// 1 PCM, 3 floating point, 6 A-law, 7 µ-law …; of an extensible one, its sub-format.
  package var code: Int
  package var channelCount: Int
  package var sampleRate: Int
  package var bytesPerSecond: Int
  /// Bytes of one sample of all channels, or of one block of what is compressed.
  var blockLength: Int
  package var bitsPerSample: Int
  /// The chunk's data, without what its format does not have.
  package var bytes: [UInt8]

  /// Whether a block is one sample of all channels.
  package var isPlain: Bool { [1, 3, 6, 7].contains(code) }

  package var codec: String {
    switch code {
    case 1: bitsPerSample <= 8 ? "pcm_u8" : "pcm_s\(bitsPerSample)le"
    case 2: "adpcm_ms"
    case 3: "pcm_f\(bitsPerSample)le"
    case 6: "pcm_alaw"
    case 7: "pcm_mulaw"
    case 0x11: "adpcm_ima_wav"
    case 0x31: "gsm_ms"
    case 0x55: "mp3"
    default: "wave_0x" + Hexadecimal.text(code, digits: 4)
    }
  }

  /// Reads a fmt chunk; nil when it ends early or makes no sense.
  package init?(of source: ByteSource, in data: Range<Int>) {
    guard data.count >= 16, let tag = source.uint16(at: data.lowerBound, order: .little),
      let channels = source.uint16(at: data.lowerBound + 2, order: .little),
      let rate = source.uint32(at: data.lowerBound + 4, order: .little),
      let speed = source.uint32(at: data.lowerBound + 8, order: .little),
      let block = source.uint16(at: data.lowerBound + 12, order: .little),
      let bits = source.uint16(at: data.lowerBound + 14, order: .little),
      channels > 0, rate > 0, block > 0
    else { return nil }
    (code, channelCount, sampleRate, bytesPerSecond) = (tag, channels, rate, speed)
    (blockLength, bitsPerSample) = (block, bits)
    var length = 16
    if tag == 0xFFFE {
      guard data.count >= 40, let sub = source.uint16(at: data.lowerBound + 24, order: .little)
      else { return nil }
      code = sub
      length = 40
    } else if let extra = Self.extraLength(tag, of: source, in: data) {
      length = extra == 0 ? 16 : 18 + extra
    }
    guard let bytes = source.bytes(in: data.prefix(length), limit: 1 << 12), bytes.count == length
    else { return nil }
    self.bytes = bytes
    if isPlain { write(sampleRate * blockLength, count: 4, at: 8) }
    // The length of what follows is not to be longer than what is written.
    if length > 16 { write(length - 18, count: 2, at: 16) }
    // Loudspeakers: 18 of 32 bits have a meaning.
    if tag == 0xFFFE, bytes[22] > 3 || bytes[23] > 0 { write(0, count: 4, at: 20) }
  }

  private mutating func write(_ value: Int, count: Int, at offset: Int) {
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// Whether nothing in it could carry anything else.
  package var isKnown: Bool {
    let knownCodes = [1, 2, 3, 6, 7, 0x11, 0x31]
    guard knownCodes.contains(code) else { return false }
    if isPlain {
      let width = blockLength / channelCount
      guard blockLength % channelCount == 0, width >= (bitsPerSample + 7) / 8, width <= 8 else {
        return false
      }
    }
    guard bytes.count == 40, bytes[0] == 0xFE else { return true }
    return isPlain
      && (bytes[26...].elementsEqual(Self.base)
        || bytes[26...].elementsEqual(Self.ambisonic))
  }

  /// Bytes behind the 18 of a WAVEFORMATEX that a compression needs; nil for what is not known.
  private static func extraLength(
    _ tag: Int,
    of source: ByteSource,
    in data: Range<Int>
  ) -> Int? {
    switch tag {
    case 2:
      // Samples of a block, and pairs of coefficients.
      guard let pairs = source.uint16(at: data.lowerBound + 20, order: .little), pairs <= 256 else {
        return nil
      }
      return 4 + 4 * pairs
    case 0x11, 0x31: return 2
    default: return 0
    }
  }
}
