internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

extension ImportLoop {
  /// Opens files and sends them to the workers, as far as these have room.
  func feed(from plan: inout BatchPlan) throws(RunError) {
    while batches.contains(where: { batch in
      batch.waiting.map { pool.hasRoom(for: $0.source.purpose) } ?? false
    }) {
      var result: Result<Void, RunError> = .success(())
      let isAllowed = try run.watch.whileAllowed {
        result = Result { () throws(RunError) in try send() }
      }
      try result.get()
      if isAllowed { return }
      try checkForRevocation(in: &plan)
    }
  }

  func checkForRevocation(in plan: inout BatchPlan) throws(RunError) {
    try run.watch.checkForRevocation(in: &plan, takeBack: takeBack)
  }

  /// Refuses the items that are not allowed any more and whose batch is not yet in the journal with its
  /// outputs. A worker that reads one is ended; what it has in its queue waits for another one.
  ///
  /// - Returns: Their number, without those that were published before.
  private func takeBack() throws(RunError) -> Int {
    for worker in pool.workers {
      let isRefused = worker.jobs.map { job in
        jobs[job.identifier].map { !run.watch.allows($0.item) } ?? false
      }
      guard isRefused.contains(true) else { continue }
      let taken = isRefused[0] ? worker.takeBackAll() : worker.takeBackQueued()
      if isRefused[0] { pool.abandon(worker) }
      for job in taken {
        if let sent = jobs.removeValue(forKey: job.identifier) {
          abandon(sent.item, in: sent.batch)
        }
      }
    }
    // Of some the outputs are still being written, from their open files.
    for batch in batches {
      for item in batch.begun where !run.watch.allows(item) { abandon(item, in: batch) }
    }
    var count = 0
    for batch in batches {
      let taken = batch.items.filter { $0.isRefusable && !run.watch.allows($0) }
      let isStarted = taken.contains { !$0.isWaiting }
      for item in taken {
        try? StagedFile.discard(item, in: batch)
        item.refuse()
      }
      if isStarted, run.journal.isHalted(batch) { try restart(batch) }
      count += taken.count { $0.pending.late?.isPublished != true }
    }
    return count
  }

  /// Begins a batch anew: its files in staging may be arranged with those of items that it lacks now.
  func restart(_ batch: BatchWork) throws(RunError) {
    // What workers still say of its items is ignored.
    jobs = jobs.filter { $0.value.batch !== batch }
    try run.journal.restart(batch)
    for item in batch.items where item.isOpened && !item.isRefused { batch.retry(item) }
  }

  /// Makes an item wait again, without what was written of it.
  private func abandon(_ item: ItemWork, in batch: BatchWork) {
    try? StagedFile.discard(item, in: batch)
    batch.retry(item)
  }

  /// Looks at the answers, and marks the sources of which files are open; often enough for a command that
  /// waits until they are closed.
  func checkAccess(in plan: inout BatchPlan) throws(RunError) {
    let now = MonotonicClock.now
    guard now >= nextMark else { return }
    nextMark = now + MonotonicClock.second / 100
    try checkForRevocation(in: &plan)
    let reading = batches.filter { !$0.begun.isEmpty }
    run.watch.markOpenFiles(of: Set(reading.compactMap(\.source)))
  }

  /// Gives each worker with room the next items, while no answer can be taken back.
  private func send() throws(RunError) {
    // Marked before a file is opened: an answer cannot be taken back until this returns.
    run.watch.markOpenFiles(of: Set(batches.compactMap(\.source)))
    for batch in batches {
      while let item = batch.waiting {
        // It was being read when its source was taken back, and has to be read again.
        if !run.watch.allows(item) {
          item.refuse()
          let isCounted = item.pending.late?.isPublished == true
          run.open.account.tally.countRefused(isCounted ? 0 : 1, of: item.source.kind)
          continue
        }
        if item.sidecars.contains(where: { $0.read?.description.isTrashed == true }) {
          item.end(.trashed, .metadata)
          continue
        }
        guard let worker = try pool.workerOfRun(for: item.source.purpose) else { return }
        let before = MonotonicClock.now
        let begun = opener.open(item, in: batch.folder)
        if opener.isCopied(item) {
          // No worker is read from while a file is copied.
          for worker in pool.workers { worker.extendDeadline(by: MonotonicClock.now - before) }
        }
        guard let attempt = begun else { continue }
        batch.begin(item)
        let identifier = nextJob
        nextJob += 1
        jobs[identifier] = SentJob(batch: batch, item: item, attempt: attempt)
        worker.send(
          .job(
            item.job(
              identifier: identifier,
              pairingKey: batch.pairingKey,
              acceptsDamaged: run.open.run.loaded.manifest.acceptsDamaged,
              rawUnderStrip: run.open.run.loaded.manifest.rawUnderStrip,
              wantsDescription: run.wantsDescription(of: item.source)
            )
          ),
          file: attempt.file,
          seconds: item.deadlineSeconds
        )
      }
    }
  }
}
