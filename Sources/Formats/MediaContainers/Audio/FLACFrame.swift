/// The header of a FLAC frame.
///
/// Source: RFC 9639 section 9.1.
package struct FLACFrame {
  /// Whether frames are numbered by sample, since their lengths differ.
  package var isVariable: Bool
  /// The number of the frame, or of its first sample if the block size varies.
  package var number: UInt64
  /// The number of samples per channel.
  package var blockSize: Int
  /// The channel assignment: 0 to 7 mean one channel less than their number; 8 to 10 mean stereo
  /// with a difference channel.
  package var channels: Int
  /// The bits per sample; 0 means the value of the stream.
  package var bitsPerSample: Int
  /// The length of the header in bytes, with its checksum.
  package var headerLength: Int

  /// The number of channels.
  package var channelCount: Int { channels < 8 ? channels + 1 : 2 }

  /// Returns whether a frame is the next one of a stream. Early writers of blocks of several lengths number
  /// frames by sample, and mark them as if each had the same.
  ///
  /// Source: RFC 9639 section 9.1; the IETF's FLAC test file 27, of Flake 0.11.
  func isFollowed(by other: FLACFrame, in stream: FLACStreamInfo) -> Bool {
    guard isVariable == other.isVariable else { return false }
    let bySample = number &+ UInt64(blockSize)
    if isVariable { return other.number == bySample }
    return other.number == number &+ 1 || stream.isVariable && other.number == bySample
  }

  private static let depths = [0, 8, 12, -1, 16, 20, 24, 32]

  /// Parses the header at `offset`; nil when it is invalid or its checksum is wrong.
  package init?(of source: ByteSource, at offset: Int) {
    guard let word = source.unsigned(at: offset, count: 4), word >> 17 == 0x7FFC, word & 1 == 0
    else { return nil }
    isVariable = word >> 16 & 1 == 1
    let sizeCode = Int(word >> 12 & 15)
    let rateCode = Int(word >> 8 & 15)
    channels = Int(word >> 4 & 15)
    bitsPerSample = Self.depths[Int(word >> 1 & 7)]
    guard sizeCode != 0, rateCode != 15, channels <= 10, bitsPerSample >= 0,
      let (number, length) = Self.number(of: source, at: offset + 4)
    else { return nil }
    self.number = number
    var end = offset + 4 + length
    switch sizeCode {
    case 1: blockSize = 192
    case 2...5: blockSize = 144 << sizeCode
    case 6, 7:
      guard let size = source.unsigned(at: end, count: sizeCode - 5) else { return nil }
      blockSize = Int(size) + 1
      end += sizeCode - 5
    default: blockSize = 1 << sizeCode
    }
    end += rateCode == 12 ? 1 : rateCode >= 13 ? 2 : 0
    headerLength = end + 1 - offset
    var sum = CRC.flacHeader
    sum.add(offset..<end, of: source)
    guard source.uint8(at: end) == Int(sum.value) else { return nil }
  }

  /// Reads a number of up to 36 bits in the encoding of UTF-8.
  private static func number(
    of source: ByteSource,
    at offset: Int
  ) -> (UInt64, length: Int)? {
    guard let first = source.byte(at: offset) else { return nil }
    let ones = (~first).leadingZeroBitCount
    guard ones > 0 else { return (UInt64(first), 1) }
    guard (2...7).contains(ones) else { return nil }
    var value = ones == 7 ? 0 : UInt64(first & (0x7F >> UInt8(ones)))
    for index in 1..<ones {
      guard let byte = source.byte(at: offset + index), byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt64(byte & 0x3F)
    }
    return (value, ones)
  }
}
