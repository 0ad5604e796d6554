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
    source.forEachRun(in: range) { add($0) }
  }
}
