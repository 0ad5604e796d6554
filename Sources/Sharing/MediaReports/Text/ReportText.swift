internal import MediaModel

/// Makes any text harmless on a terminal, in a CI log and in a report.
///
/// A CI runner takes a line that begins with `::`, spaces aside, and `##[` anywhere, for a command;
/// a terminal takes control characters for one. None of them survives here.
///
/// Source: GitHub Actions runner, ActionCommand.TryParseV2 and TryParse.
enum ReportText {
  /// Returns one line of text, at most `limit` characters and an ellipsis.
  static func line(_ text: String, limit: Int = 2000) -> String {
    defused(EscapedText.printable(text, limit: limit), colon: "\\u{3A}", bracket: "\\u{5B}")
  }

  /// Text that may have lines of its own, each made harmless.
  static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      line(String($0))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// A path from which its bytes can be read back: see ``MediaModel/EscapedText``.
  static func path(_ bytes: some Collection<UInt8>) -> String {
    defused(EscapedText.percentEscaped(bytes), colon: "%3A", bracket: "%5B")
  }

  /// Replaces the `[` of `##[`, and the first colon of a `::` that begins the text or a word, since any
  /// word can begin a line once the text is wrapped.
  private static func defused(_ text: String, colon: String, bracket: String) -> String {
    guard hasPair(text) else { return text }
    var result = String.UnicodeScalarView()
    var remaining = text.unicodeScalars[...]
    // The last two scalars: the space before `::` may be any that a runner trims.
    var last: Unicode.Scalar = " "
    var secondLast: Unicode.Scalar = " "
    while let scalar = remaining.popFirst() {
      if scalar == "[", last == "#", secondLast == "#" {
        result.append(contentsOf: bracket.unicodeScalars)
      } else if scalar == ":", remaining.first == ":", last.properties.isWhitespace {
        result.append(contentsOf: colon.unicodeScalars)
      } else {
        result.append(scalar)
      }
      secondLast = last
      last = scalar
    }
    return String(result)
  }

  /// Whether two colons stand side by side in a text, or two number signs.
  private static func hasPair(_ text: String) -> Bool {
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == last, byte == .colon || byte == UInt8(ascii: "#") { return true }
      last = byte
    }
    return false
  }
}

/// Layout of text on a terminal, in columns.
package enum TextLayout {
  /// The columns that a terminal gives the text: two for East Asian wide ones, none for marks.
  ///
  /// Source: Unicode Standard Annex 11, the ranges that are wide in practice.
  static func width(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    var columns = 0
    for scalar in text.unicodeScalars { columns += width(of: scalar) }
    return columns
  }

  /// The text cut so that it takes at most that many columns.
  static func cut(_ text: String, to columns: Int) -> String {
    guard columns > 0 else { return "" }
    guard width(text) > columns else { return text }
    var result = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      let next = width(of: scalar)
      if used + next > columns - 1 { break }
      result.append(scalar)
      used += next
    }
    return String(result) + "…"
  }

  /// The text with spaces behind it, or before it, up to that many columns; a longer one as it is.
  package static func padded(_ text: String, to columns: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - width(text)))
    return onLeft ? spaces + text : text + spaces
  }

  /// A line of a table: cells of at least these widths, with two spaces between them.
  static func row(_ cells: [String], _ widths: [Int]) -> String {
    var bytes: [UInt8] = []
    for (cell, width) in zip(cells, widths) {
      if !bytes.isEmpty { bytes += [UInt8.space, UInt8.space] }
      bytes.append(contentsOf: cell.utf8)
      bytes.append(contentsOf: repeatElement(UInt8.space, count: max(0, width - Self.width(cell))))
    }
    bytes.append(UInt8.newline)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lines of at most `columns` columns, broken at spaces; a word that is longer stays whole, so that
  /// a command or a name can be copied.
  ///
  /// - Parameters:
  ///   - text: The words.
  ///   - columns: Those of a terminal.
  ///   - first: What the first line begins with.
  ///   - indent: What each other line begins with.
  /// - Returns: The lines, at least one.
  package static func wrapped(
    _ text: String,
    to columns: Int,
    first: String = "",
    rest indent: String = ""
  ) -> [String] {
    var lines: [String] = []
    var line = first
    var used = width(first)
    var isEmpty = true
    for word in text.split(separator: " ") {
      let length = width(word)
      if !isEmpty, used + 1 + length > columns {
        lines.append(line)
        line = indent
        used = width(indent)
        isEmpty = true
      }
      line += isEmpty ? String(word) : " " + word
      used += isEmpty ? length : length + 1
      isEmpty = false
    }
    lines.append(line)
    return lines
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x300: 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF,
      0x20000...0x3FFFD:
      2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: 0
      default: 1
      }
    }
  }
}
