internal import MediaAudit
internal import MediaDigest
internal import MediaModel

/// A signature of a file as `ssh-keygen -Y sign` writes it.
///
/// Source: OpenSSH, PROTOCOL.sshsig.
package struct SSHSignature: Sendable, Hashable {
  /// The namespace of signatures of manifests; one of another counts for nothing here.
  package static let namespace = "mediabatch"
  /// In bytes; OpenSSH's are below 1 KiB.
  package static let maximumByteCount = 1 << 16

  private static let magic = Array("SSHSIG".utf8)
  private static let begin = "-----BEGIN SSH SIGNATURE-----"
  private static let end = "-----END SSH SIGNATURE-----"

  package let key: SSHPublicKey
  let namespace: String
  /// The name of the digest of the file.
  private let digestName: String
  private let signature: [UInt8]

  /// Reads the armored text.
  ///
  /// - Throws: ``SignatureProblem`` for what is no signature, or one of another algorithm than ssh-ed25519.
  package init(_ text: [UInt8]) throws(SignatureProblem) {
    guard let blob = Self.blob(text) else {
      throw SignatureProblem("it is no signature of OpenSSH (\(Self.begin))")
    }
    var wire = SSHWire(blob)
    guard wire.take(Self.magic.count) == Self.magic, wire.number() == 1,
      let encodedKey = wire.string(), let namespace = wire.string(), wire.string() != nil,
      let digest = wire.string(), let signature = wire.string(), wire.isAtEnd
    else { throw SignatureProblem("it is damaged, or not of version 1 of OpenSSH's signatures") }
    guard let key = SSHPublicKey(blob: encodedKey) else { throw SignatureProblem("its key is damaged") }
    guard key.algorithm == SSHPublicKey.ed25519 else {
      throw SignatureProblem(
        "its key is of \(EscapedText.printable(key.algorithm)), but only ssh-ed25519 counts"
      )
    }
    var parts = SSHWire(signature)
    guard parts.string() == Array(SSHPublicKey.ed25519.utf8), let bytes = parts.string(), parts.isAtEnd else {
      throw SignatureProblem("it is damaged")
    }
    self.key = key
    self.namespace = String(decoding: namespace, as: UTF8.self)
    digestName = String(decoding: digest, as: UTF8.self)
    self.signature = bytes
  }

  /// The bytes between the lines that begin and end it; nil for another text.
  private static func blob(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8.newline).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    guard lines.count > 2, lines.first == begin, lines.last == end else { return nil }
    return Base64.bytes(lines[1..<(lines.count - 1)].joined())
  }

  /// Checks that it is the signature of a file by its key, of our namespace.
  ///
  /// - Throws: ``SignatureProblem``.
  package func verify(_ file: [UInt8]) throws(SignatureProblem) {
    guard namespace == Self.namespace else {
      throw SignatureProblem(
        "it is of the namespace \"\(EscapedText.printable(namespace, limit: 60))\", not of \"\(Self.namespace)\""
      )
    }
    let digest: [UInt8]
    switch digestName {
    case "sha256": digest = SHA256.hash(file)
    case "sha512": digest = SHA512.hash(file)
    default:
      throw SignatureProblem(
        "its digest is \"\(EscapedText.printable(digestName, limit: 60))\", not sha256 or sha512"
      )
    }
    let message =
      Self.magic + [namespace, "", digestName].flatMap { SSHWire.string(Array($0.utf8)) }
      + SSHWire.string(digest)
    guard let publicKey = key.ed25519Key, Ed25519.isValid(signature, for: message, publicKey: publicKey)
    else {
      throw SignatureProblem("it does not fit the manifest: one of the two was changed")
    }
  }
}

/// The reason why a signature does not count, as the end of a sentence about it.
package struct SignatureProblem: Error, Sendable, Hashable {
  /// Escaped.
  package let text: String

  init(_ text: String) { self.text = text }
}
