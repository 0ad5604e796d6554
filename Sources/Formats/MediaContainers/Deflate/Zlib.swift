import CZlib

/// Checksums, and zlib streams that hold their content as it is.
package enum Zlib {
  /// Returns a zlib stream that stores `bytes` without compression.
  ///
  /// It is the same with every version of zlib: what is published does not depend on a library.
  ///
  /// Source: RFC 1950; RFC 1951 section 3.2.4.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var unwritten = bytes[...]
    repeat {
      let block = unwritten.prefix(65_535)
      unwritten = unwritten.dropFirst(65_535)
      let length = block.count.bytes(2, .little)
      stream.append(unwritten.isEmpty ? 1 : 0)
      stream += length + length.map { ~$0 }
      stream += block
    } while !unwritten.isEmpty
    return stream + adler32_z(1, bytes, bytes.count).bytes(4)
  }

  /// Returns the CRC-32 of `bytes`, as in PNG (3rd edition) annex D.
  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = CRC32()
    bytes.withUnsafeBytes { sum.update($0) }
    return sum.value
  }

  /// Returns the CRC-32 of the bytes in `range`, which lies within `source`.
  package static func crc32(_ range: Range<Int>, of source: ByteSource) -> UInt32 {
    var sum = CRC32()
    source.forEachRun(in: range) { sum.update($0) }
    return sum.value
  }
}
