internal import MediaModel

/// The key by which a user vouches for the heads of the logs that runs of his write.
///
/// In memory from before confinement on; no worker has it.
package struct AuditSigner: Sendable {
  /// The name that all our keys have; they are told apart by their hash.
  package static let keyName = "mediabatch.audit"

  private let key: Ed25519.PrivateKey
  /// How this key came to be the one: each key before it signed that the next follows, and the next
  /// one that it follows it; oldest first.
  package let rotations: [SignedNote]

  /// A new key.
  package init() {
    key = Ed25519.PrivateKey()
    rotations = []
  }

  private init(key: Ed25519.PrivateKey, rotations: [SignedNote]) {
    self.key = key
    self.rotations = rotations
  }

  package var verifierKey: VerifierKey {
    VerifierKey(name: Self.keyName, publicKey: key.publicKey)
  }

  /// Adds this key's signature. Source: RFC 8032 section 5.1.6.
  package func signed(_ note: SignedNote) -> SignedNote {
    var note = note
    note.add(
      SignedNote.Signature(
        name: Self.keyName,
        keyHash: verifierKey.keyHash,
        bytes: key.signature(for: Array(note.text.utf8))
      )
    )
    return note
  }

  /// Signs a document of another kind than a head.
  ///
  /// - Parameters:
  ///   - payload: The document.
  ///   - type: Its media type.
  /// - Returns: The envelope with the document and this key's signature.
  package func envelope(of payload: [UInt8], type: String) -> DSSEEnvelope {
    DSSEEnvelope(
      payloadType: type,
      payload: payload,
      keyIdentifier: verifierKey.identifier,
      signature: key.signature(for: DSSEEnvelope.signedBytes(payload, type: type))
    )
  }

  /// A new key that follows this one, as both have signed.
  package func rotated(at time: AuditTime) -> AuditSigner {
    let new = Ed25519.PrivateKey()
    let next = AuditSigner(key: new, rotations: rotations)
    let rotation = KeyRotation(old: verifierKey, new: next.verifierKey, time: time.text)
    let note = next.signed(signed(SignedNote(text: rotation.text)))
    return AuditSigner(key: new, rotations: rotations + [note])
  }

  /// How the key file has it: the private key as Go's sumdb/note writes one, then a line a rotation.
  var serialized: String {
    let lines =
      [
        "PRIVATE+KEY+" + verifierKey.identifier + "+"
          + Base64.text([1] + key.seed)
      ] + rotations.map { Base64.text(Array($0.serialized.utf8)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The key that ``serialized`` wrote; nil for any other text.
  init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    guard !lines.isEmpty else { return nil }
    let prefix = "PRIVATE+KEY+"
    let first = lines.removeFirst()
    guard first.hasPrefix(prefix) else { return nil }
    let parts = first.dropFirst(prefix.count).split(
      separator: "+",
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    guard parts.count == 3, let data = Base64.bytes(parts[2]), data.count == 33,
      data.first == 1,
      let key = Ed25519.PrivateKey(seed: Array(data.dropFirst()))
    else { return nil }
    var rotations: [SignedNote] = []
    for line in lines {
      guard let data = Base64.bytes(line),
        let note = SignedNote(String(decoding: data, as: UTF8.self)),
        KeyRotation(note) != nil
      else { return nil }
      rotations.append(note)
    }
    self.init(key: key, rotations: rotations)
    guard verifierKey.identifier == "\(parts[0])+\(parts[1])",
      rotations.last.map({ KeyRotation($0)?.new == verifierKey }) ?? true
    else { return nil }
  }
}

/// That one key follows another, as both of them sign.
///
///     mediabatch key rotation
///     old mediabatch.audit+f09d5c37+ATa3…=
///     new mediabatch.audit+11c2a0be+AXn0…=
///     time 2026-11-21T01:44:39.123456Z
package struct KeyRotation: Sendable, Hashable {
  package var old: VerifierKey
  package var new: VerifierKey
  package var time: String

  init(old: VerifierKey, new: VerifierKey, time: String) {
    self.old = old
    self.new = new
    self.time = time
  }

  package init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 5, lines[0] == Self.title, lines[4].isEmpty,
      lines[1].hasPrefix("old "), let old = VerifierKey(String(lines[1].dropFirst(4))),
      lines[2].hasPrefix("new "), let new = VerifierKey(String(lines[2].dropFirst(4))),
      lines[3].hasPrefix("time "), AuditTime.isTime(String(lines[3].dropFirst(5)))
    else { return nil }
    self.init(old: old, new: new, time: String(lines[3].dropFirst(5)))
  }

  /// The rotation of a note that both keys signed; nil for any other.
  package init?(_ note: SignedNote) {
    self.init(note.text)
    guard note.isSigned(by: old), note.isSigned(by: new) else { return nil }
  }

  private static let title = "mediabatch key rotation"

  var text: String { "\(Self.title)\nold \(old)\nnew \(new)\ntime \(time)\n" }
}
