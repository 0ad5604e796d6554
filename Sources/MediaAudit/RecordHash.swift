internal import Crypto

/// SHA-256 of one record's bytes, without the newline that ends its line.
///
/// Source: FIPS 180-4.
struct RecordHash: Sendable, Hashable {
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// What the very first record of a library points to.
  static let zero = RecordHash(words: (0, 0, 0, 0))

  private init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  init(hashing bytes: UnsafeRawBufferPointer) {
    var hasher = SHA256()
    hasher.update(bufferPointer: bytes)
    self.init(hasher.finalize())
  }

  init(_ digest: SHA256.Digest) {
    words = digest.withUnsafeBytes { bytes in
      func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      }
      return bytes.count == 32 ? (word(0), word(1), word(2), word(3)) : (0, 0, 0, 0)
    }
  }

  /// The hash that 64 lowercase hexadecimal digits stand for; nil for anything else.
  init?(hexadecimal text: String) {
    var text = text
    let words = text.withUTF8 { digits -> (UInt64, UInt64, UInt64, UInt64)? in
      guard digits.count == 64, let a = Self.word(digits, 0), let b = Self.word(digits, 16),
        let c = Self.word(digits, 32), let d = Self.word(digits, 48)
      else { return nil }
      return (a, b, c, d)
    }
    guard let words else { return nil }
    self.words = words
  }

  private static func word(_ digits: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt64? {
    var value: UInt64 = 0
    var index = start
    while index < start + 16 {
      let digit = digits[index]
      if digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") {
        value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
      } else if digit >= UInt8(ascii: "a"), digit <= UInt8(ascii: "f") {
        value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      } else {
        return nil
      }
      index += 1
    }
    return value
  }

  /// 64 lowercase hexadecimal digits.
  var text: String {
    String(unsafeUninitializedCapacity: 64) { buffer in
      Self.write(words.0, to: buffer, 0)
      Self.write(words.1, to: buffer, 16)
      Self.write(words.2, to: buffer, 32)
      Self.write(words.3, to: buffer, 48)
      return 64
    }
  }

  private static func write(
    _ word: UInt64,
    to buffer: UnsafeMutableBufferPointer<UInt8>,
    _ start: Int
  ) {
    var index = 0
    while index < 16 {
      let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15
      buffer[start + index] =
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
      index += 1
    }
  }

  static func == (lhs: RecordHash, rhs: RecordHash) -> Bool { lhs.words == rhs.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
