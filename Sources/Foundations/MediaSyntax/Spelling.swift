internal import MediaModel

/// Finds the word that a misspelled one most likely meant, and quotes words in messages.
package enum Spelling {
  /// The candidate nearest to `word`, case aside, or nil when none is near enough to suggest.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(Self.limit + 1))
    guard !letters.isEmpty, letters.count <= Self.limit else { return nil }
    var best: (word: String, distance: Int, prefix: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().unicodeScalars)
      let distance = Self.distance(letters, other)
      // One slip in three letters is still the same word; more is a guess.
      guard distance <= max(1, other.count / 3) else { continue }
      // Of two that are equally near, prefer the longer common prefix: people leave off ends.
      let prefix = zip(letters, other).prefix { $0 == $1 }.count
      if (distance, -prefix) < (best?.distance ?? .max, -(best?.prefix ?? 0)) {
        best = (candidate, distance, prefix)
      }
    }
    return best?.word
  }

  /// A key or value in quotes, escaped and cut, with the first character that is not ASCII.
  package static func quoted(_ word: String) -> String {
    let text = "\"" + EscapedText.printable(word, limit: 60) + "\""
    guard let foreign = word.unicodeScalars.first(where: { !$0.isASCII }) else { return text }
    return text + " (it holds U+\(hexadecimal(foreign.value)))"
  }

  /// The number with at least four upper-case digits.
  package static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The length of the longest word that is compared.
  private static let limit = 64

  /// Insertions, removals, substitutions and swaps of neighbors between two short words.
  ///
  /// Source: optimal string alignment distance.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, leftLetter) in left.enumerated() {
      var current = [row + 1]
      for (column, rightLetter) in right.enumerated() {
        let substitution = previous[column] + (leftLetter == rightLetter ? 0 : 1)
        var cost = min(previous[column + 1] + 1, current[column] + 1, substitution)
        if row > 0, column > 0, leftLetter == right[column - 1], left[row - 1] == rightLetter {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
