internal import CHogweed

/// The signatures of Ed25519, which are the same for the same key and message.
///
/// Source: RFC 8032 section 5.1; nettle_ed25519_sha512_sign and its siblings (libhogweed).
package enum Ed25519 {
  /// A private key: the 32 bytes that RFC 8032 draws at random.
  struct PrivateKey: Sendable {
    /// 32 bytes.
    let seed: [UInt8]
    /// 32 bytes.
    let publicKey: [UInt8]

    /// Draws a new key from the kernel's generator.
    init() {
      var generator = SystemRandomNumberGenerator()
      self.init(
        drawn: (0..<Int(ED25519_KEY_SIZE)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        }
      )
    }

    /// Takes a key that was drawn before; nil unless it has 32 bytes.
    init?(seed: [UInt8]) {
      guard seed.count == Int(ED25519_KEY_SIZE) else { return nil }
      self.init(drawn: seed)
    }

    private init(drawn seed: [UInt8]) {
      self.seed = seed
      publicKey = [UInt8](unsafeUninitializedCapacity: Int(ED25519_KEY_SIZE)) { bytes, count in
        nettle_ed25519_sha512_public_key(bytes.baseAddress, seed)
        count = Int(ED25519_KEY_SIZE)
      }
    }

    /// Returns the signature of a message, 64 bytes.
    func signature(for message: [UInt8]) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: Int(ED25519_SIGNATURE_SIZE)) { bytes, count in
        nettle_ed25519_sha512_sign(publicKey, seed, message.count, message, bytes.baseAddress)
        count = Int(ED25519_SIGNATURE_SIZE)
      }
    }
  }

  /// Whether `signature` is that of `message` by the private key of `publicKey`; false for keys and
  /// signatures of another length.
  package static func isValid(_ signature: [UInt8], for message: [UInt8], publicKey: [UInt8]) -> Bool {
    publicKey.count == Int(ED25519_KEY_SIZE) && signature.count == Int(ED25519_SIGNATURE_SIZE)
      && nettle_ed25519_sha512_verify(publicKey, message.count, message, signature) == 1
  }
}
