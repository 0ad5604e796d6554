/// Writes strings of JSON.
package enum JSONString {
  /// The characters that have a short escape; the others that need one have four hexadecimal digits.
  ///
  /// Stored texts are compared byte for byte, so that each kind of text keeps its own.
  package enum ShortEscapes: Sendable {
    /// All for which JSON has one. Source: RFC 8785, section 3.2.2.2.
    case all
    /// The quote, the backslash and the line feed.
    case some
    /// None.
    case none
  }

  /// Appends a text in quotes.
  ///
  /// Source: RFC 8259, section 7.
  package static func append(
    _ text: String,
    to bytes: inout [UInt8],
    shortEscapes: ShortEscapes = .all
  ) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      // Most texts need no escape, and are appended in one piece.
      var start = 0
      for index in 0..<text.count {
        let byte = text[index]
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        append(escaped: byte, to: &bytes, shortEscapes)
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(
    escaped byte: UInt8,
    to bytes: inout [UInt8],
    _ shortEscapes: ShortEscapes
  ) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08 where shortEscapes == .all: bytes.append(UInt8(ascii: "b"))
    case 0x09 where shortEscapes == .all: bytes.append(UInt8(ascii: "t"))
    case 0x0A where shortEscapes != .none: bytes.append(UInt8(ascii: "n"))
    case 0x0C where shortEscapes == .all: bytes.append(UInt8(ascii: "f"))
    case 0x0D where shortEscapes == .all: bytes.append(UInt8(ascii: "r"))
    case 0x20... where shortEscapes != .none: bytes.append(byte)
    default: bytes.append(contentsOf: "u00\(Hexadecimal.text([byte]))".utf8)
    }
  }
}
