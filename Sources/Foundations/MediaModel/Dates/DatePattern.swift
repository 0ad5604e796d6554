/// How a local time is written: `yyyy`, `MM`, `dd`, `HH`, `mm` and `ss` are digits of it, every other
/// letter has to stand in `'…'`, and all else stands for itself.
///
/// Source: Unicode Technical Standard 35, part 4, date field symbols, of which this is a part.
package struct DatePattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    /// A run of digits in `yyyy-MM-ddTHH:mm:ss`.
    case digits(offset: Int, count: Int)
  }

  private static let fields: [(letters: String, offset: Int)] = [
    ("yyyy", 0), ("MM", 5), ("dd", 8), ("HH", 11), ("mm", 14), ("ss", 17),
  ]

  private var parts: [Part] = []

  /// Parses a pattern.
  ///
  /// - Throws: ``TemplateMistake`` for letters that mean nothing, a `{`, or a quote that is not closed.
  package init(_ text: String) throws(TemplateMistake) {
    let pattern = Array(text.unicodeScalars)
    var index = 0
    while index < pattern.count {
      let scalar = pattern[index]
      switch scalar {
      case "'": parts.append(.text(try Self.quotedLiteral(pattern, &index)))
      case "a"..."z", "A"..."Z":
        let run = Self.string(pattern[index...].prefix { $0 == scalar })
        guard let field = Self.fields.first(where: { $0.letters.utf8.elementsEqual(run.utf8) })
        else {
          throw TemplateMistake(
            "\"\(run)\" means nothing in a date pattern; letters that stand for themselves need '…'",
            allowed: Self.fields.map(\.letters)
          )
        }
        parts.append(.digits(offset: field.offset, count: run.utf8.count))
        index += run.utf8.count
      case "{": throw TemplateMistake("a date pattern cannot have \"{\"")
      default:
        parts.append(.text(Self.string([scalar])))
        index += 1
      }
    }
  }

  /// Whether it has a `/`, which is no character of a name.
  package var hasSlash: Bool {
    parts.contains { part in
      if case .text(let text) = part { text.utf8.contains(UInt8.slash) } else { false }
    }
  }

  /// Writes a time in this pattern; what is not known of a date, such as its time of day, is left out, with the text
  /// beside it.
  ///
  /// - Parameter local: `yyyy-MM-ddTHH:mm:ss`, `yyyy-MM-dd`, `yyyy-MM` or `yyyy`.
  /// - Returns: Nil when the time is not in the shape that it claims, or when nothing is left of the pattern.
  package func text(of local: String) -> String? {
    let local = Array(local.utf8)
    guard [4, 7, 10, 19].contains(local.count) else { return nil }
    var text = ""
    /// Text since the last digits, which is used if both its neighbors are known.
    var literal = ""
    var isKnown = true
    for part in parts {
      switch part {
      case .text(let more): literal += more
      case .digits(let offset, let count):
        guard local.count >= offset + count else {
          (literal, isKnown) = ("", false)
          continue
        }
        if isKnown { text += literal }
        (literal, isKnown) = ("", true)
        let digits = local[offset..<(offset + count)]
        guard digits.allSatisfy(\.isASCIIDigit) else {
          return nil
        }
        text += String(decoding: digits, as: UTF8.self)
      }
    }
    if isKnown { text += literal }
    return text.isEmpty ? nil : text
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// Parses a literal in `'…'`; two adjacent quotes mean one quote, inside and outside.
  private static func quotedLiteral(
    _ pattern: [Unicode.Scalar],
    _ index: inout Int
  ) throws(TemplateMistake) -> String {
    index += 1
    if index < pattern.count, pattern[index] == "'" {
      index += 1
      return "'"
    }
    var literal: [Unicode.Scalar] = []
    while index < pattern.count {
      let scalar = pattern[index]
      index += 1
      if scalar == "{" { throw TemplateMistake("a date pattern cannot have \"{\"") }
      guard scalar == "'" else {
        literal.append(scalar)
        continue
      }
      guard index < pattern.count, pattern[index] == "'" else { return string(literal) }
      literal.append("'")
      index += 1
    }
    throw TemplateMistake("a quote is not closed in a date pattern")
  }
}
