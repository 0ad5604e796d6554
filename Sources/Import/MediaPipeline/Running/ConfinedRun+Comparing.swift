internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool

extension ConfinedRun {
  /// Groups the items that an import would process, after limits are applied.
  func grouped(_ listed: Listed, byContent: Bool) throws(RunError) -> [GroupedItems] {
    try listed.work.map { (work) throws(RunError) in
      let work = try applyLimit(to: work)
      var grouped = GroupedItems(of: work.source.id, work.pending)
      guard byContent else { return grouped }
      var identifiers: [(path: ItemPath, identifier: String)] = []
      try facts(of: work.pending, work.source) { items in
        identifiers += items.compactMap { item in
          item.comparedFacts?.contentIdentifier.map { (item.planned.path, $0) }
        }
      }
      grouped.join(identifiers)
      return grouped
    }
  }

  /// Reads what files say of themselves, and imports nothing.
  func facts(
    of items: PendingItems,
    _ source: PlannedSource,
    saved: [ItemPath: SaveTime] = [:],
    take: ([ItemWork]) throws(RunError) -> Void
  ) throws(RunError) {
    let reader = FactsReader(
      context,
      WorkerRequests(pool),
      progress: ProgressCounter(totals: [(source.id, items.count)], show: open.basis.options.onProgress),
      saved: saved
    )
    var plan = BatchPlan(
      sources: [(source, items)],
      library: open.library,
      thumbnails: [],
      limits: loaded.manifest.limits
    )
    watch.apply(to: &plan, counts: false)
    try reader.read(&plan, take)
    if !plan.isAtEnd {
      try context.journal.close()
      throw context.interruption
    }
  }

  /// Reads what a source's limit needs to know of each candidate, and leaves out the items that it does not
  /// take.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  func applyLimit(to work: Work) throws(RunError) -> Work {
    guard var candidates = work.candidates else { return work }
    let source = work.source
    var selection = FetchSelection(source.fetch)
    try takeKnown(of: source, from: &candidates, into: &selection)
    let conditions = FailureConditions.digestOfKeys(of: source, in: loaded.manifest)
    try facts(of: candidates, source) { (items) throws(RunError) in
      let keys = items.compactMap { selection.note($0) }
      do {
        try open.library.privateFacts?.store(keys, of: source.id, conditions: conditions)
      } catch {
        throw RunError(wrapping: error)
      }
    }
    var chosen = work
    chosen.candidates = nil
    // Access may have been taken back meanwhile; then the rest was not compared.
    let refused = chosen.pending.keep { watch.allows($0.listed.path, of: source.id) }
    open.account.tally.countRefused(refused.count, of: source.id)
    chosen.pending.leaveOut(where: selection.chosen())
    return chosen
  }

  /// Takes what the private facts know of candidates without sidecars, which are then not opened.
  private func takeKnown(
    of source: PlannedSource,
    from candidates: inout PendingItems,
    into selection: inout FetchSelection
  ) throws(RunError) {
    var updated = selection
    let owners = Set(candidates.indices.compactMap { candidates[$0].owner })
    do {
      try open.library.privateFacts?.withCandidates(
        of: source.id,
        conditions: FailureConditions.digestOfKeys(of: source, in: loaded.manifest)
      ) { find in
        try candidates.keep { candidate in
          guard !owners.contains(candidate.listed.path),
            let keys = try find(candidate.listed.path, candidate.listed.status)
          else { return true }
          updated.note(keys.path, group: keys.path.pairingHash, keys.values)
          return false
        }
      }
    } catch {
      throw RunError(wrapping: error)
    }
    selection = updated
  }
}
