/// Finds some bytes in buffers: of each buffer about one byte is looked at for each byte that is searched for.
///
/// Source: R. N. Horspool, Practical fast searching in strings, 1980.
package struct ByteSearch: Sendable {
  package let bytes: [UInt8]
  /// By how many bytes the search goes on, by the last byte of the place that was looked at; 255 for more.
  private let steps: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var steps = [UInt8](repeating: UInt8(clamping: bytes.count), count: 256)
    for (index, byte) in bytes.dropLast().enumerated() {
      steps[Int(byte)] = UInt8(clamping: bytes.count - 1 - index)
    }
    self.steps = steps
  }

  /// Where the bytes first stand in a buffer; nil when they do not.
  package func offset(in buffer: UnsafeRawBufferPointer) -> Int? {
    let count = bytes.count
    guard count > 0, count <= buffer.count else { return count == 0 ? 0 : nil }
    return bytes.withUnsafeBufferPointer { bytes in
      steps.withUnsafeBufferPointer { steps in
        var start = 0
        while start <= buffer.count - count {
          let last = buffer[start + count - 1]
          if last == bytes[count - 1] {
            var index = 0
            while index < count - 1, buffer[start + index] == bytes[index] { index += 1 }
            if index == count - 1 { return start }
          }
          start += Int(steps[Int(last)])
        }
        return nil
      }
    }
  }
}
