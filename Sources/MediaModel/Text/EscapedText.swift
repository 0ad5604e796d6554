/// Escapes bytes and text from files or people so that they are safe to display.
package enum EscapedText {
  /// Returns the bytes as UTF-8 text, with `%XX` for invalid UTF-8, for control and format
  /// characters, and for a `%` before two hexadecimal digits, so that ``bytes(percentEscaped:)``
  /// restores the same bytes.
  package static func percentEscaped(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var index = 0
    while index < bytes.count {
      let length = UTF8Sequence.length(in: bytes, at: index)
      guard length > 0,
        let scalar = String(decoding: bytes[index..<(index + length)], as: UTF8.self)
          .unicodeScalars.first
      else {
        text += percent(bytes[index])
        index += 1
        continue
      }
      let isEscape =
        scalar == "%" && index + 2 < bytes.count
        && bytes[(index + 1)...].prefix(2).allSatisfy { Hexadecimal.value(of: $0) != nil }
      if isEscape || !isPrintable(scalar) {
        for byte in bytes[index..<(index + length)] { text += percent(byte) }
      } else {
        text.unicodeScalars.append(scalar)
      }
      index += length
    }
    return text
  }

  /// Returns the bytes that ``percentEscaped(_:)`` wrote as `text`.
  package static func bytes(percentEscaped text: String) -> [UInt8] {
    let escaped = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(escaped.count)
    var index = 0
    while index < escaped.count {
      if escaped[index] == UInt8(ascii: "%"), index + 2 < escaped.count,
        let high = Hexadecimal.value(of: escaped[index + 1]),
        let low = Hexadecimal.value(of: escaped[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(escaped[index])
        index += 1
      }
    }
    return bytes
  }

  /// Returns text for a terminal: control, format and bidirectional characters become `\u{…}`, a
  /// newline `\n`; at most `limit` characters, then an ellipsis.
  package static func printable(_ text: String, limit: Int = .max) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit { return result + "…" }
      count += 1
      if scalar == "\n" {
        result += "\\n"
      } else if isPrintable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// Returns whether a terminal displays this character as itself, without any other effect.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default:
      true
    }
  }

  private static func percent(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "%0" + digits : "%" + digits
  }
}
