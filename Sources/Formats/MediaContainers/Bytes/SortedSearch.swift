extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies a condition that all later elements satisfy
  /// too, or the end index.
  package func firstIndexSorted(where isReached: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
