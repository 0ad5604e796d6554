internal import Foundation
internal import MediaDigest
internal import MediaModel

/// A text with the signatures of those who vouch for it.
///
///     mediabatch.audit/0B7E…
///     1084
///     3q2+7w…=
///
///     — mediabatch.audit 8J1cNx…=
///
/// Source: C2SP signed-note (c2sp.org/signed-note), as Go's sumdb/note writes and reads it.
package struct SignedNote: Sendable, Hashable {
  /// The signed text: lines, each with its newline, without control characters.
  package let text: String
  /// Those of keys that are not known are kept and not looked at.
  package private(set) var signatures: [Signature] = []

  package struct Signature: Sendable, Hashable {
    /// The signer's name, which anyone may write.
    package var name: String
    /// Four bytes that tell keys of one name apart.
    package var keyHash: [UInt8]
    var bytes: [UInt8]
  }

  static let maximumByteCount = 1 << 16

  /// A text without signatures; it ends in a newline.
  package init(text: String) {
    self.text = text
  }

  /// The note that ``serialized`` wrote; nil for any other text, and for one above 64 KiB.
  package init?(_ note: String) {
    guard Self.mayBeNote(note), let gap = note.range(of: "\n\n", options: .backwards) else {
      return nil
    }
    text = String(note[..<gap.lowerBound]) + "\n"
    let lines = note[gap.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 2, lines.last?.isEmpty == true else { return nil }
    for line in lines.dropLast() {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "\u{2014}", VerifierKey.isName(String(parts[1])),
        let data = Base64.bytes(parts[2]), data.count > 4, Base64.text(data) == parts[2]
      else { return nil }
      signatures.append(
        Signature(name: String(parts[1]), keyHash: Array(data.prefix(4)), bytes: Array(data.dropFirst(4)))
      )
    }
  }

  /// Whether a text is not above 64 KiB and has no control characters but newlines.
  static func mayBeNote(_ text: String) -> Bool {
    text.utf8.count <= maximumByteCount
      && text.unicodeScalars.allSatisfy { $0 == "\n" || !($0.value < 0x20 || $0.value == 0x7F) }
  }

  /// The text, an empty line, and a line a signature.
  package var serialized: String {
    signatures.reduce(text + "\n") { note, signature in
      note + "\u{2014} \(signature.name) "
        + Base64.text(signature.keyHash + signature.bytes) + "\n"
    }
  }

  /// Whether the holder of a key signed exactly this text.
  package func isSigned(by key: VerifierKey) -> Bool {
    signatures.contains { signature in
      signature.name == key.name && signature.keyHash == key.keyHash
        && key.isSignature(signature.bytes, of: Array(text.utf8))
    }
  }

  mutating func add(_ signature: Signature) {
    signatures.append(signature)
  }
}

/// The public half of a key that signs heads.
///
///     mediabatch.audit+f09d5c37+ATa3…=
///
/// Source: C2SP signed-note, "Verifier keys"; the signatures are Ed25519 (RFC 8032).
package struct VerifierKey: Sendable, Hashable, CustomStringConvertible {
  package let name: String
  /// The 32 bytes of RFC 8032.
  package let publicKey: [UInt8]

  init(name: String, publicKey: [UInt8]) {
    self.name = name
    self.publicKey = publicKey
  }

  /// The key that ``description`` wrote; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isName(String(parts[0])),
      let data = Base64.bytes(parts[2]), data.count == 33, data.first == 1
    else { return nil }
    name = String(parts[0])
    publicKey = Array(data.dropFirst())
    guard description == text else { return nil }
  }

  /// Four bytes of a hash of name and key.
  package var keyHash: [UInt8] {
    var hasher = SHA256()
    hasher.update(Array(name.utf8) + [UInt8.newline, 1] + publicKey)
    return Array(hasher.finalize().prefix(4))
  }

  /// The name and the hash, such as `mediabatch.audit+f09d5c37`: what a person compares.
  package var identifier: String {
    name + "+" + keyHash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  package var description: String {
    identifier + "+" + Base64.text([1] + publicKey)
  }

  /// The key as OpenSSL and other programs read it: a SubjectPublicKeyInfo in PEM.
  ///
  /// Source: RFC 8410, section 4; RFC 7468, section 13.
  package var pem: String {
    let prefix: [UInt8] = [
      0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
    return """
      -----BEGIN PUBLIC KEY-----
      \(Base64.text(prefix + publicKey))
      -----END PUBLIC KEY-----

      """
  }

  func isSignature(_ signature: [UInt8], of text: [UInt8]) -> Bool {
    Ed25519.isValid(signature, for: text, publicKey: publicKey)
  }

  /// Whether a name is one or more printable ASCII characters without a plus.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "+") }
  }
}
