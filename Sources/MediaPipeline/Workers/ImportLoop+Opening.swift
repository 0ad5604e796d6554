internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
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
        guard let attempt = open(item, in: batch) else { continue }
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
              wantsDescription: item.source.fetch.needsDescriptions
                || run.open.run.loaded.wantsDescription(under: item.source.policy),
              wantsFactsOnly: selection != nil
            )
          ),
          file: attempt.file,
          seconds: item.deadlineSeconds
        )
      }
    }
  }

  /// Opens the source file and checks its status.
  ///
  /// - Returns: The attempt that begins with it; nil when the item has ended instead.
  private func open(_ item: ItemWork, in batch: BatchWork) -> Attempt? {
    let source = item.source
    if source.refusesHardLink(item.planned.status, guardedDevices: run.guardedDevices) {
      item.end(.hardLinked, .open)
      return nil
    }
    if let files = source.files, files.holds(item.planned.path) {
      return copy(item, of: files, in: batch)
    }
    do {
      let file = try FileSystem.openForReading(
        beneath: source.root,
        item.planned.path.bytes,
        crossMounts: source.crossMounts
      )
      let status = try file.status()
      if let (reason, detail) = refusal(of: item, status, in: batch) {
        item.end(reason, .open, detail)
        return nil
      }
      if let digest = run.open.run.options.assignment?[source.kind]?.digest(of: item.planned.path),
        try !digest.isThat(of: file)
      {
        item.end(.notAsPlanned, .read, "its content has another digest than the plan has")
        return nil
      }
      return item.begin(with: file, status)
    } catch {
      // A limited source has a rule for the file that was there: another one in its place is
      // EACCES.
      let isReplaced =
        error.isMissing || error.errno == ELOOP
        || (error.errno == EACCES && source.selection != nil)
      let reason: ItemReason =
        isReplaced ? .changedDuringRun : error.errno == EXDEV ? .otherFileSystem : .cannotOpen
      item.end(reason, .open, FileSystemError.text(error.errno))
      return nil
    }
  }

  /// Copies what is no file of its own into an unlinked file of the batch.
  ///
  /// - Returns: The attempt that begins with it; nil when the item has ended instead.
  private func copy(
    _ item: ItemWork,
    of files: any SourceFiles,
    in batch: BatchWork
  ) -> Attempt? {
    if let (reason, detail) = refusalOfSize(of: item, item.planned.status, in: batch) {
      item.end(reason, .open, detail)
      return nil
    }
    let before = MonotonicClock.now
    // No worker is read from meanwhile.
    defer {
      for worker in pool.workers { worker.extendDeadline(by: MonotonicClock.now - before) }
    }
    do {
      let copy = try FileSystem.unlinkedFile(in: batch.folder)
      try files.copy(item.planned.path, into: copy)
      let status = try copy.status()
      guard status.size == item.planned.status.size else {
        item.end(
          .changedDuringRun,
          .open,
          "\(status.size) bytes, and its source said \(item.planned.status.size)"
        )
        return nil
      }
      return item.begin(withCopy: copy, status)
    } catch let failure as SourceFileFailure {
      item.end(failure.reason, .open, failure.detail)
    } catch let error as FileSystemError {
      item.end(error.isOutOfSpace ? .outOfSpace : .cannotOpen, .open, "\(error)")
    } catch {
      item.end(.cannotOpen, .open, "\(error)")
    }
    return nil
  }

  /// Returns why an item's open file must not be read, or nil.
  private func refusal(
    of item: ItemWork,
    _ status: FileStatus,
    in batch: BatchWork
  ) -> (ItemReason, String)? {
    if status.kind != .regular { return (.notRegularFile, "") }
    // The access record names device and inode: another file under this name has no record.
    if !status.isSameInode(as: item.planned.status) { return (.changedDuringRun, "") }
    if run.open.run.options.settle != nil, !status.isSameContent(as: item.planned.status) {
      return (.stillChanging, "")
    }
    if item.source.refusesHardLink(status, guardedDevices: run.guardedDevices) {
      return (.hardLinked, "")
    }
    return refusalOfSize(of: item, status, in: batch)
  }

  private func refusalOfSize(
    of item: ItemWork,
    _ status: FileStatus,
    in batch: BatchWork
  ) -> (ItemReason, String)? {
    if status.size > item.limits.bytes {
      return (
        .overLimit,
        "\(status.size) bytes, and \"limits\": {\"bytes\"} allows \(item.limits.bytes)"
      )
    }
    if item.sidecarFormat != nil, status.size > SidecarFormat.maximumBytes {
      return (.overLimit, "\(status.size) bytes; sidecars may have \(SidecarFormat.maximumBytes)")
    }
    let isCopied = item.source.files?.holds(item.planned.path) == true
    if item.known == nil || isCopied, let room = try? FileSystem.room(fileSystemOf: batch.folder),
      status.storedBytes > room.bytes
    {
      return (.outOfSpace, "\(status.storedBytes) bytes, and \(room.bytes) are free")
    }
    return nil
  }
}
