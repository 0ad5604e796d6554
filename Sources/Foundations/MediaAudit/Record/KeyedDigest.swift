internal import MediaDigest

/// HMAC-SHA-256 with a key of at most 64 bytes.
///
/// Every name in a log has two. The result needs no memory of its own, other than that of
/// `SHA256.authenticationCode`.
///
/// Source: RFC 2104; RFC 4231 has the test cases.
enum KeyedDigest {
  static func digest(
    key: UnsafeRawBufferPointer,
    _ message: UnsafeRawBufferPointer
  ) -> RecordHash {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { block in
      block.initialize(repeating: 0)
      UnsafeMutableRawBufferPointer(block).copyMemory(from: key)
      var hasher = SHA256()
      for index in 0..<8 { block[index] ^= 0x3636_3636_3636_3636 }
      hasher.update(UnsafeRawBufferPointer(block))
      hasher.update(message)
      let inner = RecordHash(&hasher)
      for index in 0..<8 { block[index] ^= 0x3636_3636_3636_3636 ^ 0x5C5C_5C5C_5C5C_5C5C }
      hasher.update(UnsafeRawBufferPointer(block))
      inner.withBytes { hasher.update($0) }
      return RecordHash(&hasher)
    }
  }
}
