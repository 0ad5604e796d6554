internal import MediaAudit
internal import MediaDigest
package import MediaFileSystem
internal import MediaLibrary
package import MediaListing
package import MediaModel
internal import MediaPermissions
package import MediaSandbox
internal import MediaSources

/// Takes each batch through its four states; the order of writes and flushes is all here.
///
/// 1. access records, flushed; the row `intended`. Only now may a file be opened.
/// 2. outputs in staging, one flush; the row `staged`, with all that publishing needs. Until it is there a
///    source that is taken back takes its items out of the batch.
/// 3. thumbnails and folders get their names, one flush; catalogue rows and `published`. Then captured
///    files get their records, flushed, and their names in the photo library, one flush.
/// 4. outcome records, flushed; events, if somebody wants them; `done` as the next batch is `staged`, or at
///    the end.
package final class BatchJournal {
  /// How far a batch has come.
  package enum Completion {
    /// These items have to be stripped again first; nothing is published yet.
    case restrip([ItemWork])
    /// These items have to be read again first, or have failed; nothing is published yet.
    case reread([BatchStager.Reread])
    /// Items of it are not allowed any more; nothing is published yet.
    case refused
    /// All of it is published but these halves, which have no outcome yet.
    case published([WaitingHalf])
  }

  package enum Failure: Error {
    /// The written files may not be on the disk: the batch has to be processed again.
    case flushFailed(FileSystemError)
    case run(RunError)
  }

  /// What is written and told of items.
  let records: RunRecords
  /// What the run has counted.
  let account: RunAccount
  private let pairingKey: [UInt8]
  private let rules: Rules
  let services: Services
  /// Whether captured files are added; refused once a person takes that back.
  private(set) var adding: CaptureAdding
  private var publisher: Publisher
  /// The stager of a batch of which items have to be stripped again.
  private var halted: (batch: Int64, stager: BatchStager)?
  /// Batches whose outcome records are flushed.
  private var done: [Int64] = []

  var library: Library { records.library }
  var audit: AuditWriter { records.audit }

  /// What is the same for all batches of a run.
  package struct Rules {
    /// The policy and thumbnails of each source, see `WrittenUnder`.
    var writtenUnder: [SourceID: String]
    var onSourceChanged = ChangedSourcePolicy.add
  }

  /// What publishing a batch needs besides the library.
  package struct Services {
    /// Sets the times of published originals; nil when they are those of saving.
    package var times: FileTimes?
    package var adding = CaptureAdding.off
    /// Asked again before captured files of a batch get their names in the photo library.
    package var mayAdd: () throws(RunError) -> Bool = { true }
  }

  package init(records: RunRecords, account: RunAccount, rules: Rules, services: Services) {
    self.records = records
    self.account = account
    self.rules = rules
    self.services = services
    adding = services.adding
    pairingKey = ContentIdentifiers(records.library.digestKey).pairingKey
    publisher = Publisher(library: records.library)
  }

  /// Adds nothing more to the photo library.
  func refuseAdding() { adding = .refused }

  /// Records that the items are about to be opened, and makes the batch's row.
  package func intend(_ items: [ItemWork]) throws(RunError) -> BatchWork {
    let firstAccess = audit.recordCount + 1
    for item in items where item.isOpened {
      audit.append(
        AuditAccess(
          to: item.planned.path,
          item.planned.status,
          of: item.source.id,
          because: item.source.basis
        )
      )
    }
    try records.flush()
    do {
      let identifier = try library.catalogue.intend(
        run: records.run,
        firstAccess: firstAccess,
        audit: records.position()
      )
      let folder = try publisher.makeStagingFolder(identifier)
      return BatchWork(identifier: identifier, items: items, folder: folder, pairingKey: pairingKey)
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Whether a batch waits for items that have to be stripped or read again.
  package func isHalted(_ batch: BatchWork) -> Bool { halted?.batch == batch.identifier }

  /// Forgets what was done of a batch that is processed anew, and removes what was written of it.
  package func restart(_ batch: BatchWork) throws(RunError) {
    if isHalted(batch) { halted = nil }
    do {
      try FileSystem.empty(batch.folder)
    } catch {
      throw RunError(writing: error)
    }
    guard case .allowed(let copier) = adding else { return }
    do {
      for item in batch.items { try copier.folder.remove(CaptureCopier.name(of: item, in: batch)) }
    } catch {
      throw RunError(addingFailed: error)
    }
  }

  /// Stages and publishes a batch whose items have all ended, and writes its outcome records.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - whileAllowed: Runs its argument, which writes what publishing needs, while no answer can be taken
  ///     back; or returns false, when items of the batch are not allowed any more.
  /// - Returns: Whether it is published, and what has to be processed again.
  /// - Throws: ``Failure``.
  package func complete(
    _ batch: BatchWork,
    whileAllowed: (() -> Void) throws(RunError) -> Bool
  ) throws(Failure) -> Completion {
    let staged: StagedBatch
    let stager: BatchStager
    do {
      var latest = takeStager(of: batch)
      guard let whole = try latest.staged() else {
        halted = (batch.identifier, latest)
        return latest.reread.isEmpty ? .restrip(latest.restripped) : .reread(latest.reread)
      }
      (staged, stager) = (whole, latest)
    } catch {
      throw .run(RunError(wrapping: error))
    }
    try setTimes(of: staged, in: batch)
    if !staged.assets.isEmpty { try flush(staged, of: batch) }
    do {
      var stored: Result<Void, any Error> = .success(())
      let isAllowed = try whileAllowed {
        stored = Result {
          try library.privateFacts?.store(staged.privateFacts)
          try library.catalogue.stage(batch.identifier, staged, done: done)
          done = []
        }
      }
      guard isAllowed else { return .refused }
      try stored.get()
      account.tally.additions.refused += stager.notAdded.refused
      account.tally.additions.withoutSound += stager.notAdded.withoutSound
      try publisher.publish(batch.identifier, staged)
      try library.catalogue.publish(batch.identifier, staged, run: records.run)
      try publisher.removeStagingFolder(batch.identifier)
      try noteDescriptions(of: staged.results, in: batch)
      let repeated = batch.items.lazy.filter(\.pending.isRepeated).map(\.planned.path)
      account.tally.count(staged.results, repeated: Set(repeated))
      account.tally.countFalseStatements(of: batch, staged)
      try add(staged.additions)
      try records.record(staged.results, recovered: false)
      try records.sendEvents(of: staged.results, recovered: false)
    } catch {
      throw .run(RunError(wrapping: error))
    }
    done.append(batch.identifier)
    return .published(stager.waiting)
  }

  /// Takes the stager that has halted at a batch; else makes one for it.
  private func takeStager(of batch: BatchWork) -> BatchStager {
    defer { halted = nil }
    if let halted, halted.batch == batch.identifier { return halted.stager }
    return BatchStager(
      batch: batch,
      library: library,
      writtenUnder: rules.writtenUnder,
      onSourceChanged: rules.onSourceChanged,
      adding: adding
    )
  }

  /// Flushes the outputs of a batch before anything says that they are there.
  private func flush(_ staged: StagedBatch, of batch: BatchWork) throws(Failure) {
    do {
      try FileSystem.flush(fileSystemOf: batch.folder)
      if staged.additions != nil, case .allowed(let copier) = adding { try copier.folder.flush() }
    } catch {
      throw .flushFailed(error)
    }
  }

  /// Notes what their source said of the items that are published now.
  private func noteDescriptions(
    of results: [ItemResult],
    in batch: BatchWork
  ) throws(LibraryError) {
    guard let source = batch.items.first?.source, source.media.describesFiles else { return }
    let described = results.filter { $0.localIdentifier != nil }.compactMap { result in
      source.media.digest(of: result.item.path, library.digestKey).map { (result.item.path, $0) }
    }
    try library.catalogue.note(described: described, of: source.id)
  }

  /// Gives staged originals the times that they will have, before they are flushed.
  private func setTimes(of staged: StagedBatch, in batch: BatchWork) throws(Failure) {
    guard let times = services.times else { return }
    let entries = staged.times(of: batch)
    if entries.isEmpty { return }
    do {
      account.tally.count(try times.set(entries))
    } catch {
      throw .run(
        RunError(
          .cannotWrite,
          "The process that sets the times of files has ended (\(error)), so nothing of the batch was "
            + "published. Run again: it goes on from here."
        )
      )
    }
  }

  /// Sets the remaining batches to `done`.
  package func close() throws(RunError) {
    if done.isEmpty { return }
    do {
      try library.catalogue.finish(done, run: records.run, audit: records.position())
      done = []
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Records and counts items that are not opened because nothing about them changed, or for another
  /// reason that the listing and the catalogue tell.
  package func recordUnchanged(
    _ items: ListedPaths,
    of source: SourceID,
    as outcome: ItemOutcome,
    because reason: ItemReason? = nil
  ) {
    if items.isEmpty { return }
    var unopened = AuditCount(.unchanged, of: source, items.count)
    unopened.listSHA256 = AuditRecord.listSHA256(items)
    unopened.outcome = outcome == .unchanged ? nil : outcome
    unopened.reason = reason
    audit.append(unopened)
    account.tally.count(items, of: source, as: outcome, because: reason)
  }
}
