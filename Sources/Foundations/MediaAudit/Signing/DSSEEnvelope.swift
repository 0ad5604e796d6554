internal import MediaModel
package import MediaSyntax

/// A document with the signature of the person who vouches for it, as supply-chain tools read one.
///
///     {"payload":"eyJf…","payloadType":"application/vnd.in-toto+json",
///      "signatures":[{"keyid":"mediabatch.audit+f09d5c37","sig":"3q2+7w…="}]}
///
/// What is signed begins with other bytes than a head or a rotation of keys, so no signature of one is one
/// of the other.
///
/// Source: DSSE 1.0.2 (secure-systems-lab/dsse, protocol.md and envelope.md).
package struct DSSEEnvelope: Sendable, Hashable {
  /// The type of an in-toto statement.
  ///
  /// Source: in-toto attestation framework, spec/v1/envelope.md.
  package static let inTotoType = "application/vnd.in-toto+json"

  package let payloadType: String
  package let payload: [UInt8]
  /// The signer's identifier, as ``VerifierKey/identifier`` has it.
  let keyIdentifier: String
  /// Ed25519 (RFC 8032), 64 bytes.
  let signature: [UInt8]

  /// The envelope as JSON; payload and signature are in Base64 (RFC 4648, section 4).
  package var value: JSONValue {
    [
      "payload": .string(Base64.text(payload)),
      "payloadType": .string(payloadType),
      "signatures": [
        [
          "keyid": .string(keyIdentifier),
          "sig": .string(Base64.text(signature)),
        ]
      ],
    ]
  }

  /// The bytes that are signed: type and payload, each behind its length.
  ///
  /// Source: DSSE, protocol.md, "Signature Definition" (PAE).
  static func signedBytes(_ payload: [UInt8], type: String) -> [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
  }
}
