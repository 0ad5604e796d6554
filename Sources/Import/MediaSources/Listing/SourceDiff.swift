package import MediaFileSystem
package import MediaLibrary
package import MediaListing
package import MediaModel

/// The items of a listing that earlier runs have not processed.
package struct SourceDiff {
  package private(set) var pending: PendingItems
  package private(set) var unchanged: ListedPaths
  /// Items whose failure an earlier run has said, and which would fail the same again: they are not
  /// opened.
  package private(set) var failedBefore: ListedPaths
  /// Items that the source's fetch options leave out, by the listing or as an earlier run has found out:
  /// they are not opened.
  package private(set) var notFetched: ListedPaths
  /// Items whose assets a person has taken out of the library: they are not opened.
  package private(set) var withdrawn: ListedPaths
  /// Items that may still be written, see ``leaveOutChanging(_:of:pause:mayLook:)``.
  package private(set) var stillChanging: ListedPaths
  /// Items that were written under another metadata policy and stay as they are.
  package private(set) var underAnotherPolicy = 0

  /// Merges a listing with the catalogue's items, both in the order of the paths' bytes.
  ///
  /// - Parameters:
  ///   - listing: The items that the source has now.
  ///   - context: What they are compared with.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  package init(_ listing: SourceListing, _ context: DiffContext) throws(LibraryError) {
    let items = listing.items
    self.init(of: items)
    var comparison = Comparison(of: items, with: context)
    try merge(comparison)
    // The other half of a live photo is read with the first one, which would else become an asset that
    // does not say what it lacks.
    comparison.retried = failedCounterparts
    comparison.readAgain = readAgain(items).union(describedAnew(items, context.isDescribedAnew))
    if comparison.retried.isEmpty && comparison.readAgain.isEmpty { return }
    try merge(comparison)
  }

  private init(of items: ListedItems) {
    pending = PendingItems(of: items)
    unchanged = ListedPaths(of: items)
    failedBefore = ListedPaths(of: items)
    notFetched = ListedPaths(of: items)
    withdrawn = ListedPaths(of: items)
    stillChanging = ListedPaths(of: items)
  }

  /// Whether an item is new, has changed or is tried again; not one that earlier runs have left out too.
  package var hasNewItems: Bool {
    !stillChanging.isEmpty || pending.indices.contains { !pending.wasLeftOut(at: $0) }
  }

  /// The indexes in the listing of the unchanged items that are read again because of sidecars.
  private func readAgain(_ items: ListedItems) -> Set<Int> {
    if items.owners.isEmpty || pending.isEmpty { return [] }
    let asked = Set(
      pending.indices.lazy.filter { [pending] in pending.wasLeftOut(at: $0) }
        .map { [pending] in pending.index(at: $0) }
    )
    let isUnchanged = { [unchanged] in unchanged.contains(itemAt: $0) }
    return items.readAgain(isUnchanged: isUnchanged) { index in
      !isUnchanged(index) && !asked.contains(index) && !failedBefore.contains(itemAt: index)
        && !withdrawn.contains(itemAt: index)
    }
  }

  /// The indexes in the listing of the unchanged items of which a database says another thing.
  private func describedAnew(
    _ items: ListedItems,
    _ isDescribedAnew: ((ItemPath) -> Bool)?
  ) -> Set<Int> {
    guard let isDescribedAnew else { return [] }
    return Set(
      unchanged.indices.lazy.map { [unchanged] in unchanged.index(at: $0) }
        .filter { items.isSidecar(at: $0) == false && isDescribedAnew(items.path(at: $0)) }
    )
  }

  /// Walks the listing and the catalogue's rows, and enters each item by its verdict.
  private mutating func merge(_ comparison: Comparison) throws(LibraryError) {
    let (items, context) = (comparison.items, comparison.context)
    var merged = SourceDiff(of: items)
    let walk: (() throws -> CatalogueItem?) throws -> Void = { next in
      var row = try next()
      for index in items.indices {
        // Paths are compared in place: making each would dominate the cost of a run in which nothing
        // has changed.
        var order = row.map { items.compare(at: index, with: $0.path) } ?? -1
        while order > 0 {
          row = try next()
          order = row.map { items.compare(at: index, with: $0.path) } ?? -1
        }
        merged.enter(index, comparison.verdict(of: index, row: order == 0 ? row : nil), context)
      }
    }
    if let catalogue = context.catalogue {
      try catalogue.items(
        of: context.source,
        writtenUnder: context.writtenUnder,
        failingUnder: context.failingUnder,
        walk
      )
    } else {
      try? walk { nil }
    }
    // A plan has given each item its number.
    if context.sharesNumbers, context.assigned == nil { merged.pending.shareNumbers() }
    self = merged
  }

  private mutating func enter(_ index: Int, _ verdict: DiffVerdict, _ context: DiffContext) {
    switch verdict {
    case .unchanged: unchanged.append(itemAt: index)
    case .underAnotherPolicy:
      underAnotherPolicy += 1
      unchanged.append(itemAt: index)
    case .failedBefore: failedBefore.append(itemAt: index)
    case .notFetched: notFetched.append(itemAt: index)
    case .withdrawn: withdrawn.append(itemAt: index)
    case .pending(let marks):
      pending.append(
        itemAt: index,
        number: context.assigned?.number(at: index) ?? context.firstNumber + pending.count,
        previousAsset: marks.previousAsset,
        earlierByteCount: marks.earlierByteCount,
        lost: marks.lost,
        getsThumbnailsOnly: marks.getsThumbnailsOnly,
        isRewritten: marks.isRewritten,
        wasLeftOut: marks.wasLeftOut,
        wasUnsupported: marks.wasUnsupported,
        hasFailed: marks.hasFailed
      )
    }
  }

  /// The indexes in the listing of the items that failed, or were found not to be fetched, and may be the
  /// other half of a live photo with a pending item: not with one that was no media, nor with a sidecar.
  private var failedCounterparts: Set<Int> {
    if failedBefore.isEmpty && notFetched.isEmpty { return [] }
    let keys = Set(
      pending.indices.lazy
        .filter { [pending] in !pending.wasLeftOut(at: $0) && !pending.isSidecar(at: $0) }
        .map { [pending] in pending.path(at: $0).pairingKey }
    )
    return [failedBefore, notFetched].reduce(into: []) { indexes, paths in
      for position in paths.indices where keys.contains(paths[position].pairingKey) {
        indexes.insert(paths.index(at: position))
      }
    }
  }

  /// Leaves out the pending files that may still be written, and what may be the other half of a live
  /// photo with one of them.
  ///
  /// - Parameters:
  ///   - settling: Tells them from the others.
  ///   - source: The listed source.
  ///   - pause: Waits for so many nanoseconds, for a second look at files whose times tell nothing.
  ///   - mayLook: Asked before each second look.
  /// - Throws: What the two throw; then all files are still pending.
  package mutating func leaveOutChanging(
    _ settling: inout Settling,
    of source: PlannedSource,
    pause: (Int64) throws(RunError) -> Void,
    mayLook: (ItemPath) throws(RunError) -> Bool = { _ in true }
  ) throws(RunError) {
    var changing: Set<[UInt8]> = []
    var unknown: [ListedItem] = []
    for item in pending where item.listed.reason == nil {
      switch settling.state(of: item.listed.status) {
      case .settled: continue
      case .changing: changing.insert(item.listed.path.pairingKey)
      case .unknown: unknown.append(item.listed)
      }
    }
    // A camera is asked for its files once.
    if !source.media.isFolder { unknown.removeAll() }
    if !unknown.isEmpty { try pause(settling.quiet) }
    for item in unknown {
      guard try mayLook(item.path) else { continue }
      let status = try? FileSystem.openPath(
        beneath: source.root,
        item.path.bytes,
        crossMounts: source.crossMounts
      ).status()
      if status?.isSameContent(as: item.status) == true { continue }
      changing.insert(item.path.pairingKey)
      settling.noteChange()
    }
    if changing.isEmpty { return }
    stillChanging.insert(
      itemsAt: pending.keep { item in
        item.listed.reason != nil
          || ![item.listed.path, item.owner ?? item.listed.path].contains {
            changing.contains($0.pairingKey)
          }
      }
    )
  }

  /// Leaves out the items whose assets would be changed on the word of rows that are not as they were
  /// written; they count as unchanged.
  ///
  /// - Returns: Their paths.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  package mutating func leaveOutDamaged(
    of source: SourceID,
    in catalogue: any CatalogueItems
  ) throws(LibraryError) -> [ItemPath] {
    var damaged: Set<ItemPath> = []
    for item in pending where item.isRewritten || item.getsThumbnailsOnly {
      guard let asset = item.previousAsset else { continue }
      let path = item.listed.path
      if try !catalogue.isWhole(item: path, of: source, asset: asset) { damaged.insert(path) }
    }
    if damaged.isEmpty { return [] }
    unchanged.insert(itemsAt: pending.keep { !damaged.contains($0.listed.path) })
    return damaged.sorted()
  }
}
