internal import CNettle

/// A digest that is computed piece by piece.
package protocol MessageDigest {
  /// Begins the digest of no bytes.
  init()

  /// Adds the next bytes; the buffer is not used after the call.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// Returns the digest of all bytes, and begins anew.
  mutating func finalize() -> [UInt8]
}

extension MessageDigest {
  /// Adds the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Returns the digest of some bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }
}

/// SHA-256.
///
/// Source: nettle_sha256_update, nettle_sha256_digest; FIPS 180-4. `docs/decisions/0016` says why libnettle.
package struct SHA256: MessageDigest {
  /// The number of bytes of a digest.
  package static let byteCount = Int(SHA256_DIGEST_SIZE)

  private var context = sha256_ctx()

  package init() {
    nettle_sha256_init(&context)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_sha256_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
      nettle_sha256_digest(&context, Self.byteCount, digest.baseAddress)
      count = Self.byteCount
    }
  }

  /// Passes the digest of all bytes, 32 bytes that are valid during the call, and begins anew.
  package mutating func finalize<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { digest in
      nettle_sha256_digest(
        &context,
        Self.byteCount,
        digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
      )
      return body(UnsafeRawBufferPointer(digest))
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
