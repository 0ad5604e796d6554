internal import MediaSyntax

/// A record of a log as somebody outside may see it, for programs that read events and no proofs.
package struct ShownRecord: Sendable, Hashable {
  /// 0-based, over all records of the library.
  package var index: Int
  /// The audit file's name in the folder of the log.
  package var file: String
  /// SHA-256 of the record's line, 64 lowercase hexadecimal digits: the next record's `prev`.
  package var hash: String
  /// The record without its salt, a name that is held back as its digest (`{"hmac":"5f1c…"}`).
  package var entry: AuditEntry

  /// Creates a record of parts that a caller has.
  package init(index: Int, file: String, hash: String, entry: AuditEntry) {
    self.index = index
    self.file = file
    self.hash = hash
    self.entry = entry
  }

  /// The beginning of ``named``'s names that are held back.
  package static let hiddenPrefix = "hmac:"

  /// The record with a text in the place of each digest, as a value of its type is read from. A source whose name is held
  /// back is one of its kind: each record has another digest of the name.
  package var named: AuditEntry {
    var entry = entry
    if case .object? = entry.fields["sourceName"] { entry.fields["sourceName"] = nil }
    entry.fields = entry.fields.mapValues(\.namingDigests)
    return entry
  }
}

extension JSONValue {
  fileprivate var namingDigests: JSONValue {
    switch self {
    case .object(let members):
      if members.count == 1, case .string(let digest)? = members["hmac"] {
        return .string(ShownRecord.hiddenPrefix + digest)
      }
      return .object(members.mapValues(\.namingDigests))
    case .array(let values): return .array(values.map(\.namingDigests))
    default: return self
    }
  }
}

extension AuditFolder {
  /// Calls `body` with each record of a head's tree, in order.
  ///
  /// - Parameters:
  ///   - head: The head up to which the log is read.
  ///   - hidden: The kinds of names that are held back.
  ///   - body: Called with each record.
  /// - Throws: ``AuditError`` `.cannotRead`; `.differs` when the log is not what the head is of, which
  ///   is known at the end: then what was made of it is not to be used.
  package func forEachShown(
    upTo head: SignedHead,
    hiding hidden: Set<RedactableKind>,
    _ body: (ShownRecord) -> Void
  ) throws(AuditError) {
    try AuditExport.forEach(self, head: head, hiding: hidden) { shown, digest, file in
      // The openings are those that were just made, so each of them fits.
      guard case .object(let members)? = try? shown.revealed() else { return }
      body(
        ShownRecord(
          index: shown.index,
          file: file.text,
          hash: digest.hash.text,
          entry: AuditEntry(
            sequence: digest.record.sequence,
            event: digest.record.event,
            run: digest.record.run,
            fields: members
          )
        )
      )
    }
  }
}
