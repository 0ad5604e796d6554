internal import MediaModel
internal import MediaSyntax

/// A whole log for a person outside the library, with some kinds of names held back.
///
/// One JSON object a line: first the head, then every record of its tree in order. A reader that has the head
/// from a witness, or its key, can check all of it.
///
///     {"head":"mediabatch.audit/0B7E…\n1084\n…","redacted":["paths"],"schema":"mediabatch.auditExport/1"}
///     {"index":0,"openings":{…},"record":{…}}
package enum AuditExport {
  package static let schema = "mediabatch.auditExport/1"

  /// Writes the records of a head's tree, in pieces of whole lines.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`; `.differs` when the log is not what the head is of, which
  ///   is known at the end: then what was written is not to be used.
  package static func write(
    _ folder: AuditFolder,
    head: SignedHead,
    hiding hidden: Set<RedactableKind>,
    to write: ([UInt8]) -> Void
  ) throws(AuditError) {
    let header: JSONValue = [
      "head": .string(head.note.serialized),
      "redacted": .array(hidden.map(\.rawValue).sorted().map { .string($0) }),
      "schema": .string(schema),
    ]
    var piece = header.serialized + [UInt8.newline]
    try forEach(folder, head: head, hiding: hidden) { shown, _, _ in
      piece += JSONValue.object(shown.members).serialized + [UInt8.newline]
      if piece.count > 1 << 18 {
        write(piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    write(piece)
  }

  /// Calls `body` with each record of a head's tree, in order.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`; `.differs` when the log is not what the head is of, which
  ///   is known at the end.
  static func forEach(
    _ folder: AuditFolder,
    head: SignedHead,
    hiding hidden: Set<RedactableKind>,
    _ body: (DisclosedRecord, HashedRecord.Digest, AuditFileName) -> Void
  ) throws(AuditError) {
    var tree = TreeFrontier()
    for file in try folder.files() {
      var lines = AuditLines(try folder.bytes(of: file))
      while tree.size < head.tree.size, let line = try lines.next(), line.isTerminated {
        let (shown, digest) = line.bytes.withUnsafeBytes { bytes in
          (
            DisclosedRecord(bytes, index: tree.size, hiding: hidden),
            HashedRecord.Digest(bytes)
          )
        }
        guard let shown, let digest else { throw AuditError(.differs, file: file.text) }
        tree.append(leaf: digest.leaf)
        body(shown, digest, file)
      }
    }
    guard tree.head == head.tree else { throw AuditError(.differs, file: head.file) }
  }

  /// The contents of an export that was checked.
  package struct Checked: Sendable, Hashable {
    package var head: SignedHead
    /// Names of which only the digest is given.
    package var hiddenNames = 0
  }

  /// Whether bytes begin as an export does.
  package static func isExport(_ firstLine: [UInt8]) -> Bool {
    CanonicalJSON.members(of: firstLine)?["schema"] == .string(schema)
  }

  /// Checks that the lines are the records of the head's tree, each with its names.
  ///
  /// Whether that head is the one that the caller trusts is for the caller to say. An export that shows no
  /// record is refused.
  ///
  /// - Throws: ``ProofError`` that names the first record which is not; ``AuditError`` `.cannotRead`.
  package static func check(_ bytes: any AuditBytes) throws -> Checked {
    var lines = AuditLines(bytes)
    guard let first = try lines.next(), let header = CanonicalJSON.members(of: first.bytes),
      header.count == 3, header["schema"] == .string(schema),
      case .string(let text)? = header["head"],
      let head = SignedHead(note: text), case .array(let kinds)? = header["redacted"],
      kinds
        == RedactableKind.allCases.map(\.rawValue).sorted().map({ .string($0) })
        .filter({ kinds.contains($0) })
    else { throw ProofError("it is no export of \(schema)") }
    var checked = Checked(head: head)
    var tree = TreeFrontier()
    while let line = try lines.next() {
      guard line.isTerminated, let members = CanonicalJSON.members(of: line.bytes),
        let shown = DisclosedRecord(members), shown.index == tree.size
      else { throw ProofError("record \(tree.size) is not there, or not whole") }
      checked.hiddenNames += try shown.revealed().hiddenNames
      tree.append(leaf: shown.leaf)
    }
    guard tree.head == head.tree else {
      throw ProofError("its \(tree.size) records are not the \(head.tree.size) of its head")
    }
    guard tree.size > 0 else { throw ProofError("it shows no record") }
    return checked
  }
}
