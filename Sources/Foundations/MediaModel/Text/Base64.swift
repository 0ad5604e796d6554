/// Bytes as Base64 with padding, and back.
///
/// Source: RFC 4648 section 4.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )
  private static let padding = UInt8(ascii: "=")

  /// The value of a character; nil for one that the alphabet does not have.
  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8.slash: 63
    default: nil
    }
  }

  /// The characters of bytes, in ASCII.
  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      for index in 0..<4 {
        result.append(index <= count ? alphabet[Int(group >> UInt32(18 - 6 * index)) & 63] : padding)
      }
    }
    return result
  }

  /// The text of bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    String(decoding: encoded(bytes), as: UTF8.self)
  }

  /// The bytes of a text; nil for one of another length than a multiple of four, or with a character that is not of
  /// the alphabet. Bits behind the last byte do not count, as they do not for Foundation.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    for _ in 0..<2 where characters.last == padding { characters.removeLast() }
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3 + 2)
    var (bits, count) = (UInt32(0), 0)
    for character in characters {
      guard let value = value(of: character) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
