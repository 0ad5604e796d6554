internal import CNettle

/// AES-256 in Galois/Counter Mode, with a nonce of 96 bits and a tag of 128, for content that comes in pieces.
///
/// Source: nettle_gcm_aes256_encrypt, nettle_gcm_aes256_digest; NIST SP 800-38D.
package struct AES256GCM {
  /// The number of bytes of a key.
  package static let keyLength = Int(AES256_KEY_SIZE)
  /// The number of bytes of a nonce, of which each key has to have another for each message.
  package static let nonceLength = Int(GCM_IV_SIZE)
  /// The number of bytes of a tag.
  package static let tagLength = Int(GCM_DIGEST_SIZE)

  private var context = gcm_aes256_ctx()

  /// Begins a message.
  ///
  /// - Parameters:
  ///   - key: 32 bytes; missing ones are 0.
  ///   - nonce: 12 bytes; missing ones are 0.
  ///   - associatedData: What the tag binds to the message and the message does not have.
  package init(
    key: [UInt8],
    nonce: [UInt8],
    associatedData: [UInt8]
  ) {
    func filled(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
      Array((bytes + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    nettle_gcm_aes256_set_key(&context, filled(key, Self.keyLength))
    nettle_gcm_aes256_set_iv(&context, Self.nonceLength, filled(nonce, Self.nonceLength))
    nettle_gcm_aes256_update(&context, associatedData.count, associatedData)
  }

  /// Encrypts the next bytes in place; all pieces but the last have a multiple of 16.
  package mutating func encrypt(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBufferPointer { bytes in
      nettle_gcm_aes256_encrypt(&context, bytes.count, bytes.baseAddress, bytes.baseAddress)
    }
  }

  /// Decrypts the next bytes in place; all pieces but the last have a multiple of 16. They are not to be believed before
  /// the tag is found to be right.
  package mutating func decrypt(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBufferPointer { bytes in
      nettle_gcm_aes256_decrypt(&context, bytes.count, bytes.baseAddress, bytes.baseAddress)
    }
  }

  /// Returns the tag of the whole message, 16 bytes.
  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.tagLength) { tag, count in
      nettle_gcm_aes256_digest(&context, Self.tagLength, tag.baseAddress)
      count = Self.tagLength
    }
  }
}

extension SHA256 {
  /// Derives a key from a password, slowly: PBKDF2 with HMAC-SHA-256.
  ///
  /// - Parameters:
  ///   - password: Any number of bytes.
  ///   - salt: Any number of bytes.
  ///   - rounds: How often each guess has to be hashed; at least 1.
  /// - Returns: 32 bytes.
  ///
  /// Source: nettle_pbkdf2_hmac_sha256; RFC 8018, section 5.2.
  package static func key(
    of password: [UInt8],
    salt: [UInt8],
    rounds: UInt32
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { key, count in
      nettle_pbkdf2_hmac_sha256(
        password.count,
        password,
        max(rounds, 1),
        salt.count,
        salt,
        byteCount,
        key.baseAddress
      )
      count = byteCount
    }
  }
}
