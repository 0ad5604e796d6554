internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPublishing
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Moves items through the workers, batch by batch, on one thread.
///
/// At most two batches are open: while one is flushed and published, the workers have the jobs of
/// the next. The loop never blocks on one worker, and opens no file before its access record is
/// flushed.
final class ImportLoop: BatchLoop {
  /// A job that a worker has, and the try of an item that it is for.
  struct SentJob {
    let batch: BatchWork
    let item: ItemWork
    let attempt: ItemAttempt
  }

  let run: ConfinedRun
  var pool: WorkerPool
  let opener: ItemOpener
  /// The titles that JSON files gave to folders of a Takeout.
  private(set) var albumTitles: [SourceKind: [ItemPath: String]] = [:]
  private let progress: ProgressCounter
  var batches: [BatchWork] = []
  var jobs: [UInt64: SentJob] = [:]
  var nextJob: UInt64 = 1
  /// The number of items in completed batches.
  var doneCount = 0
  private var nextDeadlineCheck: Int64 = 0
  var nextMark: Int64 = 0
  private let copyBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 18,
    alignment: 4096
  )
  private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 18,
    alignment: 4096
  )
  /// The bytes that one item may write before the sockets are polled again.
  private static let assemblyBudget = 8 << 20
  /// The pending operations of one item above which its worker is not read from.
  private static let maximumWaiting = 65_536

  /// - Parameters:
  ///   - run: The run.
  ///   - pool: Workers, none of which has started.
  ///   - progress: Shows how far it has come.
  init(run: ConfinedRun, pool: WorkerPool, progress: ProgressCounter) {
    self.run = run
    self.pool = pool
    opener = run.opener
    self.progress = progress
  }

  deinit {
    pool.removeAll()
    copyBuffer.deallocate()
    receiveBuffer.deallocate()
  }

  /// Processes all items of `plan`, until none is left or a person interrupts.
  ///
  /// - Throws: `RunError`; published assets stay, and the next run resumes the rest.
  func process(_ plan: inout BatchPlan) throws(RunError) {
    while true {
      try start(from: &plan)
      if batches.isEmpty { break }
      try feed(from: &plan)
      try receiveAnswers()
      try assemble()
      try enforceDeadlines()
      try checkAccess(in: &plan)
      while let first = batches.first, first.isComplete {
        // The next batch's jobs are sent first, so that the workers are busy during the flush.
        try start(from: &plan)
        try feed(from: &plan)
        let startTime = MonotonicClock.now
        let isDone = try complete(first, &plan)
        // No worker was read from meanwhile, so its deadline moves by that time.
        extendDeadlines(by: MonotonicClock.now - startTime)
        if isDone {
          doneCount += first.items.count { $0.pending.late?.isPublished != true }
          batches.removeFirst()
        }
      }
      if run.open.signals.count > 1 { throw run.interruption }
    }
    pool.removeAll()
  }

  // MARK: Steps

  private func receiveAnswers() throws(RunError) {
    let hasWork = batches.contains { batch in
      batch.begun.contains { $0.attempt?.output?.assembler.hasWork ?? false }
    }
    var polled: [pollfd] = []
    let workers = pool.workers
    for worker in workers {
      let events = (isAhead(worker) ? 0 : POLLIN) | (worker.channel.wantsToSend ? POLLOUT : 0)
      polled.append(pollfd(fd: worker.process.socket, events: Int16(events), revents: 0))
    }
    let isIdle = batches.allSatisfy(\.isComplete)
    _ = poll(&polled, nfds_t(polled.count), hasWork || isIdle ? 0 : 250)
    for (index, worker) in workers.enumerated() where polled[index].revents != 0 {
      worker.channel.flush()
      guard polled[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      try receive(from: worker)
    }
    progress.show(done: doneCount + batches.reduce(0) { $0 + $1.endedCount })
  }

  /// Whether so many operations of a worker's edit list are pending that its socket is not read:
  /// then its next frames wait in the worker, and not in the memory of this process.
  private func isAhead(_ worker: Worker) -> Bool {
    guard let first = worker.jobs.first, let job = jobs[first.identifier] else { return false }
    return (job.attempt.output?.assembler.waiting ?? 0) > Self.maximumWaiting
  }

  private func receive(from worker: Worker) throws(RunError) {
    do {
      let hasEnded = worker.channel.receive(into: receiveBuffer)
      while let message = try worker.next() {
        try handle(message, from: worker)
        switch message {
        case .done, .failed: worker.finishFirst()
        default: break
        }
        if message.isFailureOfDecoder {
          // What waits in its queue is done by another worker; nothing of it has been said yet.
          for job in worker.takeBackAll() {
            guard let sent = jobs.removeValue(forKey: job.identifier) else { continue }
            sent.batch.retry(sent.item)
          }
          break
        }
      }
      if hasEnded {
        let exit = try? worker.process.reap(blocking: false)
        let wasSlow = exit == .signalled(SIGXCPU)
        end(worker, because: "the worker ended", reason: wasSlow ? .deadline : .workerCrashed)
      }
    } catch let error as ProtocolError {
      end(worker, because: "it broke the protocol: \(error)", reason: .workerProtocol)
    } catch {
      throw RunError(wrapping: error)
    }
    pool.note(worker)
  }

  private func assemble() throws(RunError) {
    do {
      try assembleAll()
    } catch {
      throw RunError(wrapping: error)
    }
  }

  private func assembleAll() throws {
    for batch in batches {
      for item in batch.begun {
        guard let attempt = item.attempt else { continue }
        do {
          guard try carryOut(attempt) else {
            if attempt.isAnswered { try retry(item, in: batch) }
            continue
          }
        } catch let error as FileSystemError {
          try drop(item, in: batch, error)
          continue
        }
        if attempt.isAnswered, attempt.output?.assembler.isComplete ?? true {
          try finish(item, attempt, in: batch)
        }
      }
    }
  }

  /// Writes a part of an output.
  ///
  /// - Returns: False when the source file has become shorter than it was.
  /// - Throws: `FileSystemError` when the library has no room for this item; `RunError`.
  private func carryOut(_ attempt: ItemAttempt) throws -> Bool {
    do throws(OutputAssembler.Failure) {
      return try attempt.output?.assembler.work(budget: Self.assemblyBudget, buffer: copyBuffer)
        ?? true
    } catch {
      switch error {
      case .reading(let cause): throw RunError(.cannotRead, "\(cause)")
      case .writing(let cause):
        if cause.isOutOfSpace { throw cause }
        throw RunError(writing: cause)
      }
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
    if let (label, writer) = attempt.output {
      var assembler = writer
      guard let digest = assembler.finish(format: claim.facts.format),
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
      item.end(run.reasonOfChange, .read)
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
    jobs = jobs.filter { $0.value.item !== item }
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

  /// Removes a worker that has ended. Its first job is retried by another worker, and fails the
  /// second time; the jobs that it had not begun wait again.
  private func end(
    _ worker: Worker,
    because detail: String,
    reason: ItemReason = .workerCrashed
  ) {
    let lost = worker.jobs.compactMap { jobs.removeValue(forKey: $0.identifier) }
    // The job may be answered except for its last frame; then it is no longer in `jobs`.
    pool.remove(worker)
    for (position, job) in lost.enumerated() {
      let item = job.item
      try? StagedFile.discard(item, in: job.batch)
      // A worker that ended before its hello had not begun a job, so no item is at fault.
      if position == 0, worker.hasReceivedHello {
        item.failedAttempts += 1
        // An earlier file may have compromised a worker that has answered before; then this item
        // is retried by another worker.
        let isItsOwn = reason == .workerProtocol && worker.answered == 0
        if item.failedAttempts > 1 || isItsOwn {
          // Truncating a file while it is mapped ends the worker.
          let hasChanged = job.attempt.hasChanged(for: item)
          item.end(
            hasChanged ? run.reasonOfChange : reason,
            hasChanged ? .read : .decode,
            detail
          )
          continue
        }
      }
      job.batch.retry(item)
    }
  }

  /// Ends workers that take too long; looks ten times a second.
  private func enforceDeadlines() throws(RunError) {
    let now = MonotonicClock.now
    // Reading a worker's processor time is a system call; the loop turns thousands of times a second.
    guard now >= nextDeadlineCheck else { return }
    nextDeadlineCheck = now + MonotonicClock.second / 10
    for worker in pool.workers where !worker.jobs.isEmpty && worker.isOverdue(at: now) {
      if isAhead(worker) {
        // The worker waits for the coordinator to carry out its operations.
        worker.extendDeadline(by: MonotonicClock.second)
        continue
      }
      // The coordinator may have been busy: an answer that has arrived counts.
      try receive(from: worker)
      if worker.isOverdue(at: now), worker.process.exit == nil {
        end(worker, because: "it took longer than its deadline", reason: .deadline)
      }
    }
  }

  // MARK: The end of a batch

  /// Notes the titles of albums in a published batch; one without a title is called as its folder.
  private func noteAlbums(of batch: BatchWork) {
    for item in batch.items {
      guard case .album(let title)? = item.read?.description.subject else { continue }
      let folder = ListedItems.takeoutFolder(of: item.planned.path)
      let name = EscapedText.percentEscaped(folder.name, keepsJoiners: true)
      albumTitles[item.source.kind, default: [:]][folder] = title.isEmpty ? name : title
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
      completion = try run.journal.complete(batch) { (stage) throws(RunError) in
        let refused = batch.items.count(where: \.isRefused)
        while try !run.watch.whileAllowed(stage) {
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
