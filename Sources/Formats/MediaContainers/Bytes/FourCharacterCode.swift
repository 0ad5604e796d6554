import MediaModel

/// The four-byte type of a box, a chunk or a brand.
package struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
  /// The four bytes as one big-endian number.
  package var value: UInt32

  /// Creates a code from its big-endian number.
  package init(value: UInt32) {
    self.value = value
  }

  /// Creates a code from the first four characters of `text`; a shorter text is padded with
  /// spaces.
  package init(stringLiteral text: String) {
    var value: UInt32 = 0
    var count = 0
    for scalar in text.unicodeScalars.prefix(4) {
      // © is one byte in QuickTime's MacRoman types; U+00A9 has the same number.
      value = value << 8 | UInt32(UInt8(truncatingIfNeeded: scalar.value))
      count += 1
    }
    while count < 4 {
      value = value << 8 | 0x20
      count += 1
    }
    self.value = value
  }

  /// The four bytes in file order.
  package var bytes: [UInt8] { value.bytes(4) }

  /// The code as printable text without spaces.
  package var name: String {
    let printable = bytes.filter { $0 != 0x20 }.map { 0x21...0x7E ~= $0 ? $0 : 0x3F }
    return String(decoding: printable, as: UTF8.self)
  }

  /// Whether all four bytes are ASCII letters.
  var isLetters: Bool {
    for shift: UInt32 in [24, 16, 8, 0] {
      guard UInt8(truncatingIfNeeded: value >> shift).isASCIILetter else { return false }
    }
    return true
  }

  /// The four letters as text, or nil when they are not all ASCII letters.
  package var letters: String? {
    isLetters ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

extension ByteSource {
  /// Returns the four-character code at `offset`, or nil when it is incomplete.
  package func code(at offset: Int) -> FourCharacterCode? {
    unsigned(at: offset, count: 4).map { FourCharacterCode(value: UInt32(truncatingIfNeeded: $0)) }
  }
}
