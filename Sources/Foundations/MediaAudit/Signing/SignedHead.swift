internal import Foundation
package import MediaModel

/// Where a library's log had come to when a run ended: what a key signs, and a witness keeps.
///
///     mediabatch.audit/0B7E6F5D-3C1A-4F57-9A55-6E5B3D7B8D11
///     1084
///     3q2+7wAB…=
///     head 5f1c…
///     file 000001-7d2c91f0.ndjson
///     time 2026-11-21T01:44:39.123456Z
///
///     — mediabatch.audit 8J1cNx…=
///
/// The first three lines are the library, the size and the root in Base64.
///
/// Source: C2SP tlog-checkpoint (c2sp.org/tlog-checkpoint); the lines from `head` on are its
/// extension lines.
package struct SignedHead: Sendable, Hashable {
  /// The library's identifier.
  package var library: String
  /// The number of records in the library's log, and the root of their tree.
  package var tree: AuditTreeHead
  /// SHA-256 of the last of these records, hexadecimal.
  package var head: String
  /// The audit file in which that record is the last.
  package var file: String
  /// The time of the signer's clock, in the form of ``AuditTime/text``.
  package var time: String
  /// The text and its signatures, as the file beside the run's has them.
  package private(set) var note: SignedNote

  package init(library: String, tree: AuditTreeHead, head: String, file: String, time: String) {
    self.library = library
    self.tree = tree
    self.head = head
    self.file = file
    self.time = time
    let root = RecordHash(hexadecimal: tree.root) ?? .zero
    note = SignedNote(
      text: """
        \(Self.origin)\(library)
        \(tree.size)
        \(Base64.text(Array(root.bytes)))
        head \(head)
        file \(file)
        time \(time)

        """
    )
  }

  /// The head that a note is about; nil for any other text. Says nothing of its signatures.
  package init?(note text: String) {
    guard let note = SignedNote(text) ?? Self.unsigned(text) else { return nil }
    let lines = note.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 7, lines[6].isEmpty, lines[0].hasPrefix(Self.origin),
      let size = Int(lines[1]), size >= 0, String(size) == lines[1],
      let data = Base64.bytes(lines[2]), let root = RecordHash(bytes: data),
      lines[3].hasPrefix("head "), lines[4].hasPrefix("file "), lines[5].hasPrefix("time ")
    else { return nil }
    let head = String(lines[3].dropFirst(5))
    let time = String(lines[5].dropFirst(5))
    guard RecordHash(hexadecimal: head) != nil, AuditTime.isTime(time) else { return nil }
    self.init(
      library: String(lines[0].dropFirst(Self.origin.count)),
      tree: AuditTreeHead(size: size, root: root.text),
      head: head,
      file: String(lines[4].dropFirst(5)),
      time: time
    )
    // A head has exactly one text, so the text that was read is the one that was signed.
    guard self.note.text == note.text else { return nil }
    self.note = note
  }

  package func signed(by signer: AuditSigner) -> SignedHead {
    var head = self
    head.note = signer.signed(note)
    return head
  }

  private static let origin = "mediabatch.audit/"

  /// A head without a signature line has the empty line all the same.
  private static func unsigned(_ text: String) -> SignedNote? {
    guard SignedNote.mayBeNote(text), text.hasSuffix("\n\n") else { return nil }
    return SignedNote(text: String(text.dropLast()))
  }
}

/// How far the signature of a head can be trusted.
package enum SignatureState: String, CaseIterable, Sendable, Hashable {
  /// There is no signed head.
  case unsigned
  /// Signed by the key that the log itself names, which no caller has declared trusted.
  case signed
  /// Signed by a key that the caller trusts, or one that followed it by a signed rotation.
  case trusted
}
