/// A file as it lies in memory.
///
/// Keeps nothing alive: whoever mapped the file unmaps it after the last use of this value.
package struct MappedBytes: ByteSource {
  private let buffer: UnsafeRawBufferPointer

  /// The bytes of `buffer`, which is borrowed.
  package init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
  }

  package var length: Int { buffer.count }

  package func withRun<Result>(
    from offset: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard offset >= 0, offset < buffer.count else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return body(UnsafeRawBufferPointer(rebasing: buffer[offset...]))
  }
}
