internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// An item of a batch whose file a worker has.
struct SentItem {
  let batch: BatchWork
  let item: ItemWork
  let attempt: ItemAttempt

  /// Whether the item waits for this answer; what a worker still says of one that has ended, or was begun anew, is
  /// ignored.
  var isCurrent: Bool { item.attempt === attempt }
}

/// The part of a loop over batches that opens files: in the order of the plan, behind their access records,
/// and while no answer of a person can be taken back.
///
/// At most two batches are open: the workers have the last jobs of one and the first of the next.
protocol BatchLoop: AnyObject {
  var context: BatchContext { get }
  var opener: ItemOpener { get }
  var requests: WorkerRequests<SentItem> { get }
  /// Whether workers are asked what files say, and for nothing else.
  var wantsFactsOnly: Bool { get }
  /// Shows how far it has come.
  var progress: ProgressCounter { get }
  /// The number of items in batches that are over.
  var doneCount: Int { get set }
  /// The open batches, the oldest first.
  var batches: [BatchWork] { get set }
  /// The time at which the answers are looked at, and the sources of open files marked, again.
  var nextMark: Int64 { get set }

  /// Records that items are about to be opened, and begins their batch.
  func begin(_ items: [ItemWork]) throws(RunError) -> BatchWork

  /// Takes what workers have said.
  func receiveAnswers() throws(RunError)

  /// Refuses an item that was being read when its source was taken back, and would have to be read again.
  func refuse(_ item: ItemWork)

  /// Takes the items that are not allowed any more out of `plan` and the open batches.
  func checkForRevocation(in plan: inout BatchPlan) throws(RunError)
}

extension BatchLoop {
  /// Moves all items of `plan` through the workers, until none is left or a person interrupts.
  ///
  /// - Parameters:
  ///   - plan: The items; what is left of them was not begun.
  ///   - end: Takes the first batch, of which nothing more is read, and removes it unless it has to be begun anew.
  /// - Throws: `RunError`, and what `end` throws.
  func process(
    _ plan: inout BatchPlan,
    end: (BatchWork, inout BatchPlan) throws(RunError) -> Void
  ) throws(RunError) {
    defer { requests.endAll() }
    while true {
      try start(from: &plan)
      if batches.isEmpty { break }
      try feed(from: &plan)
      try receiveAnswers()
      progress.show(done: doneCount + batches.reduce(0) { $0 + $1.endedCount })
      try checkAccess(in: &plan)
      while let first = batches.first, first.isComplete { try end(first, &plan) }
      if context.signals.count > 1 { throw context.interruption }
    }
  }

  /// Begins the next batches, while the workers have the last jobs of those before them.
  func start(from plan: inout BatchPlan) throws(RunError) {
    while batches.count < 2, batches.last.map({ $0.waiting == nil }) ?? true, !plan.isAtEnd,
      batches.isEmpty || !plan.waitsForBatches
    {
      context.signals.collect()
      if context.signals.count > 0 { return }
      try checkForRevocation(in: &plan)
      guard let items = try plan.next() else { return }
      batches.append(try begin(items))
    }
  }

  /// Opens files and sends them to the workers, as far as these have room.
  func feed(from plan: inout BatchPlan) throws(RunError) {
    while batches.contains(where: { batch in
      batch.waiting.map { requests.isHungry(for: $0.source.purpose) } ?? false
    }) {
      var result: Result<Void, RunError> = .success(())
      let isAllowed = try context.watch.whileAllowed {
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
    context.watch.markOpenFiles(of: Set(batches.compactMap(\.source)))
    for batch in batches {
      while let item = batch.waiting {
        if !context.watch.allows(item) {
          refuse(item)
          continue
        }
        if let reason = item.reasonOfStanding {
          item.end(reason, .metadata)
          continue
        }
        guard requests.hasRoom(for: item.source.purpose) else { return }
        let startTime = MonotonicClock.now
        let attempt = opener.open(item, in: batch.folder)
        // No worker is read from while a file is copied.
        if opener.isCopied(item) { requests.extendDeadlines(by: MonotonicClock.now - startTime) }
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
    context.signals.collect()
    try checkForRevocation(in: &plan)
    let reading = batches.filter { !$0.begun.isEmpty }
    context.watch.markOpenFiles(of: Set(reading.compactMap(\.source)))
  }

  /// Sends the file of an attempt to a worker with room.
  ///
  /// - Throws: `RunError` when no worker can be started.
  private func send(
    _ attempt: ItemAttempt,
    of item: ItemWork,
    in batch: BatchWork
  ) throws(RunError) {
    let manifest = context.loaded.manifest
    do throws(WorkerPoolError) {
      let isSent = try requests.send(
        SentItem(batch: batch, item: item, attempt: attempt),
        for: item.source.purpose,
        file: attempt.file,
        seconds: item.deadlineSeconds,
        bytes: wantsFactsOnly ? .max : item.planned.status.size
      ) {
        .job(
          item.job(
            identifier: $0,
            pairingKey: batch.pairingKey,
            acceptsDamaged: manifest.acceptsDamaged,
            rawUnderStrip: manifest.rawUnderStrip,
            wantsDescription: context.wantsDescription(of: item.source),
            wantsFactsOnly: wantsFactsOnly
          )
        )
      }
      if !isSent { batch.retry(item) }
    } catch {
      throw RunError(error)
    }
  }
}
