internal import MediaDigest

/// HMAC-SHA-256 with a key of at most 64 bytes.
///
/// Every name in a log has two. The result needs no memory of its own, other than that of
/// `MediaFileSystem.SHA256.authenticationCode`.
///
/// Source: RFC 2104; RFC 4231 has the test cases.
enum KeyedDigest {
  static func digest(
    key: UnsafeRawBufferPointer,
    _ message: UnsafeRawBufferPointer
  ) -> RecordHash {
    withUnsafeTemporaryAllocation(byteCount: 96, alignment: 8) { buffer in
      let block = UnsafeMutableRawBufferPointer(rebasing: buffer[..<64])
      for index in 0..<64 { block[index] = (index < key.count ? key[index] : 0) ^ 0x36 }
      var hasher = SHA256()
      hasher.update(UnsafeRawBufferPointer(block))
      hasher.update(message)
      let inner = RecordHash(&hasher)
      for index in 0..<64 { block[index] ^= 0x36 ^ 0x5C }
      inner.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[64...]))
      return RecordHash(hashing: UnsafeRawBufferPointer(buffer))
    }
  }
}
