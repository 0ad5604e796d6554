internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Moves items through the workers, batch by batch, on one thread.
///
/// At most two batches are open: while one is flushed and published, the workers have the jobs of
/// the next. The loop never blocks on one worker, and opens no file before its access record is
/// flushed.
final class ImportLoop: BatchLoop {
  let context: BatchContext
  let requests: WorkerRequests<SentItem>
  let wantsFactsOnly = false
  let opener: ItemOpener
  /// The titles that JSON files gave to folders of a Takeout.
  private(set) var albumTitles: [SourceID: [ItemPath: String]] = [:]
  let progress: ProgressCounter
  var batches: [BatchWork] = []
  var doneCount = 0
  var nextMark: Int64 = 0
  private let hashing = OutputHashing()
  /// Whether a single output waits for another one.
  private var isWaiting = false
  /// How long an output waits: as long as a worker has a photo.
  private static let longestAlone = MonotonicClock.second / 10
  /// The pieces that one item may write before the sockets are polled again: 8 MiB.
  private static let assemblyPieces = 32
  /// The pending operations of one item above which its worker is not read from.
  private static let maximumWaiting = 65_536

  /// - Parameters:
  ///   - context: What it has of the run.
  ///   - pool: Workers, none of which has started.
  ///   - progress: Shows how far it has come.
  init(_ context: BatchContext, pool: WorkerPool, progress: ProgressCounter) {
    self.context = context
    requests = WorkerRequests(pool, deadlinesEvery: MonotonicClock.second / 10)
    opener = context.opener
    self.progress = progress
  }

  /// Processes all items of `plan`, until none is left or a person interrupts.
  ///
  /// - Throws: `RunError`; published assets stay, and the next run resumes the rest.
  func process(_ plan: inout BatchPlan) throws(RunError) {
    try process(&plan) { (first, plan) throws(RunError) in
      // The next batch's jobs are sent first, so that the workers are busy during the flush.
      try start(from: &plan)
      try feed(from: &plan)
      let startTime = MonotonicClock.now
      let isDone = try complete(first, &plan)
      // No worker was read from meanwhile, so its deadline moves by that time.
      requests.extendDeadlines(by: MonotonicClock.now - startTime)
      if isDone {
        doneCount += first.items.count { $0.pending.late?.isPublished != true }
        batches.removeFirst()
      }
    }
  }

  // MARK: Steps

  func receiveAnswers() throws(RunError) {
    let isBusy = isWriting() || batches.allSatisfy(\.isComplete)
    var failure: RunError?
    let answered = requests.receive(
      timeout: isBusy ? 0 : isWaiting ? 20 : 250,
      isAhead: {
        $0.isCurrent && ($0.attempt.output?.assembler.waiting ?? 0) > Self.maximumWaiting
      }
    ) { (sent, message) throws(ProtocolError) in
      do {
        if sent.isCurrent, failure == nil { try handle(message, about: sent) }
      } catch let error as ProtocolError {
        throw error
      } catch {
        // The run ends.
        failure = RunError(wrapping: error)
      }
      return message.isLast
    }
    if let failure { throw failure }
    for lost in answered.lost where lost.state.isCurrent { end(lost) }
    try assemble()
  }

  /// Whether outputs are written now: one alone waits for another one, since two are hashed in the time of one.
  private func isWriting() -> Bool {
    isWaiting = false
    var alone: OutputAssembler?
    for batch in batches {
      for item in batch.begun {
        guard let output = item.attempt?.output?.assembler, output.hasWork else { continue }
        if alone != nil || output.unwritten < hashing.pieceLength { return true }
        alone = output
      }
    }
    guard let alone else { return false }
    let now = MonotonicClock.now
    let start = alone.aloneSince ?? now
    alone.aloneSince = start
    isWaiting = !requests.isEmpty && now - start < Self.longestAlone
    return !isWaiting
  }

  /// Writes a part of each output, a piece of one after that of another.
  ///
  /// - Throws: `RunError`, but not when the library has no room for an item.
  private func assemble() throws(RunError) {
    let isWriting = isWriting()
    for _ in 0..<Self.assemblyPieces {
      for batch in batches {
        for item in batch.begun {
          guard let attempt = item.attempt else { continue }
          try advance(item, attempt, in: batch, isWriting: isWriting)
        }
      }
      guard isWriting, self.isWriting() else { return }
    }
  }

  /// Writes a piece of an output, and ends the attempt if that was the last one.
  private func advance(
    _ item: ItemWork,
    _ attempt: ItemAttempt,
    in batch: BatchWork,
    isWriting: Bool
  ) throws(RunError) {
    // False when the source file has become shorter than it was.
    var isAsLong = true
    do throws(OutputAssembler.Failure) {
      if isWriting, let output = attempt.output?.assembler {
        isAsLong = try output.work(through: hashing)
      }
    } catch {
      switch error {
      case .reading(let cause): throw RunError(.cannotRead, "\(cause)")
      case .writing(let cause):
        guard cause.isOutOfSpace else { throw RunError(writing: cause) }
        return try drop(item, in: batch, cause)
      }
    }
    guard attempt.isAnswered else { return }
    if !isAsLong {
      try retry(item, in: batch)
    } else if attempt.output?.assembler.isComplete ?? true {
      try finish(item, attempt, in: batch)
    }
  }

