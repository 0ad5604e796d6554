package import MediaModel
internal import MediaSyntax

/// The records of a log that are wanted, by what they are about or by their events, so that one pass finds them
/// and the rest of the log is not read again.
package struct RecordSearch: Sendable {
  /// By their localIdentifiers.
  package private(set) var assets: Set<String>
  /// Of files within their sources.
  package private(set) var paths: Set<ItemPath>
  private let events: Set<AuditEvent>
  private let keys: Set<UInt32>

  /// - Parameters:
  ///   - events: Every record of these is wanted.
  ///   - assets: The localIdentifiers of assets, each record about one of which is wanted.
  ///   - paths: Paths of files within their sources, likewise.
  package init(events: Set<AuditEvent>, assets: Set<String> = [], paths: Set<ItemPath> = []) {
    self.events = events
    self.assets = assets
    self.paths = paths
    let names = assets.map(JSONValue.string) + paths.map { .string($0.text) }
    keys = Set(names.map(Self.key))
  }

  private static func key(_ value: JSONValue) -> UInt32 {
    value.serialized.withUnsafeBytes { LookupKeys.key($0) }
  }

  /// Whether a record is wanted; also one with the key of a wanted name and another name.
  func wants(_ record: ChainedRecord, _ recordKeys: LookupKeys) -> Bool {
    events.contains(record.event) || keys.contains(recordKeys.asset)
      || keys.contains(recordKeys.path)
  }
}

/// Where the wanted records of an audit file stand.
package struct FoundRecords: Sendable, Hashable {
  /// The lines of the wanted records, and that of the last one, in the order of the file: bytes, newlines included.
  package private(set) var lines: [Range<Int>] = []
  /// The number of all records.
  package private(set) var records = 0
  private var last: Range<Int>?

  init() {}

  /// Notes the next record.
  mutating func add(_ line: Range<Int>, isWanted: Bool) {
    records += 1
    last = isWanted ? nil : line
    if isWanted { lines.append(line) }
  }

  /// Notes that the file has ended.
  mutating func finish() {
    if let last { lines.append(last) }
    last = nil
  }
}

extension AuditEntry {
  /// Finds the wanted records of a file, up to the first line that is no record.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func records(
    _ search: RecordSearch,
    in bytes: any AuditBytes
  ) throws(AuditError) -> FoundRecords {
    var matches = FoundRecords()
    var lines = AuditLines(bytes)
    while let line = try lines.next(), line.isTerminated {
      let isWanted = line.bytes.withUnsafeBytes { bytes in
        ParsedRecord(bytes).flatMap { scan in
          ChainedRecord(bytes, scan).map { search.wants($0, LookupKeys(bytes, scan)) }
        }
      }
      guard let isWanted else { break }
      matches.add(line.offset..<line.end, isWanted: isWanted)
    }
    matches.finish()
    return matches
  }

  /// Calls `body` with the records that some lines of a file are, in their order, up to one that is none.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func forEach(
    in bytes: any AuditBytes,
    at lines: [Range<Int>],
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    for range in lines {
      var reader = AuditLines(bytes, from: range.lowerBound, limit: range.upperBound)
      guard let line = try reader.next(), line.isTerminated,
        let entry = AuditEntry(line: line.bytes)
      else { return }
      body(entry)
    }
  }

  /// Calls `body` with the records of a file whose lines may be wanted, in order.
  ///
  /// The other lines are passed over by their bytes, also one that is no record: several times as fast as to read what
  /// chains them.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func forEach(
    in bytes: any AuditBytes,
    where mayBeWanted: (_ line: UnsafeRawBufferPointer) -> Bool,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    var lines = AuditLines(bytes)
    while let line = try lines.next(), line.isTerminated {
      guard line.bytes.withUnsafeBytes(mayBeWanted), let entry = AuditEntry(line: line.bytes) else {
        continue
      }
      body(entry)
    }
  }

  /// A test of lines by their bytes, which is true of each record of an event.
  package static func mayBe(_ event: AuditEvent) -> (_ line: UnsafeRawBufferPointer) -> Bool {
    // A quote within a text has a backslash before it, so that no text looks like this.
    let word = ByteSearch(Array("\"event\":\"\(event.rawValue)\"".utf8))
    return { word.offset(in: $0) != nil }
  }
}
