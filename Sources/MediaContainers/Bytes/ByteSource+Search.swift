extension ByteSource {
  /// Returns the offset of the first byte in `range` that is one of `wanted` (at most four
  /// values), or nil.
  func firstOffset(of wanted: [UInt8], in range: Range<Int>) -> Int? {
    var offset = max(0, range.lowerBound)
    let end = min(range.upperBound, length)
    while offset < end {
      let (found, count) = withRun(from: offset) { run in
        let run = run.prefix(end - offset)
        return (run.firstIndex { byte in wanted.contains(byte) }, run.count)
      }
      if let found { return offset + found }
      guard count > 0 else { return nil }
      offset += count
    }
    return nil
  }

  /// Returns whether every byte of `range` is zero.
  package func isZero(_ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let (isZero, count) = withRun(from: offset) { run in
        let run = run.prefix(range.upperBound - offset)
        return (run.allSatisfy { $0 == 0 }, run.count)
      }
      guard isZero, count > 0 else { return false }
      offset += count
    }
    return true
  }
}
