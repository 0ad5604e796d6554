package import MediaModel
package import MediaSyntax

/// A record that was read back from an audit file.
package struct AuditEntry: Sendable, Hashable {
  package var sequence: Int
  package var event: AuditEvent
  package var run: String
  /// All fields of the record, these three, `prev` and `time` too.
  package var fields: [String: JSONValue]

  /// The source that it concerns, where it has one.
  package var source: SourceID? {
    guard case .string(let kind) = fields["source"] else { return nil }
    guard case .string(let name)? = fields["sourceName"] else { return SourceID(kind: kind, name: nil) }
    return SourceID(kind: kind, name: name)
  }

  /// The item that it concerns, by the bytes of its path, where it has one.
  package var path: ItemPath? {
    guard event == .access || event == .outcome || event == .added,
      case .string(let text) = fields["path"]
    else {
      return nil
    }
    return ItemPath(bytes: EscapedText.bytes(percentEscaped: text))
  }

  /// The outcome of the item, in an outcome record.
  package var outcome: ItemOutcome? {
    guard case .string(let name) = fields["outcome"] else { return nil }
    return ItemOutcome(rawValue: name)
  }

  /// The content of the catalogue as the run ended, in the last record of a run that has it.
  package var catalogue: CatalogueContent? {
    body(of: AuditEnd.self)?.catalogue
  }

  /// Calls `body` with each whole record of a file, in order, up to the first line that is none.
  ///
  /// Reads, and proves nothing: ``AuditVerifier`` checks the chain.
  ///
  /// - Parameters:
  ///   - bytes: The audit file.
  ///   - first: The `seq` to start at; earlier records are passed over.
  ///   - events: The events whose records are wanted; nil for all. Of the others only what chains them is
  ///     read, which takes a fraction of the time.
  ///   - body: Called with each record.
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func forEach(
    in bytes: any AuditBytes,
    from first: Int = 1,
    only events: Set<AuditEvent>? = nil,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    var lines = AuditLines(bytes)
    var number = 0
    while let line = try lines.next(), line.isTerminated {
      number += 1
      if number < first { continue }
      guard let record = chained(line.bytes) else { return }
      if let events, !events.contains(record.event) { continue }
      guard let entry = AuditEntry(record, line: line.bytes) else { return }
      body(entry)
    }
  }
}

extension AuditEntry {
  /// The record that a line without its newline is, or nil.
  init?(line: [UInt8]) {
    guard let record = Self.chained(line) else { return nil }
    self.init(record, line: line)
  }

  private init?(_ record: ChainedRecord, line: [UInt8]) {
    guard let members = CanonicalJSON.members(of: line) else { return nil }
    sequence = record.sequence
    event = record.event
    run = record.run
    fields = members
  }

  private static func chained(_ line: [UInt8]) -> ChainedRecord? {
    line.withUnsafeBytes { bytes in
      ParsedRecord(bytes).flatMap { ChainedRecord(bytes, $0) }
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
  /// The source with a name of its own that it concerns.
  let named: NamedSource?

  /// The record that a whole line is, or nil.
  init?(line: AuditLine) {
    guard line.isTerminated else { return nil }
    let record = line.bytes.withUnsafeBytes { bytes in
      ParsedRecord(bytes).flatMap { ChainedRecord(bytes, $0) }
    }
    guard let record else { return nil }
    self = record
  }

  init?(_ line: UnsafeRawBufferPointer, _ scan: ParsedRecord) {
    func text(_ range: Range<Int>?) -> String? {
      guard let range,
        case .string(let text)? = CanonicalJSON.value(
          of: UnsafeRawBufferPointer(rebasing: line[range])
        )
      else { return nil }
      return text
    }
    guard let range = scan.sequence,
      case .integer(let number)? = CanonicalJSON.value(
        of: UnsafeRawBufferPointer(rebasing: line[range])
      ), number >= 1, let sequence = Int(exactly: number),
      let prev = scan.previousHash, prev.count == 66, line[prev.lowerBound] == UInt8(ascii: "\""),
      let previousHash = RecordHash(
        hexadecimal: UnsafeRawBufferPointer(rebasing: line[(prev.lowerBound + 1)..<(prev.upperBound - 1)])
      ),
      let run = text(scan.run), let event = text(scan.event).flatMap({ AuditEvent(rawValue: $0) })
    else { return nil }
    self.sequence = sequence
    self.previousHash = previousHash
    self.run = run
    self.event = event
    named = scan.sourceName.map { name in
      NamedSource(
        source: Self.source(kind: text(scan.source), name: text(name)),
        isAllowed: event == .decision && text(scan.decision) == Verdict.allow.rawValue
      )
    }
    guard event == .run else {
      previous = nil
      file = nil
      return
    }
    guard text(scan.schema) == AuditRecord.schema, let file = text(scan.file),
      let previous = scan.previous
    else { return nil }
    self.file = file
    switch CanonicalJSON.value(of: UnsafeRawBufferPointer(rebasing: line[previous])) {
    case .null?: self.previous = nil
    case .object(let members)?:
      guard let previous = AuditPreviousHead(members) else { return nil }
      self.previous = previous
    default: return nil
    }
  }

  /// Nil for a name that is empty or the word of a kind, which no run gives to a source.
  private static func source(kind: String?, name: String?) -> SourceID? {
    guard let kind = kind.flatMap(SourceKind.init), let name, !name.isEmpty, SourceKind(rawValue: name) == nil
    else { return nil }
    return SourceID(kind, name: name)
  }

  /// What a record says of a source that has a name of its own.
  struct NamedSource {
    /// Nil when no source has such a name.
    let source: SourceID?
    /// Whether the record is a decision that allows it.
    let isAllowed: Bool
  }
}
