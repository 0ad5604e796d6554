/// Several ranges of a source as if they followed one another.
struct ExtentSource<Original: ByteSource>: ByteSource {
  private let original: Original
  private let extents: [Range<Int>]
  /// Where each extent ends in here; ascending.
  private let ends: [Int]

  let length: Int

  /// The extents lie within the original, and what they add up to fits an `Int`.
  init(_ original: Original, _ extents: [Range<Int>]) {
    var ends: [Int] = []
    var end = 0
    let extents = extents.filter { !$0.isEmpty }
    for extent in extents {
      end += extent.count
      ends.append(end)
    }
    self.original = original
    self.extents = extents
    self.ends = ends
    length = end
  }

  func withRun<Result>(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard offset >= 0, offset < length else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let index = extent(at: offset)
    let left = ends[index] - offset
    return original.withRun(from: extents[index].upperBound - left) { run in
      body(UnsafeRawBufferPointer(rebasing: run.prefix(left)))
    }
  }

  /// The ranges of the original that make up `range`, which lies within.
  func originals(of range: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let index = extent(at: position)
      let count = min(ends[index], range.upperBound) - position
      let start = extents[index].upperBound - (ends[index] - position)
      result.append(start..<(start + count))
      position += count
    }
    return result
  }

  /// The extent that holds `offset`, which lies within.
  private func extent(at offset: Int) -> Int {
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = low + (high - low) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
