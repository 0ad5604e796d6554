internal import MediaManifest
internal import MediaModel
internal import MediaPublishing
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The part of a loop over batches that opens files: in the order of the plan, behind their access records,
/// and while no answer of a person can be taken back.
///
/// At most two batches are open: the workers have the last jobs of one and the first of the next.
protocol BatchLoop: AnyObject {
  var run: ConfinedRun { get }
  var opener: ItemOpener { get }
  /// The open batches, the oldest first.
  var batches: [BatchWork] { get set }
  /// The time at which the answers are looked at, and the sources of open files marked, again.
  var nextMark: Int64 { get set }

  /// Records that items are about to be opened, and begins their batch.
  func begin(_ items: [ItemWork]) throws(RunError) -> BatchWork

  /// Whether a worker for a purpose has room, or can be started.
  func hasRoom(for purpose: WorkerPurpose) -> Bool

  /// Whether it has so much room that the stored answers are worth a look.
  func isHungry(for purpose: WorkerPurpose) -> Bool

  /// Sends the file of an attempt to a worker with room.
  ///
  /// - Throws: `RunError` when no worker can be started.
  func send(_ attempt: ItemAttempt, of item: ItemWork, in batch: BatchWork) throws(RunError)

  /// Extends the deadlines of all workers by the nanoseconds in which none was read from.
  func extendDeadlines(by nanoseconds: Int64)

  /// Refuses an item that was being read when its source was taken back, and would have to be read again.
  func refuse(_ item: ItemWork)

  /// Takes the items that are not allowed any more out of `plan` and the open batches.
  func checkForRevocation(in plan: inout BatchPlan) throws(RunError)
}

extension BatchLoop {
  /// Begins the next batches, while the workers have the last jobs of those before them.
  func start(from plan: inout BatchPlan) throws(RunError) {
    while batches.count < 2, batches.last.map({ $0.waiting == nil }) ?? true, !plan.isAtEnd,
      batches.isEmpty || !plan.waitsForBatches
    {
      run.open.signals.collect()
      if run.open.signals.count > 0 { return }
      try checkForRevocation(in: &plan)
      guard let items = try plan.next() else { return }
      batches.append(try begin(items))
    }
  }

  /// Opens files and sends them to the workers, as far as these have room.
  func feed(from plan: inout BatchPlan) throws(RunError) {
    while batches.contains(where: { batch in
      batch.waiting.map { isHungry(for: $0.source.purpose) } ?? false
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

  /// Gives each worker with room the next items, while no answer can be taken back.
  private func send() throws(RunError) {
    // Marked before a file is opened: an answer cannot be taken back until this returns.
    run.watch.markOpenFiles(of: Set(batches.compactMap(\.source)))
    for batch in batches {
      while let item = batch.waiting {
        if !run.watch.allows(item) {
          refuse(item)
          continue
        }
        if item.sidecars.contains(where: { $0.read?.description.isTrashed == true }) {
          item.end(.trashed, .metadata)
          continue
        }
        guard hasRoom(for: item.source.purpose) else { return }
        let startTime = MonotonicClock.now
        let attempt = opener.open(item, in: batch.folder)
        // No worker is read from while a file is copied.
        if opener.isCopied(item) { extendDeadlines(by: MonotonicClock.now - startTime) }
        guard let attempt else { continue }
        batch.begin(item)
        try send(attempt, of: item, in: batch)
      }
    }
  }

  /// Collects signals, looks at the answers, and marks the sources of which files are open, fifty times a second: often
  /// enough for a command that waits until they are closed.
  func checkAccess(in plan: inout BatchPlan) throws(RunError) {
    let now = MonotonicClock.now
    guard now >= nextMark else { return }
    nextMark = now + MonotonicClock.second / 50
    run.open.signals.collect()
    try checkForRevocation(in: &plan)
    let reading = batches.filter { !$0.begun.isEmpty }
    run.watch.markOpenFiles(of: Set(reading.compactMap(\.source)))
  }

  /// The request to a worker about an item of a batch.
  func request(
    _ identifier: UInt64,
    for item: ItemWork,
    in batch: BatchWork,
    wantsFactsOnly: Bool = false
  ) -> WorkerRequest {
    let manifest = run.loaded.manifest
    return .job(
      item.job(
        identifier: identifier,
        pairingKey: batch.pairingKey,
        acceptsDamaged: manifest.acceptsDamaged,
        rawUnderStrip: manifest.rawUnderStrip,
        wantsDescription: run.wantsDescription(of: item.source),
        wantsFactsOnly: wantsFactsOnly
      )
    )
  }
}
