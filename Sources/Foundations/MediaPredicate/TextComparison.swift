internal import Foundation

/// A comparison of a text with one that a predicate has.
///
/// Source: NSPredicate's format, string comparisons; `[c]` ignores case, `[d]` diacritics.
package struct TextComparison: Sendable, Hashable {
  enum Operator: Int, CaseIterable, Sendable, Hashable {
    case equals, contains, beginsWith, endsWith
    /// `*` stands for any characters, `?` for one.
    case like
  }

  var comparison: Operator
  var ignoresCase: Bool
  var ignoresDiacritics: Bool
  /// The predicate's text, folded like the one that it is compared with.
  let pattern: String

  init(
    _ comparison: Operator,
    _ pattern: String,
    ignoresCase: Bool = false,
    ignoresDiacritics: Bool = false
  ) {
    self.comparison = comparison
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
    self.pattern = Self.folded(pattern, ignoresCase, ignoresDiacritics)
  }

  /// The comparison that ``code`` and ``pattern`` were taken from; nil for another number.
  package init?(code: Int64, pattern: String) {
    guard let comparison = Operator(rawValue: Int(code >> 2)) else { return nil }
    self.comparison = comparison
    ignoresCase = code & 1 != 0
    ignoresDiacritics = code & 2 != 0
    self.pattern = pattern
  }

  /// The comparison without its pattern, as a number for SQL.
  var code: Int64 {
    Int64(comparison.rawValue) << 2 | (ignoresCase ? 1 : 0) | (ignoresDiacritics ? 2 : 0)
  }

  /// Whether it compares bytes only.
  var isPlain: Bool { !ignoresCase && !ignoresDiacritics }

  /// Whether a text is as the pattern wants it; texts are compared by their UTF-8.
  package func matches(_ text: String) -> Bool {
    let text = Self.folded(text, ignoresCase, ignoresDiacritics)
    let (bytes, wanted) = (Array(text.utf8), Array(pattern.utf8))
    switch comparison {
    case .equals: return bytes == wanted
    case .beginsWith: return bytes.starts(with: wanted)
    case .endsWith: return bytes.reversed().starts(with: wanted.reversed())
    case .contains: return Self.contains(wanted, in: bytes)
    case .like: return Self.isLike(Array(text.unicodeScalars), Array(pattern.unicodeScalars))
    }
  }

  private static func contains(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains {
      bytes[$0] == first && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }

  /// Goes back only to the last `*`, so that the time is bounded by the product of both lengths.
  private static func isLike(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (position, index) = (0, 0)
    var resume: (position: Int, index: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == "*" {
        resume = (position, index)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[position] {
        position += 1
        index += 1
      } else if let last = resume {
        resume = (last.position + 1, last.index)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }

  /// Case by Unicode's mapping; a diacritic is a nonspacing mark of the decomposed text.
  private static func folded(_ text: String, _ isCased: Bool, _ isMarked: Bool) -> String {
    if !isCased && !isMarked { return text }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let lower = isCased ? text.lowercased() : text
    if isASCII || !isMarked { return lower }
    var folded = ""
    for scalar in lower.decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      folded.unicodeScalars.append(scalar)
    }
    return folded
  }
}
