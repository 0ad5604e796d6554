/// A part of a source, as a source of its own.
struct SliceSource<Original: ByteSource>: ByteSource {
  private let original: Original
  let range: Range<Int>

  /// The bytes of `range`, as far as they are there.
  init(_ original: Original, _ range: Range<Int>) {
    self.original = original
    self.range = range.clamped(to: 0..<original.length)
  }

  var length: Int { range.count }

  func withRun<Result>(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard offset >= 0, offset < length else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return original.withRun(from: range.lowerBound + offset) { run in
      body(UnsafeRawBufferPointer(rebasing: run.prefix(length - offset)))
    }
  }
}
