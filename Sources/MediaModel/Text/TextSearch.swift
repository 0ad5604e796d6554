extension String {
  /// Returns the last place of a text that is not empty, compared byte by byte; nil when there is
  /// none.
  ///
  /// `contains(_:)` and `ranges(of:)` of a text would link the engine of regular expressions, 1.5 MB,
  /// into the worker.
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

  /// Returns whether a text that is not empty is in this one, compared byte by byte.
  package func holds(_ part: String) -> Bool { lastRange(of: part) != nil }
}
