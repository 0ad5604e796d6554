/// Escapes bytes and text from files or people so that they are safe to display.
package enum EscapedText {
  /// Returns the bytes as UTF-8 text, with `%XX` for invalid UTF-8, for control and format
  /// characters, and for a `%` before two hexadecimal digits, so that ``bytes(percentEscaped:)``
  /// restores the same bytes.
  ///
  /// - Parameters:
  ///   - bytes: A name or a path.
  ///   - keepsJoiners: Whether a ZERO WIDTH JOINER or NON-JOINER stays as it is where it joins, as in families
  ///     of emoji, Persian and Hindi; one that only hides in a name is escaped all the same.
  /// - Returns: The text.
  package static func percentEscaped(
    _ bytes: some Collection<UInt8>,
    keepsJoiners: Bool = false
  ) -> String {
    escaped(bytes, keepsJoiners: keepsJoiners, keepsPercent: false)
  }

  /// Returns a name as labels and titles have it: as ``percentEscaped(_:keepsJoiners:)`` with joiners, but each `%`
  /// of the name stays as it is, so that the bytes cannot be restored.
  package static func name(_ bytes: some Collection<UInt8>) -> String {
    escaped(bytes, keepsJoiners: true, keepsPercent: true)
  }

  private static func escaped(
    _ bytes: some Collection<UInt8>,
    keepsJoiners: Bool,
    keepsPercent: Bool
  ) -> String {
    let bytes = Array(bytes)
    let isPlain = bytes.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && (keepsPercent || $0 != UInt8(ascii: "%"))
    }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var index = 0
    while index < bytes.count {
      guard let scalar = character(of: bytes, at: index) else {
        text += percent(bytes[index])
        index += 1
        continue
      }
      let length = UTF8.width(scalar)
      let isEscape =
        scalar == "%" && !keepsPercent && index + 2 < bytes.count
        && bytes[(index + 1)...].prefix(2).allSatisfy { Hexadecimal.value(of: $0) != nil }
      let isJoiner =
        keepsJoiners && scalar.properties.isJoinControl
        && joins(text.unicodeScalars.last, character(of: bytes, at: index + length))
      if isEscape || !isPrintable(scalar) && !isJoiner {
        for byte in bytes[index..<(index + length)] { text += percent(byte) }
      } else {
        text.unicodeScalars.append(scalar)
      }
      index += length
    }
    return text
  }

  /// Returns what a person may mean by a name that was typed: its bytes, and those that its escapes stand for, if it has
  /// any.
  package static func readings(of typed: [UInt8]) -> [[UInt8]] {
    guard let text = String(validating: typed, as: UTF8.self) else { return [typed] }
    let restored = bytes(percentEscaped: text)
    return restored == typed ? [typed] : [typed, restored]
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
  /// newline `\n`; at most `limit` characters, then an ellipsis. `keepsJoiners` is that of
  /// ``percentEscaped(_:keepsJoiners:)``.
  package static func printable(
    _ text: String,
    limit: Int = .max,
    keepsJoiners: Bool = false
  ) -> String {
    // Most texts of a log are plain ASCII, which is as long in bytes as in characters.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = ""
    var count = 0
    var unread = text.unicodeScalars[...]
    while let scalar = unread.popFirst() {
      if count == limit { return result + "…" }
      count += 1
      if scalar == "\n" {
        result += "\\n"
      } else if isPrintable(scalar)
        || keepsJoiners && scalar.properties.isJoinControl
          && joins(result.unicodeScalars.last, unread.first)
      {
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

  /// Whether a joiner between two characters is part of a word or of an emoji: it follows one that is shown, and
  /// one of both is a letter, a mark or a symbol of a script behind Armenian in Unicode, since no earlier one
  /// has joiners. Persian has them behind foreign words too, Hindi at a word's end.
  static func joins(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
    guard let before, isPrintable(before) else { return false }
    return [before, after].contains { scalar in
      guard let scalar, scalar.value >= 0x590 else { return false }
      return switch scalar.properties.generalCategory {
      case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
      case .otherSymbol, .modifierSymbol: true
      default: false
      }
    }
  }

  /// The character that begins at an index; nil at the end, and where bytes are no UTF-8.
  private static func character(of bytes: [UInt8], at index: Int) -> Unicode.Scalar? {
    let length = UTF8Sequence.length(in: bytes, at: index)
    return length == 0
      ? nil
      : String(decoding: bytes[index..<(index + length)], as: UTF8.self).unicodeScalars.first
  }

  /// Returns a byte as a percent sign and two hexadecimal digits.
  package static func percent(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "%0" + digits : "%" + digits
  }
}
