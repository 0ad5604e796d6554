internal import CNettle

/// SHA-512, of which OpenSSH makes signatures of files unless it is told otherwise.
///
/// Source: nettle_sha512_update, nettle_sha512_digest; FIPS 180-4.
package struct SHA512: MessageDigest {
  private var context = sha512_ctx()

  package init() { nettle_sha512_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_sha512_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA512_DIGEST_SIZE)) { digest, count in
      count = Int(SHA512_DIGEST_SIZE)
      nettle_sha512_digest(&context, count, digest.baseAddress)
    }
  }
}
