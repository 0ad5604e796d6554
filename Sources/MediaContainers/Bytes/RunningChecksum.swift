/// A checksum to which bytes are added from front to back.
package protocol RunningChecksum {
  /// Adds `bytes` to the checksum.
  mutating func add(_ bytes: UnsafeRawBufferPointer)
}

extension RunningChecksum {
  /// Adds `bytes` to the checksum.
  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  /// Adds the bytes of `range`, which lies within the source.
  package mutating func add(_ range: Range<Int>, of source: ByteSource) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = range.upperBound - offset
      let added = source.withRun(from: offset) { run in
        let part = UnsafeRawBufferPointer(rebasing: run.prefix(wanted))
        add(part)
        return part.count
      }
      guard added > 0 else { return }
      offset += added
    }
  }
}
