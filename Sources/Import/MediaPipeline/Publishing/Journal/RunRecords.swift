package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
internal import MediaListing
package import MediaModel
internal import MediaSources

/// What a run or a command writes into the log about items and assets, and tells a reader of.
package struct RunRecords {
  package let library: Library
  package let audit: AuditWriter
  /// Tells a reader of the items of a published batch; nil when there is none.
  private let events: (([ItemEvent]) throws(RunError) -> Void)?

  /// The identifier of the run or command in the log.
  package var run: String { audit.file.run }

  package init(
    library: Library,
    audit: AuditWriter,
    events: (([ItemEvent]) throws(RunError) -> Void)? = nil
  ) {
    self.library = library
    self.audit = audit
    self.events = events
  }

  /// Writes outcome records, each behind that of a lost original which came back, and flushes them.
  package func record(_ results: [ItemResult], recovered: Bool) throws(RunError) {
    for result in results {
      if let file = result.restored {
        audit.append(AuditFileChange(.restored, file, of: result.localIdentifier ?? ""))
      }
      audit.append(.outcome(result.details.recorded(recovered: recovered)))
    }
    try flush()
  }

  /// Tells the reader of events of items that are published and in the log.
  ///
  /// Their batch is not `done` before: a run that is stopped here leaves it to the next one, which tells
  /// of it again.
  package func sendEvents(of results: [ItemResult], recovered: Bool) throws(RunError) {
    guard let events else { return }
    var items: [ItemEvent] = []
    do {
      for result in results {
        let label = try result.localIdentifier.flatMap { try library.catalogue.label(of: $0) }
        items.append(ItemEvent(result.details.recorded(recovered: recovered), label: label))
      }
    } catch {
      throw RunError(wrapping: error)
    }
    try events(items)
  }

  /// Begins a batch of decisions, or of thumbnails that are made of published originals.
  package func begin() throws(RunError) -> Int64 {
    do {
      return try library.catalogue.intend(run: run, firstAccess: audit.recordCount + 1, audit: position())
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Takes what a person has decided about assets, and thumbnails whose bytes are in staging and flushed, through the
  /// states of a batch: it is in the journal before it is in the log, there before a file has its name, and in the
  /// catalogue last.
  package func carryOut(_ batch: Int64, _ staged: StagedBatch) throws(RunError) {
    do {
      try library.catalogue.stage(batch, staged)
      try recordDecisions(of: staged)
      try recordMade(of: staged)
      var publisher = Publisher(library: library)
      try publisher.publish(batch, staged)
      try library.moveFiles(of: staged.edits)
      try library.catalogue.publish(batch, staged, run: run)
      try publisher.removeStagingFolder(batch)
      try library.catalogue.finish([batch], run: run, audit: position())
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Records what a person has decided, with the files that are about to be renamed or moved aside, and flushes
  /// the records.
  package func recordDecisions(of staged: StagedBatch) throws(RunError) {
    if staged.edits.isEmpty { return }
    for edit in staged.edits {
      switch edit.kind {
      case .label: for move in edit.moves { record(move, of: edit, .relabelled, move.to) }
      case .withdraw: for move in edit.moves { record(move, of: edit, .withdrawn, move.from) }
      default: audit.append(edit)
      }
    }
    try flush()
  }

  /// Records a file that is about to be moved, with the path below the library that the log tells of it.
  private func record(
    _ move: LibraryEdit.Move,
    of edit: LibraryEdit,
    _ event: AuditEvent,
    _ path: String
  ) {
    let output = OutputFile(published: path, sha256: move.sha256, bytes: move.bytes)
    var change = AuditFileChange(event, output, of: edit.asset, to: edit.folder)
    change.previousPath = ItemPath(bytes: [UInt8](move.from.utf8))
    audit.append(change)
  }

  /// Records the thumbnails of a batch without items, which were made of published originals and are about to get
  /// their names, and flushes the records; of another batch nothing.
  package func recordMade(of staged: StagedBatch) throws(RunError) {
    if staged.assets.isEmpty || !staged.results.isEmpty { return }
    for asset in staged.assets {
      for thumbnail in asset.thumbnails {
        let output = OutputFile(
          published: thumbnail.publishedPath,
          sha256: thumbnail.sha256,
          bytes: thumbnail.bytes,
          pixelSize: thumbnail.size
        )
        var change = AuditFileChange(.restored, output, of: asset.localIdentifier)
        change.fingerprint = thumbnail.fingerprint
        audit.append(change)
      }
    }
    try flush()
  }

  /// The log itself, as what lists and opens files writes it.
  package var log: AccessLog { AccessLog(audit) }

  package func flush() throws(RunError) { try log.flush() }

  /// The end of the log, for the catalogue: everything that was appended is flushed first, or the catalogue would
  /// expect records that a full disk has refused.
  package func position() throws(RunError) -> AuditPosition {
    try flush()
    return audit.takePosition()
  }
}