  /// Ends an attempt whose output is written, if the source file did not change meanwhile.
  private func finish(
    _ item: ItemWork,
    _ attempt: ItemAttempt,
    in batch: BatchWork
  ) throws(RunError) {
    guard let claim = attempt.claim else { return }
    guard (try? item.isAsOpened(attempt.file)) == true else {
      return try retry(item, in: batch)
    }
    var product = ItemWork.Product(file: attempt.file, claim: claim, thumbnails: attempt.thumbnails)
    product.lack = attempt.lack
    if let (label, assembler) = attempt.output {
      guard let digest = assembler.finish(format: claim.facts.format, hashing),
        item.needsEditList || digest == claim.digest
      else {
        let detail = "the output is not what was said of it"
        return try fail(item, attempt, in: batch, .workerProtocol, .assemble, detail)
      }
      product.output = ItemWork.Output(
        label: label,
        fileName: assembler.fileName,
        bytes: assembler.bytes,
        digest: digest,
        removed: attempt.removed,
        hasLostSound: attempt.hasLostSound
      )
    }
    item.finish(with: product)
  }

  // MARK: Failures

  /// Retries an item whose file changed while it was read; the second time it fails.
  private func retry(_ item: ItemWork, in batch: BatchWork) throws(RunError) {
    item.failedAttempts += 1
    try discard(item, in: batch)
    if item.failedAttempts > 1 {
      item.end(context.reasonOfChange, .read)
    } else {
      batch.retry(item)
    }
  }

  func fail(
    _ item: ItemWork,
    _ attempt: ItemAttempt,
    in batch: BatchWork,
    _ reason: ItemReason,
    _ step: ItemStep,
    _ detail: String
  ) throws(RunError) {
    // The failure may be due to a change of the file while the worker read it.
    if item.failedAttempts == 0, attempt.hasChanged(for: item) {
      return try retry(item, in: batch)
    }
    try discard(item, in: batch)
    item.end(reason, step, detail)
  }

  /// Ends an item for which the library has no room, and removes what was written of it, so that
  /// there is room for others. Later answers about it are ignored.
  private func drop(
    _ item: ItemWork,
    in batch: BatchWork,
    _ error: FileSystemError
  ) throws(RunError) {
    try discard(item, in: batch)
    item.end(.outOfSpace, .assemble, FileSystemError.text(error.errno))
  }

  private func discard(_ item: ItemWork, in batch: BatchWork) throws(RunError) {
    do {
      try StagedFile.discard(item, in: batch)
    } catch {
      throw RunError(writing: error)
    }
  }

  /// Retries an item whose worker has ended; it fails the second time that a worker was working on it.
  private func end(_ lost: WorkerRequests<SentItem>.Lost) {
    let (item, batch) = (lost.state.item, lost.state.batch)
    try? StagedFile.discard(item, in: batch)
    let hasFailed = lost.fails(after: &item.failedAttempts)
    // An earlier file may have compromised a worker that has answered before; then this item is retried by
    // another worker.
    let isItsOwn = lost.isAtFault && lost.reason == .workerProtocol && !lost.isOfUsedWorker
    guard hasFailed || isItsOwn else { return batch.retry(item) }
    // Truncating a file while it is mapped ends the worker.
    let hasChanged = lost.state.attempt.hasChanged(for: item)
    item.end(hasChanged ? context.reasonOfChange : lost.reason, hasChanged ? .read : .decode, lost.detail)
  }

  // MARK: The end of a batch

  /// Notes the titles of albums in a published batch; one without a title is called as its folder.
  private func noteAlbums(of batch: BatchWork) {
    for item in batch.items {
      guard case .album(let title)? = item.read?.description.subject else { continue }
      let folder = TakeoutNames.folder(of: item.planned.path)
      let name = EscapedText.name(folder.name)
      albumTitles[item.source.id, default: [:]][folder] = title.isEmpty ? name : title
    }
  }

  /// Stages and publishes a batch whose items have all ended.
  ///
  /// - Returns: False when files of the batch have to be opened and processed again: all after a
  ///   failed flush or when access to some was taken back, or those that turn out to have no counterpart.
  private func complete(
    _ batch: BatchWork,
    _ plan: inout BatchPlan
  ) throws(RunError) -> Bool {
    let completion: BatchJournal.Completion
    do {
      completion = try context.journal.complete(batch) { (stage) throws(RunError) in
        let refused = batch.items.count(where: \.isRefused)
        while try !context.watch.whileAllowed(stage) {
          try checkForRevocation(in: &plan)
          if batch.items.count(where: \.isRefused) > refused { return false }
        }
        return true
      }
    } catch {
      guard case .flushFailed(let cause) = error else {
        if case .run(let error) = error { throw error }
        return true
      }
      if batch.wasRestarted { throw RunError(writing: cause) }
      batch.wasRestarted = true
      try restart(batch)
      return false
    }
    switch completion {
    case .published(let waiting):
      noteAlbums(of: batch)
      plan.add(waiting)
      doneCount -= waiting.reduce(0) { $0 + 1 + $1.sidecars.count }
      return true
    case .reread(let items):
      for entry in items {
        if let failure = entry.failure {
          try discard(entry.item, in: batch)
          entry.item.end(failure.reason, .assemble, failure.detail)
        } else {
          try retry(entry.item, in: batch)
        }
      }
      return false
    case .refused:
      try restart(batch)
      return false
    case .restrip(let items):
      for item in items {
        try discard(item, in: batch)
        batch.restrip(item)
      }
      return false
    }
  }
}
