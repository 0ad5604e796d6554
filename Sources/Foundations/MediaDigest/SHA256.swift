internal import CNettle
internal import CSHA256

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
/// Source: nettle_sha256_update, nettle_sha256_digest; FIPS 180-4. `docs/decisions/0016` says why libnettle, 0031 why
/// two at once.
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

  /// Adds the next bytes of two digests, of which those that both have at once take half of the time.
  ///
  /// Only while both have had whole blocks of 64 bytes, and where the processor has instructions for SHA-256.
  package static func update(
    _ first: inout SHA256,
    _ firstBytes: UnsafeRawBufferPointer,
    _ second: inout SHA256,
    _ secondBytes: UnsafeRawBufferPointer
  ) {
    var count = min(firstBytes.count, secondBytes.count) / Int(SHA256_BLOCK_SIZE)
    if count > 0, first.context.index == 0, second.context.index == 0,
      let firstStart = firstBytes.baseAddress, let secondStart = secondBytes.baseAddress,
      csha256_add_to_two(&first.context.state, firstStart, &second.context.state, secondStart, count)
    {
      first.context.count += UInt64(count)
      second.context.count += UInt64(count)
    } else {
      count = 0
    }
    let done = count * Int(SHA256_BLOCK_SIZE)
    first.update(UnsafeRawBufferPointer(rebasing: firstBytes[done...]))
    second.update(UnsafeRawBufferPointer(rebasing: secondBytes[done...]))
  }

  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
      nettle_sha256_digest(&context, Self.byteCount, digest.baseAddress)
      count = Self.byteCount
    }
  }

  /// Returns the digest of all bytes as it lies in memory, without an allocation, and begins anew.
  package mutating func finalizeAsWords() -> SIMD4<UInt64> {
    var words = SIMD4<UInt64>()
    withUnsafeMutableBytes(of: &words) { digest in
      nettle_sha256_digest(
        &context,
        Self.byteCount,
        digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
      )
    }
    return words
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
