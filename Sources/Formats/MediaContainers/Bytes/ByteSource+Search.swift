extension ByteSource {
  /// Calls `body` with each of the runs that `range` consists of, in order; a run is valid until
  /// `body` returns.
  package func forEachRun(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = withRun(from: offset) { run in
        let part = UnsafeRawBufferPointer(rebasing: run.prefix(range.upperBound - offset))
        if !part.isEmpty { body(part) }
        return part.count
      }
      guard count > 0 else { return }
      offset += count
    }
  }

  /// Returns the offset of the first byte in `range` that is one of `wanted` (at most four
  /// values), or nil.
  package func firstOffset(of wanted: [UInt8], in range: Range<Int>) -> Int? {
    var offset = max(0, range.lowerBound)
    let end = min(range.upperBound, length)
    while offset < end {
      let (distance, count) = withRun(from: offset) { run in
        let run = run.prefix(end - offset)
        return (run.firstIndex { byte in wanted.contains(byte) }, run.count)
      }
      if let distance { return offset + distance }
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
