// `contains(_:)`, `ranges(of:)` and `replacing(_:with:)` of a text link the engine of regular expressions into
// a program, 1.2 MB. These compare byte by byte, for texts that are not empty.

extension StringProtocol {
  /// Returns all places of a text, in order; none overlaps the one before.
  package func occurrences(of part: String) -> [Range<Index>] {
    let bytes = Array(utf8)
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty else { return [] }
    var ranges: [Range<Index>] = []
    var start = 0
    while start + wanted.count <= bytes.count {
      if bytes[start..<start + wanted.count].elementsEqual(wanted) {
        let first = utf8.index(startIndex, offsetBy: start)
        ranges.append(first..<utf8.index(first, offsetBy: wanted.count))
        start += wanted.count
      } else {
        start += 1
      }
    }
    return ranges
  }

  /// Returns the last place of a text; nil when there is none.
  package func lastRange(of part: String) -> Range<Index>? {
    let bytes = Array(utf8)
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty, bytes.count >= wanted.count else { return nil }
    for start in (0...bytes.count - wanted.count).reversed()
    where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      let first = utf8.index(startIndex, offsetBy: start)
      return first..<utf8.index(first, offsetBy: wanted.count)
    }
    return nil
  }

  /// Returns whether a text is in this one.
  package func holds(_ part: String) -> Bool { lastRange(of: part) != nil }

  /// Returns this text with another one at each place of a text.
  package func substituting(_ part: String, by other: String) -> String {
    var text = ""
    var copied = startIndex
    for range in occurrences(of: part) {
      text += self[copied..<range.lowerBound] + other
      copied = range.upperBound
    }
    return text + self[copied...]
  }
}
