package import MediaModel

/// One record that was read back from an audit file.
package struct AuditEntry: Sendable, Hashable {
  package var sequence: Int
  package var event: AuditEvent
  package var run: String
  /// All fields of the record, these three, `prev` and `time` too.
  package var fields: [String: JSONValue]

  /// The source that it concerns, where it has one.
  package var source: SourceKind? {
    guard case .string(let name) = fields["source"] else { return nil }
    return SourceKind(rawValue: name)
  }

  /// The item that it concerns, by the bytes of its path, where it has one.
  package var path: ItemPath? {
    guard event == .access || event == .outcome, case .string(let text) = fields["path"] else {
      return nil
    }
    return ItemPath(bytes: EscapedText.bytes(percentEscaped: text))
  }

  /// How the item ended, in an outcome record.
  package var outcome: ItemOutcome? {
    guard case .string(let name) = fields["outcome"] else { return nil }
    return ItemOutcome(rawValue: name)
  }

  /// Calls `body` with each whole record of a file, in order, up to the first line that is none.
  ///
  /// Reads, and proves nothing: ``AuditVerifier`` checks the chain.
  ///
  /// Starts at the `seq` that `first` is; earlier records are passed over.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func forEach(
    in bytes: any AuditBytes,
    from first: Int = 1,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    var lines = AuditLines(bytes)
    var number = 0
    while let line = try lines.next(), line.isTerminated {
      number += 1
      if number < first { continue }
      guard let members = CanonicalJSON.members(of: line.bytes),
        let record = ChainedRecord(members)
      else { return }
      body(
        AuditEntry(
          sequence: record.sequence,
          event: record.event,
          run: record.run,
          fields: members
        )
      )
    }
  }
}

/// The fields by which a record has its place in the log.
struct ChainedRecord {
  let sequence: Int
  let previousHash: RecordHash
  let run: String
  let event: AuditEvent
  /// In a run's first record only.
  let previous: AuditPreviousHead?
  let file: String?

  private static let keys: Set<String> = [
    "seq", "prev", "run", "event", "previous", "file", "schema",
  ]

  /// The record that a whole line is, or nil.
  init?(line: AuditLine) {
    guard line.isTerminated,
      let members = CanonicalJSON.members(of: line.bytes, keys: Self.keys)
    else { return nil }
    self.init(members)
  }

  init?(_ members: [String: JSONValue]) {
    guard case .integer(let sequence) = members["seq"], sequence >= 1,
      let sequence = Int(exactly: sequence),
      case .string(let hash) = members["prev"],
      let previousHash = RecordHash(hexadecimal: hash),
      case .string(let run) = members["run"],
      case .string(let name) = members["event"], let event = AuditEvent(rawValue: name)
    else { return nil }
    self.sequence = sequence
    self.previousHash = previousHash
    self.run = run
    self.event = event
    guard event == .run else {
      previous = nil
      file = nil
      return
    }
    guard members["schema"] == .string(AuditRecord.schema),
      case .string(let file) = members["file"]
    else { return nil }
    self.file = file
    switch members["previous"] {
    case .null: previous = nil
    case .object(let object):
      guard case .string(let file) = object["file"], case .string(let head) = object["head"],
        case .integer(let bytes) = object["bytes"], bytes >= 0, let bytes = Int(exactly: bytes),
        case .integer(let torn) = object["tornBytes"], torn >= 0, let torn = Int(exactly: torn)
      else { return nil }
      previous = AuditPreviousHead(file: file, head: head, bytes: bytes, tornBytes: torn)
    default: return nil
    }
  }
}
