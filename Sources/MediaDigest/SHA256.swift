internal import CNettle

/// A SHA-256 digest that is computed piece by piece.
///
/// The worker hashes with libnettle and not with swift-crypto, which links BoringSSL and Foundation:
/// 8 MB in a program that is started once for each processor.
///
/// Source: nettle_sha256_update, nettle_sha256_digest; FIPS 180-4.
package struct SHA256 {
  /// The number of bytes of a digest.
  package static let byteCount = Int(SHA256_DIGEST_SIZE)

  private var context = sha256_ctx()

  /// Begins the digest of no bytes.
  package init() {
    nettle_sha256_init(&context)
  }

  /// Adds the next bytes; the buffer is not used after the call.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_sha256_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  /// Returns the digest of all bytes, 32 bytes, and begins anew.
  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
      nettle_sha256_digest(&context, Self.byteCount, digest.baseAddress)
      count = Self.byteCount
    }
  }

  /// Computes the HMAC-SHA256 of a message.
  ///
  /// - Parameters:
  ///   - message: Any number of bytes.
  ///   - key: Any number of bytes; one of more than 64 is hashed first.
  /// - Returns: 32 bytes.
  ///
  /// Source: nettle_hmac_sha256_digest; RFC 2104.
  package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, message.count, message)
    return [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
      nettle_hmac_sha256_digest(&context, byteCount, code.baseAddress)
      count = byteCount
    }
  }
}
