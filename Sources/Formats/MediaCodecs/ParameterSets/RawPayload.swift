import MediaContainers

/// The payload of a NAL unit without the bytes that keep start codes out of it, read field by field.
///
/// Source: ITU-T H.264 sections 7.3.1, 7.4.1, 9.1; ITU-T H.265 sections 7.3.1.1, 7.4.2, 9.2.
struct RawPayload {
  /// A field is missing, or has a number that cannot be.
  static let damaged = MetadataError(.damaged, "a parameter set of impossible fields")

  private var bits: BitReader
  /// The bytes of the payload.
  let bytes: [UInt8]

  /// The number of bits that were read.
  var position: Int { bits.position }

  /// Starts at the first bit of `bytes`, which hold no emulation prevention bytes.
  init(_ bytes: [UInt8]) {
    (self.bytes, bits) = (bytes, BitReader(bytes))
  }

  /// Reads a number of `count` bits.
  ///
  /// - Throws: `damaged` when some are missing.
  mutating func number(_ count: Int) throws(MetadataError) -> Int {
    guard let value = bits.read(count) else { throw Self.damaged }
    return value
  }

  /// Reads a bit.
  ///
  /// - Throws: `damaged` when it is missing.
  mutating func flag() throws(MetadataError) -> Bool { try number(1) == 1 }

  /// Passes over `count` bits.
  ///
  /// - Throws: `damaged` when some are missing.
  mutating func skip(_ count: Int) throws(MetadataError) {
    guard bits.skip(count) else { throw Self.damaged }
  }

  /// Reads an Exp-Golomb number, which is at most `limit`.
  ///
  /// - Throws: `damaged` when it ends early or is greater.
  mutating func golomb(upTo limit: Int = Int(UInt32.max)) throws(MetadataError) -> Int {
    var zeros = 0
    while try number(1) == 0 {
      zeros += 1
      guard zeros <= 32 else { throw Self.damaged }
    }
    let value = (1 << zeros) - 1 + (try number(zeros))
    guard value <= limit else { throw Self.damaged }
    return value
  }

  /// Passes over `count` Exp-Golomb numbers, signed or not.
  ///
  /// - Throws: `damaged` when one ends early.
  mutating func skipGolombs(_ count: Int = 1) throws(MetadataError) {
    for _ in 0..<count { _ = try golomb() }
  }

  /// Reads a signed Exp-Golomb number.
  ///
  /// - Throws: `damaged` when it ends early.
  mutating func signedGolomb() throws(MetadataError) -> Int {
    let value = try golomb()
    return value % 2 == 1 ? (value + 1) / 2 : -value / 2
  }

  /// Whether more follows than the stop bit and zeros.
  var hasMore: Bool {
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return false }
    return position < 8 * last + 7 - bytes[last].trailingZeroBitCount
  }

  /// Returns the bytes up to the stop bit, which is the next one.
  ///
  /// - Throws: `damaged` when the next bit is no stop bit.
  mutating func ended() throws(MetadataError) -> [UInt8] {
    let (whole, bits) = (position / 8, position % 8)
    guard try flag() else { throw Self.damaged }
    let kept = bytes[whole] & ~(0xFF >> UInt8(bits))
    return bytes[..<whole] + [kept | 0x80 >> UInt8(bits)]
  }

  /// Returns the number of bytes up to the end of trailing bits: a one, and zeros up to the end of its byte.
  ///
  /// - Throws: `damaged` when other bits follow.
  mutating func ended(zerosUpTo alignment: Int) throws(MetadataError) -> Int {
    guard try flag() else { throw Self.damaged }
    while position % alignment != 0 {
      guard try !flag() else { throw Self.damaged }
    }
    return position / 8
  }

  /// Returns the bytes of a NAL unit without emulation prevention bytes.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// Returns the bytes of a NAL unit with emulation prevention bytes.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
