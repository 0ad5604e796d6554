internal import MediaModel

/// Escapes foreign text so that it cannot imitate or disturb our own lines on a terminal.
///
/// In addition to `EscapedText` it escapes invisible characters, spaces that move text,
/// and stacked marks that reach into the lines around them.
package struct TerminalText {
  /// More marks than this on one character are escaped; no writing needs more on a terminal.
  private static let maximumMarks = 3

  /// Whether the terminal understands UTF-8. Where it does not, the bytes of a harmless character
  /// may hold C1 controls, so all but ASCII is escaped.
  package var isUTF8: Bool
  /// Whether joiners in names stay where they join, as a page shows them; a terminal may not.
  package var keepsJoiners: Bool

  /// Makes text safe for a terminal that understands UTF-8, or does not.
  package init(isUTF8: Bool, keepsJoiners: Bool = false) {
    (self.isUTF8, self.keepsJoiners) = (isUTF8, keepsJoiners)
  }

  /// Prose: `\"` and `\\` between quotation marks, `\n`, `\u{…}`; any run of spaces is one space.
  ///
  /// The result has at most `limit` characters, and says whether all of the text is there; an escape
  /// is never cut. Where no quotation marks of ours stand around it, its own stay as they are.
  package func prose(
    _ text: String,
    limit: Int,
    isBetweenQuotes: Bool = true
  ) -> (text: String, isWhole: Bool) {
    var result = ""
    var count = 0
    var marks = Self.maximumMarks
    var endsWithSpace = false
    for scalar in text.unicodeScalars {
      let piece: String
      if scalar.properties.generalCategory == .spaceSeparator {
        marks = Self.maximumMarks
        if endsWithSpace { continue }
        endsWithSpace = true
        piece = " "
      } else {
        endsWithSpace = false
        let isShown = shows(scalar, &marks)
        switch scalar {
        case "\"" where isBetweenQuotes: piece = "\\\""
        case "\\" where isBetweenQuotes: piece = "\\\\"
        case "\n": piece = "\\n"
        default:
          piece =
            isShown
            ? String(scalar) : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
      // Count scalars: a Character may hold many stacked marks.
      count += piece.unicodeScalars.count
      if count > limit { return (result, false) }
      result += piece
    }
    return (result, true)
  }

  /// A path from which its bytes can be read back with `EscapedText.bytes(percentEscaped:)`.
  ///
  /// A space stays only alone between two other characters.
  package func path(_ bytes: some Collection<UInt8>) -> String {
    let text = Array(EscapedText.percentEscaped(bytes, keepsJoiners: keepsJoiners).unicodeScalars)
    var result = ""
    var marks = Self.maximumMarks
    for (index, scalar) in text.enumerated() {
      let isShown: Bool
      if scalar.properties.generalCategory == .spaceSeparator {
        marks = Self.maximumMarks
        isShown =
          scalar == " " && index > 0 && index + 1 < text.count && text[index - 1] != " "
          && text[index + 1] != " "
      } else {
        isShown = scalar.properties.isJoinControl || shows(scalar, &marks)
      }
      if isShown {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 { result += EscapedText.percent(byte) }
      }
    }
    return result
  }

  /// A path that takes at most `limit` characters: of a longer one its beginning and its end.
  package func shortPath(_ bytes: some Collection<UInt8>, limit: Int) -> String {
    let text = Array(path(bytes).unicodeScalars)
    if text.count <= limit { return String(text) }
    let kept = limit / 2
    let left = text.count - 2 * kept
    return String(text.prefix(kept)) + " ... (\(left) more characters) ... "
      + String(text.suffix(kept))
  }

  /// `marks` is how many the character before carries; where none stands, as many as there may be.
  private func shows(_ scalar: Unicode.Scalar, _ marks: inout Int) -> Bool {
    guard scalar.isASCII || isUTF8 else { return false }
    guard EscapedText.isPrintable(scalar), !scalar.properties.isDefaultIgnorableCodePoint,
      scalar != "\u{2800}"
    else {
      marks = Self.maximumMarks
      return false
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark:
      marks += 1
      return marks <= Self.maximumMarks
    default:
      marks = 0
      return true
    }
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
