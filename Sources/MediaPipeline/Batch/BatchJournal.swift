package import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
package import MediaLibrary
internal import MediaListing
package import MediaModel
internal import MediaPermissions
internal import MediaSandbox
internal import MediaSaving

/// Takes each batch through its four states; the order of writes and flushes is all here.
///
/// 1. access records, flushed; the row `intended`. Only now may a file be opened.
/// 2. outputs in staging, one flush; the row `staged`, with all that publishing needs. Until it is there a
///    source that is taken back takes its items out of the batch.
/// 3. thumbnails and folders get their names, one flush; catalogue rows and `published`. Then captured
///    files get their records, flushed, and their names in the photo library, one flush.
/// 4. outcome records, flushed; events, if somebody wants them; `done` with the next batch's row, or at
///    the end.
package final class BatchJournal {
  /// How far a batch has come.
  enum Completion {
    /// These items have to be stripped again first; nothing is published yet.
    case restrip([ItemWork])
    /// These items have to be read again first, or have failed; nothing is published yet.
    case reread([BatchStager.Reread])
    /// Items of it are not allowed any more; nothing is published yet.
    case refused
    /// All of it is published but these halves, which have no outcome yet.
    case published([WaitingHalf])
  }

  enum Failure: Error {
    /// The written files may not be on the disk: the batch has to be processed again.
    case flushFailed(FileSystemError)
    case run(RunError)
  }

  let library: Library
  let audit: AuditWriter
  let run: String
  let digestKey: [UInt8]
  private let pairingKey: [UInt8]
  private let writtenUnder: [SourceKind: String]
  private let onSourceChanged: ChangedSourcePolicy
  /// Tells a reader of the items of a published batch; nil when there is none.
  private let events: (([ItemEvent]) throws(RunError) -> Void)?
  /// All that failures of a source's items depend on besides their files, see ``FailureConditions``.
  var failingUnder: [SourceKind: String] = [:]
  private var publisher: Publisher
  /// Sets the times of published originals; nil when they are those of saving.
  var times: FileTimes?
  /// The originals whose file system did not take a time, with the errno of the first one.
  private(set) var untimed = FileTimes.Failures()
  /// Decides whether captured files are added; ``mayAdd`` is asked again before each batch's files get their names.
  var adding = CaptureAdding.off
  var mayAdd: () throws(RunError) -> Bool = { true }
  /// The files that were added to the photo library, and the captured items that were not.
  var additions = (added: 0, refused: 0, withoutSound: 0)
  /// Batches of an interrupted run that still add files to the photo library.
  var unfinishedAdditions: [Recovery.Recovered] = []
  /// The stager of a batch of which items have to be stripped again.
  private var halted: (batch: Int64, stager: BatchStager)?
  /// Batches whose outcome records are flushed.
  private var done: [Int64] = []

  private(set) var counts: [SourceKind: [ItemOutcome: Int]] = [:]
  private(set) var failures: [RunReport.Failure] = []
  private(set) var thumbnailMissing: [RunReport.Failure] = []
  private(set) var unsupported: [RunReport.Unsupported] = []
  private(set) var leftOut: [RunReport.LeftOut] = []
  private(set) var degraded = 0
  private(set) var thumbnails = 0
  /// Paths of lost originals that were published again.
  private(set) var restored: Set<String> = []
  /// The numbers of assets that were made of a changed file, and of originals that took another's place.
  private(set) var versions = (added: 0, replaced: 0)
  /// Whether items that are not allowed any more are counted; not while files are only compared, which are
  /// counted when they are imported.
  var countsRefused = true
  /// The number of originals that were missing when the run began.
  var lostOriginals = 0
  /// Items that were imported although a date of theirs is before 1826 or in the future: their number,
  /// and the paths of the first ones.
  private(set) var implausibleDates: (count: Int, examples: [ItemPath]) = (0, [])
  /// Sources that were allowed when the run began and were taken back while it went on.
  private(set) var revoked: [DecidedSource] = []

  package init(
    library: Library,
    audit: AuditWriter,
    writtenUnder: [SourceKind: String],
    onSourceChanged: ChangedSourcePolicy = .add,
    events: (([ItemEvent]) throws(RunError) -> Void)? = nil
  ) {
    self.library = library
    self.events = events
    self.audit = audit
    digestKey = library.digestKey
    pairingKey = ContentIdentifiers(digestKey).pairingKey
    self.writtenUnder = writtenUnder
    self.onSourceChanged = onSourceChanged
    run = audit.file.run
    publisher = Publisher(library: library)
  }

  /// Records that the items are about to be opened, and makes the batch's row.
  func intend(_ items: [ItemWork]) throws(RunError) -> BatchWork {
    let firstAccess = audit.recordCount + 1
    for item in items where item.isOpened {
      let status = item.planned.status
      audit.append(
        .access(
          source: item.source.kind,
          path: item.planned.path,
          size: status.size,
          modified: status.modified,
          changed: status.changed,
          device: status.device,
          inode: status.inode,
          basis: item.source.basis
        )
      )
    }
    try flushAudit()
    do {
      let identifier = try library.catalogue.intend(
        run: run,
        firstAccess: firstAccess,
        audit: position,
        done: done
      )
      done = []
      let folder = try publisher.makeStagingFolder(identifier)
      return BatchWork(
        identifier: identifier,
        items: items,
        folder: folder,
        pairingKey: pairingKey
      )
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Whether a batch waits for items that have to be stripped or read again.
  func isHalted(_ batch: BatchWork) -> Bool { halted?.batch == batch.identifier }

  /// Forgets what was done of a batch that is processed anew, and removes what was written of it.
  func restart(_ batch: BatchWork) throws(RunError) {
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
  func complete(
    _ batch: BatchWork,
    whileAllowed: (() -> Void) throws(RunError) -> Bool
  ) throws(Failure) -> Completion {
    let staged: StagedBatch
    let stager: BatchStager
    do {
      var latest =
        halted.flatMap { $0.batch == batch.identifier ? $0.stager : nil }
        ?? BatchStager(
          batch: batch,
          catalogue: library.catalogue,
          digestKey: digestKey,
          writtenUnder: writtenUnder,
          failingUnder: failingUnder,
          onSourceChanged: onSourceChanged,
          restored: restored,
          keepsPrivateFacts: library.privateFacts != nil,
          adding: adding
        )
      halted = nil
      guard let whole = try latest.staged() else {
        halted = (batch.identifier, latest)
        return latest.reread.isEmpty ? .restrip(latest.restripped) : .reread(latest.reread)
      }
      (staged, stager) = (whole, latest)
    } catch {
      throw .run(RunError(wrapping: error))
    }
    try setTimes(of: staged, in: batch)
    if !staged.assets.isEmpty {
      do {
        try FileSystem.flush(fileSystemOf: batch.folder)
        if staged.additions != nil, case .allowed(let copier) = adding {
          try copier.folder.flush()
        }
      } catch {
        throw .flushFailed(error)
      }
    }
    do {
      var stored: Result<Void, any Error> = .success(())
      let isAllowed = try whileAllowed {
        stored = Result {
          try library.privateFacts?.store(staged.privateFacts)
          try library.catalogue.stage(batch.identifier, staged)
        }
      }
      guard isAllowed else { return .refused }
      try stored.get()
      additions.refused += stager.notAdded.refused
      additions.withoutSound += stager.notAdded.withoutSound
      try publisher.publish(batch.identifier, staged)
      try library.catalogue.publish(batch.identifier, staged, run: run)
      try publisher.removeStagingFolder(batch.identifier)
      try noteSaid(of: staged.results, in: batch)
      for result in staged.results { count(result) }
      countImplausibleDates(of: batch, staged)
      try add(staged.additions)
      try record(staged.results, recovered: false)
      try tell(staged.results, recovered: false)
    } catch {
      throw .run(RunError(wrapping: error))
    }
    done.append(batch.identifier)
    return .published(stager.waiting)
  }

  /// Notes what the database of a Photos library said of the items that are published now.
  private func noteSaid(
    of results: [ItemResult],
    in batch: BatchWork
  ) throws(LibraryError) {
    guard let source = batch.items.first?.source, let photos = source.photos else { return }
    let described = results.filter { $0.localIdentifier != nil }.compactMap { result in
      photos.digest(of: result.item.path, digestKey).map { (result.item.path, $0) }
    }
    try library.catalogue.note(described: described, of: source.kind)
  }

  /// Gives staged originals the times that they will have, before they are flushed.
  private func setTimes(of staged: StagedBatch, in batch: BatchWork) throws(Failure) {
    guard let times else { return }
    let entries = staged.times(of: batch)
    if entries.isEmpty { return }
    do {
      let failures = try times.set(entries)
      if untimed.count == 0 { untimed.number = failures.number }
      untimed.count += failures.count
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

  /// Writes outcome records, each behind that of a lost original which came back, and flushes them.
  func record(_ results: [ItemResult], recovered: Bool) throws(RunError) {
    for result in results {
      if let file = result.restored {
        audit.append(.restored(asset: result.localIdentifier ?? "", output: file))
      }
      audit.append(.outcome(result.details.recorded(recovered: recovered)))
    }
    try flushAudit()
  }

  /// Tells the reader of events of items that are published and in the log.
  ///
  /// Their batch is not `done` before: a run that is stopped here leaves it to the next one, which tells
  /// of it again.
  func tell(_ results: [ItemResult], recovered: Bool) throws(RunError) {
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

  /// Takes what a person has decided about assets through the states of a batch: it is in the journal before
  /// it is in the log, there before a file is renamed, and in the catalogue last.
  package func carryOut(_ staged: StagedBatch) throws(RunError) {
    do {
      let batch = try library.catalogue.intend(
        run: run,
        firstAccess: audit.recordCount + 1,
        audit: position,
        done: []
      )
      try library.catalogue.stage(batch, staged)
      try recordDecisions(of: staged)
      try library.rename(staged.relabels ?? [])
      try library.moveAside(staged.withdrawals ?? [])
      try library.catalogue.publish(batch, staged, run: run)
      done.append(batch)
    } catch {
      throw RunError(wrapping: error)
    }
    try close()
  }

  /// Records what a person has decided, with the files that are about to be renamed or moved aside, and flushes
  /// the records.
  func recordDecisions(of staged: StagedBatch) throws(RunError) {
    if staged.relabels == nil, staged.stackings == nil, staged.withdrawals == nil { return }
    for withdrawal in staged.withdrawals ?? [] {
      for file in withdrawal.files {
        let output = OutputFile(published: file.path, sha256: file.sha256, bytes: file.bytes)
        audit.append(
          .withdrawn(asset: withdrawal.localIdentifier, output: output, as: withdrawal.folder)
        )
      }
    }
    for stacking in staged.stackings ?? [] {
      audit.append(.stacked(AuditStacking(assets: stacking.assets, isApart: stacking.isApart)))
    }
    for relabel in staged.relabels ?? [] {
      for file in relabel.files {
        audit.append(
          .relabelled(
            AuditRename(
              asset: relabel.localIdentifier,
              previousPath: ItemPath(bytes: [UInt8](file.from.utf8)),
              output: OutputFile(published: file.to, sha256: file.sha256, bytes: file.bytes)
            )
          )
        )
      }
    }
    try flushAudit()
  }

  /// Sets the remaining batches to `done`.
  func close() throws(RunError) {
    do {
      try library.catalogue.finish(done, run: run, audit: position)
      done = []
    } catch {
      throw RunError(error)
    }
  }

  /// Records and counts items that are not opened because nothing about them changed, or for another
  /// reason that the listing and the catalogue tell.
  func recordUnchanged(
    _ items: ListedPaths,
    of source: SourceKind,
    as outcome: ItemOutcome,
    because reason: ItemReason? = nil
  ) {
    if items.isEmpty { return }
    audit.append(
      .unchanged(
        source: source,
        count: items.count,
        listSHA256: AuditRecord.listSHA256(items),
        outcome: outcome,
        reason: reason
      )
    )
    if let reason {
      let examples = items.prefix(RunReport.LeftOut.maximumExamples)
      countLeftOut(source, reason, count: items.count, examples: Array(examples))
    }
    counts[source, default: [:]][outcome, default: 0] += items.count
  }

  /// The number of items with an outcome.
  var endedCount: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  /// Counts items that were found and not opened, because access to their source was revoked.
  func countRefused(_ number: Int, of source: SourceKind) {
    if number > 0, countsRefused { counts[source, default: [:]][.refused, default: 0] += number }
  }

  func countRevoked(_ source: DecidedSource) { revoked.append(source) }

  func flushAudit() throws(RunError) {
    do {
      try audit.flush()
    } catch {
      throw RunError(error)
    }
  }

  var position: AuditPosition { audit.takePosition() }

  private func count(_ result: ItemResult) {
    if result.isAgain == true { return }
    counts[result.item.source, default: [:]][result.outcome, default: 0] += 1
    if result.degraded { degraded += 1 }
    if let file = result.restored { restored.insert(file.published) }
    if result.olderVersion != nil { versions.added += 1 }
    if result.replaces != nil { versions.replaced += 1 }
    thumbnails += result.thumbnails.count
    if result.outcome == .unsupported, unsupported.count < RunReport.maximumUnsupported {
      unsupported.append(
        RunReport.Unsupported(source: result.item.source, path: result.item.path)
      )
    }
    guard result.outcome == .failed || result.reason == .thumbnailMissing else {
      if let reason = result.reason {
        countLeftOut(result.item.source, reason, count: 1, examples: [result.item.path])
      }
      return
    }
    let failure = RunReport.Failure(
      source: result.item.source,
      path: result.item.path,
      step: result.step ?? .read,
      reason: result.reason ?? .cannotRead,
      format: result.failedFormat,
      message: result.message ?? ""
    )
    if result.outcome == .failed {
      failures.append(failure)
    } else {
      thumbnailMissing.append(failure)
    }
  }

  private func countImplausibleDates(of batch: BatchWork, _ staged: StagedBatch) {
    let items = batch.items.filter { $0.facts?.description?.hasImplausibleDate == true }
    if items.isEmpty { return }
    let imported = Set(staged.results.filter { $0.outcome == .imported }.map(\.item.path))
    for item in items where imported.contains(item.planned.path) {
      implausibleDates.count += 1
      if implausibleDates.examples.count < RunReport.LeftOut.maximumExamples {
        implausibleDates.examples.append(item.planned.path)
      }
    }
  }

  private func countLeftOut(
    _ source: SourceKind,
    _ reason: ItemReason,
    count: Int,
    examples: [ItemPath]
  ) {
    // An export of photos has one beside each of them.
    if reason == .sidecarRead { return }
    let known = leftOut.firstIndex { $0.source == source && $0.reason == reason }
    let index = known ?? leftOut.endIndex
    if known == nil {
      leftOut.append(RunReport.LeftOut(source: source, reason: reason, count: 0, examples: []))
    }
    leftOut[index].count += count
    let room = RunReport.LeftOut.maximumExamples - leftOut[index].examples.count
    leftOut[index].examples += examples.prefix(max(0, room))
  }
}
