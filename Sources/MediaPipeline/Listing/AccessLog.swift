internal import MediaAudit
internal import MediaListing
internal import MediaModel
internal import MediaSources

/// The log of what a run decides, lists and opens; that of a dry run is not written.
struct AccessLog {
  /// Nil in a dry run.
  private let writer: AuditWriter?

  /// Writes into a run's log; with nil nothing is written.
  init(_ writer: AuditWriter?) { self.writer = writer }

  func append(_ record: AuditRecord) { writer?.append(record) }

  /// Flushes the records that were appended.
  ///
  /// - Throws: `RunError` when they cannot be written.
  func flush() throws(RunError) {
    do {
      try writer?.flush()
    } catch {
      throw RunError(error)
    }
  }

  /// Records that files are about to be opened, and flushes the records.
  ///
  /// - Throws: `RunError` when they cannot be written.
  func recordAccess(
    to items: some Sequence<ListedItem>,
    of source: SourceKind,
    because basis: DecisionReason
  ) throws(RunError) {
    for item in items {
      append(.access(to: item.path, item.status, of: source, because: basis))
    }
    try flush()
  }
}
