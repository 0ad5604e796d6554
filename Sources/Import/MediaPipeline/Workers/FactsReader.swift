internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads what files of sources say of themselves, behind their access records, and imports nothing.
///
/// Items come in the batches in which they would be imported, so that each is read with its sidecars. No file
/// is opened before its access record is flushed, and the answers of people count as in ``ImportLoop``.
final class FactsReader: BatchLoop {
  let context: BatchContext
  let opener: ItemOpener
  let requests: WorkerRequests<SentItem>
  let wantsFactsOnly = true
  let progress: ProgressCounter
  private let saved: [ItemPath: SaveTime]
  var batches: [BatchWork] = []
  var doneCount = 0
  var nextMark: Int64 = 0

  /// - Parameters:
  ///   - context: What it has of the run, confined.
  ///   - requests: Workers, none of which has started.
  ///   - progress: Shows how far it has come.
  ///   - saved: When the assets of items that are in the library were saved.
  init(
    _ context: BatchContext,
    _ requests: WorkerRequests<SentItem>,
    progress: ProgressCounter,
    saved: [ItemPath: SaveTime]
  ) {
    self.context = context
    self.requests = requests
    (self.progress, self.saved) = (progress, saved)
    opener = context.opener
  }

  /// Reads all items of `plan`, until none is left or a person interrupts.
  ///
  /// - Parameters:
  ///   - plan: The items; what is left of them was not read.
  ///   - take: Gets the items of one batch after the other, without those that are not allowed any more; a
  ///     sidecar, and a file that cannot be read, has no ``ItemWork/comparedFacts``.
  /// - Throws: `RunError`, and what `take` throws.
  func read(
    _ plan: inout BatchPlan,
    _ take: ([ItemWork]) throws(RunError) -> Void
  ) throws(RunError) {
    try process(&plan) { (first, _) throws(RunError) in
      batches.removeFirst()
      doneCount += first.items.count
      try take(first.items.filter { !$0.isRefused })
    }
  }

  // MARK: Opening

  /// Records the access to items, without a row in the catalogue: nothing of them is written.
  func begin(_ items: [ItemWork]) throws(RunError) -> BatchWork {
    if let source = items.first?.source {
      try context.journal.records.log.recordAccess(
        to: items.lazy.filter(\.isOpened).map(\.pending.listed),
        of: source.id,
        because: source.basis
      )
    }
    for item in items { saved[item.planned.path].map(item.noteSaved) }
    return BatchWork(identifier: 0, items: items, folder: context.journal.library.staging, pairingKey: [])
  }

  func refuse(_ item: ItemWork) { item.refuse() }

  // MARK: Access that is taken back

  func checkForRevocation(in plan: inout BatchPlan) throws(RunError) {
    try context.watch.checkForRevocation(in: &plan, counts: false, takeBack: takeBack)
  }

  private func takeBack() -> Int {
    for sent in requests.takeBack(where: { [context] in !context.watch.allows($0.item) }) {
      sent.batch.retry(sent.item)
    }
    let refused = batches.flatMap(\.items).filter { $0.isWaiting && !context.watch.allows($0) }
    for item in refused { item.refuse() }
    return refused.count
  }

  // MARK: Answers

  func receiveAnswers() {
    if requests.isEmpty { return }
    let answered = requests.receive(Self.take)
    for sent in answered.finished { end(sent) }
    for lost in answered.lost {
      let (item, batch) = (lost.state.item, lost.state.batch)
      if lost.fails(after: &item.failedAttempts) {
        item.end(lost.reason, .decode, lost.detail)
      } else {
        batch.retry(item)
      }
    }
  }

  /// Enters a message into the state of a file.
  ///
  /// - Returns: Whether it was the last.
  private static func take(
    _ sent: inout SentItem,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .facts(_, let facts, let digest, let accepted, _):
      guard !accepted, digest == nil, sent.item.sidecarFormat == nil, sent.attempt.claim == nil
      else { throw ProtocolError("facts that do not fit the job") }
      sent.attempt.claim = ItemWork.Claim(facts: facts, digest: [], isAccepted: false)
      return false
    case .sidecar(_, let description, let digest):
      try sent.attempt.takeSidecar(description, digest, of: sent.item)
      return false
    case .done:
      guard sent.attempt.claim != nil || sent.attempt.sidecar != nil else {
        throw ProtocolError("an answer that is not whole")
      }
      sent.attempt.isAnswered = true
      return true
    case .failed: return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  private func end(_ sent: SentItem) {
    let (item, attempt) = (sent.item, sent.attempt)
    let isKnown = saved[item.planned.path] != nil
    if attempt.isAnswered, let facts = attempt.claim?.facts,
      !isKnown || !attempt.hasChanged(for: item)
    {
      return item.endComparison(with: context.completed(facts, of: item))
    }
    // A file that cannot be read, or a sidecar: a change of it meanwhile may be the reason.
    if attempt.hasChanged(for: item), item.failedAttempts == 0 {
      item.failedAttempts += 1
      return sent.batch.retry(item)
    }
    if attempt.isAnswered, let sidecar = attempt.sidecar, !attempt.hasChanged(for: item) {
      item.finish(with: sidecar)
    } else {
      item.end(attempt.isAnswered ? .changedDuringRun : .cannotRead, .read)
    }
  }
}

extension FetchSelection {
  /// Notes what was read of a candidate.
  ///
  /// - Returns: Its sort values, if they may be stored: a sidecar may change when the file does not.
  mutating func note(_ item: ItemWork) -> CandidateKeys? {
    let path = item.planned.path
    guard let facts = item.comparedFacts,
      item.source.acceptedMediaTypes.contains(facts.format.mediaType)
    else {
      noteOther(path)
      return nil
    }
    let values = item.isFetched(facts) ? keys.map { item.sortValue(of: $0, facts) } : nil
    note(path, group: path.pairingHash, values)
    guard item.possibleSidecars.isEmpty else { return nil }
    return CandidateKeys(path: path, status: item.planned.status, values: values)
  }
}
