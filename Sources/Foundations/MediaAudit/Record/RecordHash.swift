internal import MediaDigest

/// SHA-256 of one record's bytes, without the newline that ends its line.
///
/// Source: FIPS 180-4.
struct RecordHash: Sendable, Hashable {
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
    words = hasher.finalize { bytes in
      func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      }
      return (word(0), word(1), word(2), word(3))
    }
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

  /// The number that the 16 lowercase hexadecimal digits from `start` are, which are in the buffer.
  static func word(_ digits: UnsafeRawBufferPointer, _ start: Int) -> UInt64? {
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

  /// The hash that 32 bytes are; nil for any other number of them.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  /// Fills a buffer of 32 bytes.
  func write(to buffer: UnsafeMutableRawBufferPointer) {
    buffer.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
    buffer.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
    buffer.storeBytes(of: words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
    buffer.storeBytes(of: words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
  }

  /// 32 bytes.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      write(to: UnsafeMutableRawBufferPointer(buffer))
      count = 32
    }
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

  /// Calls `body` with the 32 bytes, which are valid only there.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
      write(to: buffer)
      return body(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Appends the 64 lowercase hexadecimal digits.
  func appendHexadecimal(to bytes: inout [UInt8]) {
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let nibble = UInt8(truncatingIfNeeded: word >> shift) & 15
        bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
      }
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
