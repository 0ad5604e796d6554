internal import Crypto

/// HMAC-SHA-256 with a key of at most 64 bytes.
///
/// Its own, because every name in a log has two: making swift-crypto's key object costs as much as
/// the digest.
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
      hasher.update(bufferPointer: UnsafeRawBufferPointer(block))
      hasher.update(bufferPointer: message)
      let inner = RecordHash(hasher.finalize())
      for index in 0..<64 { block[index] ^= 0x36 ^ 0x5C }
      inner.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[64...]))
      return RecordHash(hashing: UnsafeRawBufferPointer(buffer))
    }
  }
}
