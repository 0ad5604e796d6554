import MediaModel

/// The sample format in a WAV's fmt chunk.
///
/// Source: Microsoft, WAVEFORMATEX, WAVEFORMATEXTENSIBLE and mmreg.h.
package struct WAVFormat {
  /// The remaining bytes of a sub-format whose first two bytes are a plain format code.
  private static let base: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  /// The same bytes for Ambisonic B-format.
  private static let ambisonic: [UInt8] = [
    0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0,
  ]

  /// The format code: 1 PCM, 3 floating point, 6 A-law, 7 µ-law …; for an extensible format, that
  /// of its sub-format.
  package var code: Int
  /// The number of channels.
  package var channelCount: Int
  /// The samples per second.
  package var sampleRate: Int
  /// The average number of bytes per second.
  package var bytesPerSecond: Int
  /// The number of bytes of one sample of all channels, or of one compressed block.
  var blockLength: Int
  /// The number of bits per sample.
  package var bitsPerSample: Int
  /// The data of the chunk, limited to what its format defines.
  package var bytes: [UInt8]

  /// The format code of MPEG audio layer III, whose frames may have tags between them.
  private static let mp3 = 0x55

  /// Whether the samples are the frames of an MP3.
  package var isMP3: Bool { code == Self.mp3 }

  /// Whether a block is one sample of all channels.
  package var isPlain: Bool { [1, 3, 6, 7].contains(code) }

  /// The name of the codec.
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

  /// Parses a fmt chunk; nil when it ends early or is invalid.
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
    // The extension length must not exceed what is written.
    if length > 16 { write(length - 18, count: 2, at: 16) }
    // The channel mask has 18 defined bits of 32.
    if tag == 0xFFFE, bytes[22] > 3 || bytes[23] > 0 { write(0, count: 4, at: 20) }
  }

  private mutating func write(_ value: Int, count: Int, at offset: Int) {
    bytes.replaceSubrange(offset..<(offset + count), with: value.bytes(count, .little))
  }

  /// Whether the format is known, so that no part of it could carry other data.
  package var isKnown: Bool {
    let knownCodes = [1, 2, 3, 6, 7, 0x11, 0x31, Self.mp3]
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

  /// Returns the number of bytes that a compression needs after the 18 of a WAVEFORMATEX; nil for
  /// an unknown one.
  private static func extraLength(
    _ tag: Int,
    of source: ByteSource,
    in data: Range<Int>
  ) -> Int? {
    switch tag {
    case 2:
      // The extension holds the samples per block and pairs of coefficients.
      guard let pairs = source.uint16(at: data.lowerBound + 20, order: .little), pairs <= 256 else {
        return nil
      }
      return 4 + 4 * pairs
    case 0x11, 0x31: return 2
    // Flags, block size, frames per block and delay of MPEG audio.
    case 0x55: return data.count >= 30 ? 12 : 0
    default: return 0
    }
  }
}
