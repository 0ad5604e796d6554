internal import MediaDigest

/// SHA-256 of one record's bytes, without the newline that ends its line.
///
/// Source: FIPS 180-4.
struct RecordHash: Sendable, Hashable {
  /// The 32 bytes as they lie in memory.
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// The previous hash in the very first record of a library.
  static let zero = RecordHash(words: (0, 0, 0, 0))

  private init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  init(hashing bytes: UnsafeRawBufferPointer) {
    var hasher = SHA256()
    hasher.update(bytes)
    self.init(&hasher)
  }

  /// The digest of all that a hasher was given.
  init(_ hasher: inout SHA256) {
    words = unsafeBitCast(hasher.finalizeAsWords(), to: (UInt64, UInt64, UInt64, UInt64).self)
  }

  /// Reads 64 lowercase hexadecimal digits; nil for anything else.
  init?(hexadecimal text: String) {
    var text = text
    let hash = text.withUTF8 { RecordHash(hexadecimal: UnsafeRawBufferPointer($0)) }
    guard let hash else { return nil }
    self = hash
  }

  /// Reads a hash from the digits in a buffer; nil when they are not 64 lowercase ones.
  init?(hexadecimal digits: UnsafeRawBufferPointer) {
    guard digits.count == 64, let a = Self.word(digits, 0), let b = Self.word(digits, 16),
      let c = Self.word(digits, 32), let d = Self.word(digits, 48)
    else { return nil }
    words = (a, b, c, d)
  }

  /// The eight bytes as they lie in memory that the 16 lowercase hexadecimal digits from `start` stand for, which are in
  /// the buffer.
  static func word(_ digits: UnsafeRawBufferPointer, _ start: Int) -> UInt64? {
    func load(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: digits.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
    }
    guard let high = HexadecimalWord.value(load(0)), let low = HexadecimalWord.value(load(8)) else {
      return nil
    }
    return (high << 32 | low).bigEndian
  }

  /// The hash that 32 bytes are; nil for any other number of them.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    words = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// 32 bytes.
  var bytes: [UInt8] { withBytes([UInt8].init) }

  /// 64 lowercase hexadecimal digits.
  var text: String { withDigits { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the 32 bytes, which are valid only there.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words, body)
  }

  /// Calls `body` with the 64 lowercase hexadecimal digits, which are valid only there.
  func withDigits<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { digits in
      withBytes { bytes in
        for index in 0..<8 {
          let part = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
          digits[index] = HexadecimalWord.digits(UInt64(part)).bigEndian
        }
      }
      return body(UnsafeRawBufferPointer(digits))
    }
  }

  static func == (lhs: RecordHash, rhs: RecordHash) -> Bool { lhs.words == rhs.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

/// Numbers of 32 bits and their eight lowercase hexadecimal digits, the first in the highest byte: a log has a dozen in
/// each record, so that all eight are read or written side by side.
private enum HexadecimalWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The digits of a number below 2^32.
  static func digits(_ number: UInt64) -> UInt64 {
    let halves = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
    let bytes = (halves << 8 | halves) & 0x00FF_00FF_00FF_00FF
    return characters((bytes << 4 | bytes) & (ones &* 0x0F))
  }

  /// The digits of the values from 0 to 15 that the bytes are.
  private static func characters(_ values: UInt64) -> UInt64 {
    let letters = (values &+ ones &* 6) >> 4 & ones
    return values &+ ones &* UInt64(UInt8(ascii: "0")) &+ letters &* 39
  }

  /// The number that digits stand for; nil where one is none.
  static func value(_ digits: UInt64) -> UInt64? {
    let letters = digits >> 6 & ones
    let values = digits & (ones &* 0x0F) &+ letters &* 9
    guard values & (ones &* 0xF0) == 0, characters(values) == digits else { return nil }
    let bytes = (values >> 4 | values) & 0x00FF_00FF_00FF_00FF
    let halves = (bytes >> 8 | bytes) & 0x0000_FFFF_0000_FFFF
    return (halves >> 16 | halves) & 0xFFFF_FFFF
  }
}
