/// Writes strings of JSON.
package enum JSONString {
  /// Appends a text in quotes.
  ///
  /// An escape is the short one that JSON has for the character, else four hexadecimal digits.
  ///
  /// Source: RFC 8259, section 7; RFC 8785, section 3.2.2.2.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      // Most texts need no escape, and are appended in one piece.
      var start = 0
      for index in 0..<text.count {
        let byte = text[index]
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        append(escaped: byte, to: &bytes)
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x20...: bytes.append(byte)
    default: bytes.append(contentsOf: "u00\(Hexadecimal.text([byte]))".utf8)
    }
  }
}
