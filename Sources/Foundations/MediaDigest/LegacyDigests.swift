internal import CNettle

/// MD5, for digests that somebody else has made: it is no protection against a forged file.
///
/// Source: nettle_md5_update, nettle_md5_digest; RFC 1321.
package struct MD5: MessageDigest {
  private var context = md5_ctx()

  package init() { nettle_md5_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_md5_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(MD5_DIGEST_SIZE)) { digest, count in
      count = Int(MD5_DIGEST_SIZE)
      nettle_md5_digest(&context, count, digest.baseAddress)
    }
  }
}

/// SHA-1, for digests that somebody else has made: it is no protection against a forged file.
///
/// Source: nettle_sha1_update, nettle_sha1_digest; FIPS 180-4.
package struct SHA1: MessageDigest {
  private var context = sha1_ctx()

  package init() { nettle_sha1_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_sha1_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA1_DIGEST_SIZE)) { digest, count in
      count = Int(SHA1_DIGEST_SIZE)
      nettle_sha1_digest(&context, count, digest.baseAddress)
    }
  }
}
