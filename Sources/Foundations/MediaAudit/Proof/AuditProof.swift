internal import MediaModel
package import MediaSyntax

/// A few records of a log with all that shows, without the log, that they are in it.
///
/// One JSON object a line: first the head, then the records, at most ``maximumRecordCount``.
///
///     {"head":"mediabatch.audit/0B7E…\n1084\n…","schema":"mediabatch.proof/1"}
///     {"index":41,"openings":{…},"path":["5f1c…","77aa…"],"record":{…}}
package struct AuditProof: Sendable, Hashable {
  package static let schema = "mediabatch.proof/1"
  /// So that a proof has at most 64 lines.
  package static let maximumRecordCount = 63

  /// Of whom the log was when the proof was made; a reader that trusts a key checks its signature.
  package var head: SignedHead
  package var records: [ProvedRecord]

  /// A record and its way to the root.
  package struct ProvedRecord: Sendable, Hashable {
    package var shown: DisclosedRecord
    var path: [RecordHash]
  }

  /// The lines of the file, each with its newline.
  package var serialized: [UInt8] {
    let header: JSONValue = [
      "head": .string(head.note.serialized), "schema": .string(Self.schema),
    ]
    return records.reduce(header.serialized + [UInt8.newline]) { bytes, record in
      var members = record.shown.members
      members["path"] = .array(record.path.map { .string($0.text) })
      return bytes + JSONValue.object(members).serialized + [UInt8.newline]
    }
  }

  init(head: SignedHead, records: [ProvedRecord]) {
    self.head = head
    self.records = records
  }

  /// The proof that ``serialized`` wrote.
  ///
  /// - Throws: ``ProofError`` for anything else.
  package init(_ bytes: [UInt8]) throws(ProofError) {
    // Each line has its newline, as an export's have, and none is empty or longer than one of these.
    var lines = bytes.dropLast().split(separator: UInt8.newline, omittingEmptySubsequences: false)
    guard bytes.last == .newline, lines.count <= Self.maximumRecordCount + 1,
      lines.allSatisfy({ $0.count <= AuditLines.maximumRecordBytes }),
      let header = CanonicalJSON.members(of: Array(lines.removeFirst())),
      header.count == 2, header["schema"] == .string(Self.schema),
      case .string(let text)? = header["head"],
      let head = SignedHead(note: text)
    else { throw ProofError("it is no proof of \(Self.schema)") }
    self.head = head
    records = []
    for line in lines {
      guard var members = CanonicalJSON.members(of: Array(line)),
        case .array(let values)? = members.removeValue(forKey: "path"),
        let shown = DisclosedRecord(members), shown.index > records.last?.shown.index ?? -1
      else { throw ProofError("line \(records.count + 2) is no record of a proof") }
      let path = values.compactMap { value -> RecordHash? in
        guard case .string(let text) = value else { return nil }
        return RecordHash(hexadecimal: text)
      }
      guard path.count == values.count else {
        throw ProofError("line \(records.count + 2) is no record of a proof")
      }
      records.append(ProvedRecord(shown: shown, path: path))
    }
  }

  /// The records with their names, when each of them is in the tree of the proof's head.
  ///
  /// Whether that head is the one that the caller trusts is checked by ``CheckedProof``.
  ///
  /// - Throws: ``ProofError`` that names the first record which is not.
  package func check() throws(ProofError) -> [JSONValue] {
    var revealed: [JSONValue] = []
    for record in records {
      let root = TreeProof.root(
        leaf: record.shown.leaf,
        index: record.shown.index,
        size: head.tree.size,
        path: record.path
      )
      guard root?.text == head.tree.root else {
        throw ProofError("record \(record.shown.index) is not in the log of the head")
      }
      revealed.append(try record.shown.revealed())
    }
    guard !revealed.isEmpty else { throw ProofError("it has no record") }
    return revealed
  }
}
