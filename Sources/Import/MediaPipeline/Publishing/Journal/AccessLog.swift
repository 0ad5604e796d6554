package import MediaAudit
package import MediaListing
package import MediaModel
internal import MediaSources

/// The log of what a run decides, lists and opens; that of a dry run is not written.
package struct AccessLog {
  /// Nil in a dry run.
  private let writer: AuditWriter?

  /// Writes into a run's log; with nil nothing is written.
  package init(_ writer: AuditWriter?) { self.writer = writer }

  package func append(_ record: AuditRecord) { writer?.append(record) }

  package func append(_ body: some RecordBody) { writer?.append(body) }

  /// Flushes the records that were appended.
  ///
  /// - Throws: `RunError` when they cannot be written.
  package func flush() throws(RunError) {
    do {
      try writer?.flush()
    } catch {
      throw RunError(error)
    }
  }

  /// Records that files are about to be opened, and flushes the records.
  ///
  /// - Throws: `RunError` when they cannot be written.
  package func recordAccess(
    to items: some Sequence<ListedItem>,
    of source: SourceID,
    because basis: DecisionReason
  ) throws(RunError) {
    for item in items {
      append(AuditAccess(to: item.path, item.status, of: source, because: basis))
    }
    try flush()
  }
}
