internal import MediaDigest
internal import MediaModel

/// The end of an audit file, read from behind: a file may have a million records.
struct AuditTail {
  /// Where the last whole line begins, and where it ends; 0 when there is none.
  let start: Int
  let end: Int
  /// The hash of the last whole line.
  let head: RecordHash?

  init(_ source: any AuditBytes) throws(AuditError) {
    guard let newline = try Self.lastNewline(in: source, before: source.size) else {
      (start, end) = (0, 0)
      head = nil
      return
    }
    end = newline + 1
    start = try Self.lastNewline(in: source, before: newline).map { $0 + 1 } ?? 0
    var hasher = SHA256()
    var offset = start
    while offset < newline {
      let piece = try Self.bytes(of: source, offset..<min(newline, offset + Self.pieceLength))
      guard !piece.isEmpty else { break }
      piece.withUnsafeBytes { hasher.update($0) }
      offset += piece.count
    }
    head = RecordHash(&hasher)
  }

  private static let pieceLength = 1 << 16

  private static func lastNewline(
    in source: any AuditBytes,
    before limit: Int
  ) throws(AuditError) -> Int? {
    var upper = limit
    while upper > 0 {
      let lower = max(0, upper - pieceLength)
      let piece = try bytes(of: source, lower..<upper)
      if let index = piece.lastIndex(of: UInt8.newline) { return lower + index }
      upper = lower
    }
    return nil
  }

  private static func bytes(
    of source: any AuditBytes,
    _ range: Range<Int>
  ) throws(AuditError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: range.count)
    var failure: AuditError?
    let count = buffer.withUnsafeMutableBytes { bytes in
      do throws(AuditError) {
        return try source.read(at: range.lowerBound, into: bytes)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    buffer.removeLast(buffer.count - min(buffer.count, max(0, count)))
    return buffer
  }
}

extension AuditFolder {
  /// Reads the first and the last whole record of a file, and not those between them.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func ends(
    of file: AuditFileName
  ) throws(AuditError) -> (first: AuditEntry?, last: AuditEntry?) {
    let source = try bytes(of: file)
    func record(at offset: Int) throws(AuditError) -> AuditEntry? {
      var lines = AuditLines(source, from: offset)
      guard let line = try lines.next(), line.isTerminated else { return nil }
      return AuditEntry(line: line.bytes)
    }
    return (try record(at: 0), try record(at: try AuditTail(source).start))
  }
}

extension AuditBytes {
  /// Whether a file has no more whole records than `run` and `key`, with which a run begins before
  /// the catalogue knows of it.
  func hasOnlyOpening() throws(AuditError) -> Bool {
    var lines = AuditLines(self)
    var count = 0
    while let line = try lines.next(), line.isTerminated {
      count += 1
      let event = ChainedRecord(line: line)?.event
      guard count <= 2, event == (count == 1 ? .run : .key) else { return false }
    }
    return true
  }

  /// The run that a file says it is of, in the first record; nil for a file that begins with no such record.
  func firstRun() throws(AuditError) -> String? {
    var lines = AuditLines(self)
    guard let line = try lines.next(), let first = ChainedRecord(line: line), first.event == .run
    else { return nil }
    return first.run
  }
}
