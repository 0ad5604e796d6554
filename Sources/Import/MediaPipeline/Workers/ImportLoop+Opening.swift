internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources
internal import MediaWorkerPool

extension ImportLoop {
  func begin(_ items: [ItemWork]) throws(RunError) -> BatchWork {
    try context.journal.intend(items)
  }

  func refuse(_ item: ItemWork) {
    item.refuse()
    let isCounted = item.pending.late?.isPublished == true
    context.journal.account.tally.countRefused(isCounted ? 0 : 1, of: item.source.id)
  }

  func checkForRevocation(in plan: inout BatchPlan) throws(RunError) {
    try context.watch.checkForRevocation(in: &plan, takeBack: takeBack)
  }

  /// Refuses the items that are not allowed any more and whose batch is not yet in the journal with its
  /// outputs. A worker that reads one is ended; what it has in its queue waits for another one.
  ///
  /// - Returns: Their number, without those that were published before.
  private func takeBack() throws(RunError) -> Int {
    let recalled = requests.takeBack { $0.isCurrent && !context.watch.allows($0.item) }
    for sent in recalled where sent.isCurrent { abandon(sent.item, in: sent.batch) }
    // Of some the outputs are still being written, from their open files.
    for batch in batches {
      for item in batch.begun where !context.watch.allows(item) { abandon(item, in: batch) }
    }
    var count = 0
    for batch in batches {
      let refused = batch.items.filter { $0.isRefusable && !context.watch.allows($0) }
      let isStarted = refused.contains { !$0.isWaiting }
      for item in refused {
        try? StagedFile.discard(item, in: batch)
        item.refuse()
      }
      if isStarted, context.journal.isHalted(batch) { try restart(batch) }
      count += refused.count { $0.pending.late?.isPublished != true }
    }
    return count
  }

  /// Begins a batch anew: its files in staging may be arranged with those of items that it lacks now.
  func restart(_ batch: BatchWork) throws(RunError) {
    try context.journal.restart(batch)
    for item in batch.items where item.isOpened && !item.isRefused { batch.retry(item) }
  }

  /// Makes an item wait again, without what was written of it.
  private func abandon(_ item: ItemWork, in batch: BatchWork) {
    try? StagedFile.discard(item, in: batch)
    batch.retry(item)
  }
}
