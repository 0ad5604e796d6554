internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// Moves items through the workers, batch by batch, on one thread.
///
/// Two batches are in hand at most: while one is flushed and published, the workers have the jobs of
/// the next. Nothing here blocks on one worker, and no file is opened whose access record is not
/// flushed.
final class ImportLoop {
  let run: RunContext
  var pool: WorkerPool
  var batches: [BatchWork] = []
  var jobs: [UInt64: (batch: BatchWork, item: ItemWork)] = [:]
  var nextJob: UInt64 = 1
  /// Items of batches that are done.
  var settled = 0
  private let copyBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 18,
    alignment: 4096
  )
  private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 18,
    alignment: 4096
  )
  /// Bytes that one item may write before the sockets are looked at again.
  private static let assemblyBudget = 8 << 20
  /// Operations of one item that are kept before its worker is heard again.
  private static let maximumWaiting = 65_536

  init(run: RunContext, pool: WorkerPool) {
    self.run = run
    self.pool = pool
  }

  deinit {
    pool.removeAll()
    copyBuffer.deallocate()
    receiveBuffer.deallocate()
  }

  /// Processes everything that `plan` gives, until it is at its end or somebody interrupts.
  ///
  /// - Throws: `RunError`; what was published until then stays, the rest is resumed.
  func process(_ plan: inout BatchPlan) throws(RunError) {
    while true {
      try start(from: &plan)
      if batches.isEmpty { break }
      try feed()
      try listen()
      try assemble()
      try enforceDeadlines()
      while let first = batches.first, first.isComplete {
        // The next batch's jobs go out first: the workers have them while this one is flushed.
        try start(from: &plan)
        try feed()
        let before = MonotonicClock.now
        let isSettled = try settle(first)
        // Workers were not heard meanwhile: that time is ours, not theirs.
        for worker in pool.workers { worker.extendDeadline(by: MonotonicClock.now - before) }
        if isSettled {
          settled += first.items.count
          batches.removeFirst()
        }
      }
      if run.signals.count > 1 { throw run.interruption }
    }
    pool.removeAll()
  }

  // MARK: Steps

  private func start(from plan: inout BatchPlan) throws(RunError) {
    while batches.count < 2, batches.last.map({ $0.waiting == nil }) ?? true,
      run.signals.count == 0, !plan.isAtEnd
    {
      try run.watch.look(at: &plan, ledger: run.ledger)
      guard let items = try plan.next() else { return }
      batches.append(try run.ledger.intend(items))
    }
  }

  private func feed() throws(RunError) {
    for batch in batches {
      while let item = batch.waiting {
        guard
          let worker = try pool.worker(source: item.source.kind, policy: item.source.policy)
        else { return }
        guard open(item) else { continue }
        guard let file = item.file else { continue }
        let identifier = nextJob
        nextJob += 1
        jobs[identifier] = (batch, item)
        item.state = .sent
        worker.send(
          item.job(
            identifier: identifier,
            pairingKey: batch.pairingKey,
            acceptsDamaged: run.loaded.manifest.acceptsDamaged
          ),
          file: file,
          seconds: item.deadlineSeconds
        )
      }
    }
  }

  /// Opens the source file and looks at what it is now.
  private func open(_ item: ItemWork) -> Bool {
    let source = item.source
    do {
      let file = try FileSystem.openForReading(
        beneath: source.root,
        item.planned.path.bytes,
        crossMounts: source.crossMounts
      )
      let status = try file.status()
      guard status.kind == .regular else {
        item.end(.notRegularFile, .open, "")
        return false
      }
      // The access record names device and inode: another file under the name has none.
      guard status.isSameInode(as: item.planned.status) else {
        item.end(.changedDuringRun, .open, "")
        return false
      }
      guard !source.refusesHardLink(status, guardedDevices: run.guardedDevices) else {
        item.end(.hardLinked, .open, "")
        return false
      }
      guard status.size <= item.limits.bytes else {
        let detail = "\(status.size) bytes, and \"limits\": {\"bytes\"} allows \(item.limits.bytes)"
        item.end(.overLimit, .open, detail)
        return false
      }
      item.file = file
      item.planned.status = status
      return true
    } catch {
      // A limited source has a rule for the file that was there: another one in its place is EACCES.
      let isReplaced =
        error.isMissing || error.errno == ELOOP
        || (error.errno == EACCES && source.selection != nil)
      let reason: ItemReason =
        isReplaced ? .changedDuringRun : error.errno == EXDEV ? .otherFileSystem : .cannotOpen
      item.end(reason, .open, FileSystemError.text(error.errno))
      return false
    }
  }

  private func listen() throws(RunError) {
    let hasWork = batches.contains { $0.items.contains { $0.assembler?.hasWork ?? false } }
    var polled: [pollfd] = []
    let workers = pool.workers
    for worker in workers {
      let events = (isAhead(worker) ? 0 : POLLIN) | (worker.wantsToSend ? POLLOUT : 0)
      polled.append(pollfd(fd: worker.process.socket, events: Int16(events), revents: 0))
    }
    let isIdle = batches.allSatisfy(\.isComplete)
    _ = poll(&polled, nfds_t(polled.count), hasWork || isIdle ? 0 : 250)
    run.signals.collect()
    for (index, worker) in workers.enumerated() where polled[index].revents != 0 {
      worker.flush()
      guard polled[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      try hear(worker)
    }
    let inHand = batches.reduce(0) { sum, batch in
      sum + batch.items.count { $0.state == .ready || $0.state == .ended }
    }
    run.progress.show(done: settled + inHand)
  }

  /// Whether a worker's edit list is so far ahead of what was carried out that it is not heard: what
  /// it says next waits in the worker, not here.
  private func isAhead(_ worker: Worker) -> Bool {
    guard let first = worker.jobs.first, let item = jobs[first.identifier]?.item else {
      return false
    }
    return (item.assembler?.waiting ?? 0) > Self.maximumWaiting
  }

  private func hear(_ worker: Worker) throws(RunError) {
    do {
      let hasEnded = worker.receive(into: receiveBuffer)
      while let message = try worker.next() {
        try handle(message, from: worker)
        switch message {
        case .done, .failed: worker.finishFirst()
        default: break
        }
      }
      if hasEnded { end(worker, because: "the worker ended") }
    } catch let error as ProtocolError {
      breach(worker, error)
    } catch let error as RunError {
      throw error
    } catch {
      throw RunError(.internal, "\(error)")
    }
    pool.note(worker)
  }

  private func assemble() throws(RunError) {
    for batch in batches {
      for item in batch.items where item.state == .sent {
        do {
          guard try item.assembler?.work(budget: Self.assemblyBudget, buffer: copyBuffer) ?? true
          else {
            if item.hasAnswered { try again(item, in: batch) }
            continue
          }
        } catch let error as FileSystemError {
          throw error.call == "read"
            ? RunError(.cannotRead, "\(error)")
            : RunError(writing: error)
        } catch {
          throw RunError(.internal, "\(error)")
        }
        if item.hasAnswered, item.assembler?.isComplete ?? true { try finish(item, in: batch) }
      }
    }
  }

  /// Everything that the item gives is written: was it of one file that stayed the same?
  private func finish(_ item: ItemWork, in batch: BatchWork) throws(RunError) {
    guard let facts = item.facts, let file = item.file else { return }
    guard let now = try? file.status(), now.isSameContent(as: item.planned.status) else {
      return try again(item, in: batch)
    }
    if var assembler = item.assembler {
      guard let digest = assembler.finish(format: facts.format),
        item.needsEditList || digest == item.claimedDigest
      else {
        return try fail(
          item,
          in: batch,
          .workerProtocol,
          .assemble,
          "the output is not what was said of it"
        )
      }
      item.outputDigest = digest
      item.outputBytes = assembler.bytes
      item.outputName = assembler.fileName
      item.assembler = nil
    }
    item.state = .ready
  }

  // MARK: What goes wrong

  /// The file has changed while it was read: once more, then it has failed.
  private func again(_ item: ItemWork, in batch: BatchWork) throws(RunError) {
    item.attempts += 1
    if item.attempts > 1 {
      return try fail(item, in: batch, .changedDuringRun, .read, "")
    }
    try discard(item, in: batch)
    item.restart()
    batch.rewind(to: item)
  }

  func fail(
    _ item: ItemWork,
    in batch: BatchWork,
    _ reason: ItemReason,
    _ step: ItemStep,
    _ detail: String
  ) throws(RunError) {
    // A worker that could not make sense of a file that was changing under it says nothing of it.
    if let file = item.file, let now = try? file.status(),
      !now.isSameContent(as: item.planned.status), item.attempts == 0
    {
      return try again(item, in: batch)
    }
    try discard(item, in: batch)
    item.end(reason, step, detail)
    item.file = nil
  }

  private func discard(_ item: ItemWork, in batch: BatchWork) throws(RunError) {
    do {
      try StagedFile.discard(item, in: batch)
    } catch {
      throw RunError(writing: error)
    }
  }

  private func breach(_ worker: Worker, _ error: ProtocolError) {
    end(worker, because: "it broke the protocol: \(error)", reason: .workerProtocol)
  }

  /// A worker has ended: the job that it worked on is done once more by another one, then it has
  /// failed; the jobs that it had not begun are as if they had not been sent.
  private func end(
    _ worker: Worker,
    because detail: String,
    reason: ItemReason = .workerCrashed
  ) {
    let lost = worker.jobs.compactMap { jobs.removeValue(forKey: $0.identifier) }
    // An answer can be whole but for its last word: then the job is no longer in the queue.
    pool.remove(worker)
    for (position, entry) in lost.enumerated() {
      let (batch, item) = entry
      try? StagedFile.discard(item, in: batch)
      // One that ended before its first word has not begun: that is no fault of the item.
      if position == 0, worker.hasSaidHello {
        item.attempts += 1
        // One that has answered before may have been taken over by an earlier file: then this one is
        // done once more, by another worker.
        let isItsOwn = reason == .workerProtocol && worker.answered == 0
        if item.attempts > 1 || isItsOwn {
          // A file that was cut while it was mapped has ended its worker.
          let now = item.file.flatMap { try? $0.status() }
          let hasChanged = now.map { !$0.isSameContent(as: item.planned.status) } ?? false
          item.end(
            hasChanged ? .changedDuringRun : reason,
            hasChanged ? .read : .decode,
            detail
          )
          item.file = nil
          continue
        }
      }
      item.restart()
      batch.rewind(to: item)
    }
  }

  private func enforceDeadlines() throws(RunError) {
    let now = MonotonicClock.now
    for worker in pool.workers where !worker.jobs.isEmpty && worker.deadline < now {
      if isAhead(worker) {
        // It waits for us to carry out what it has said already.
        worker.extendDeadline(by: MonotonicClock.second)
        continue
      }
      // The coordinator may have been busy itself: an answer that is there counts.
      try hear(worker)
      if worker.deadline < now, worker.process.exit == nil {
        end(worker, because: "it took longer than its deadline")
      }
    }
  }

  // MARK: The end of a batch

  /// - Returns: False when the batch has to be done once more from its open.
  private func settle(_ batch: BatchWork) throws(RunError) -> Bool {
    do {
      try run.ledger.settle(batch)
      return true
    } catch {
      guard case .flushFailed(let cause) = error else {
        if case .run(let error) = error { throw error }
        return true
      }
      if batch.wasRestarted { throw RunError(writing: cause) }
      batch.wasRestarted = true
      do {
        try FileSystem.empty(batch.folder)
      } catch {
        throw RunError(writing: error)
      }
      for item in batch.items where item.isOpened {
        item.restart()
        batch.rewind(to: item)
      }
      return false
    }
  }
}

extension FileStatus {
  /// Whether nothing says that the file was written to in between.
  func isSameContent(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified && changed == other.changed
  }
}
