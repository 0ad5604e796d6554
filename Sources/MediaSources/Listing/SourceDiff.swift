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
  ///   - source: The listed source.
  ///   - catalogue: The items of earlier runs; without it every item is pending.
  ///   - writtenUnder: The policy and thumbnails of this run, see `WrittenUnder`.
  ///   - failingUnder: The conditions of this run, see ``FailureConditions``; with nil, every failure is
  ///     tried again.
  ///   - firstNumber: The number of the first pending item in the run, 1-based.
  ///   - assigned: The items that a plan gives to the run, with their numbers; nil when it lists by itself.
  ///   - reprocesses: Makes items pending again that were written under a looser policy.
  ///   - lost: Published files that are gone: their items are pending again, under the same policy.
  ///   - isDescribedAnew: Whether the source's database says another thing of an item than it did.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  package init(
    _ listing: SourceListing,
    of source: SourceKind,
    catalogue: (any CatalogueItems)?,
    writtenUnder: String,
    failingUnder: String? = nil,
    firstNumber: Int,
    assigned: AssignedItems? = nil,
    reprocesses: Bool = false,
    lost: LostFiles? = nil,
    isDescribedAnew: ((ItemPath) -> Bool)? = nil
  ) throws(LibraryError) {
    let items = listing.items
    pending = PendingItems(of: items)
    unchanged = ListedPaths(of: items)
    failedBefore = ListedPaths(of: items)
    notFetched = ListedPaths(of: items)
    withdrawn = ListedPaths(of: items)
    stillChanging = ListedPaths(of: items)
    // The other half of a live photo is read with the first one, which would else become an asset that
    // does not say what it lacks.
    var retried: Set<Int>?
    var again: Set<Int>?
    while true {
      try merge(
        items,
        of: source,
        catalogue,
        writtenUnder: writtenUnder,
        failingUnder: failingUnder,
        retried: retried ?? [],
        again: again ?? [],
        firstNumber: firstNumber,
        assigned: assigned,
        reprocesses: reprocesses,
        lost: lost
      )
      let counterparts = retried == nil ? failedCounterparts : []
      let withSidecars =
        again == nil ? readAgain(items).union(describedAnew(items, isDescribedAnew)) : []
      if counterparts.isEmpty && withSidecars.isEmpty { break }
      if retried == nil { retried = counterparts }
      again = withSidecars.union(again ?? [])
    }
  }

  /// The indexes in the listing of the unchanged items that are read again because of sidecars.
  private func readAgain(_ items: ListedItems) -> Set<Int> {
    if items.owners.isEmpty || pending.isEmpty { return [] }
    let known = Set(
      pending.indices.lazy.filter { [pending] in pending.wasLeftOut(at: $0) }
        .map { [pending] in pending.index(at: $0) }
    )
    let isUnchanged = { [unchanged] in unchanged.contains(itemAt: $0) }
    return items.readAgain(isUnchanged: isUnchanged) { index in
      !isUnchanged(index) && !known.contains(index) && !failedBefore.contains(itemAt: index)
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

  private mutating func merge(
    _ items: ListedItems,
    of source: SourceKind,
    _ catalogue: (any CatalogueItems)?,
    writtenUnder: String,
    failingUnder: String?,
    retried: Set<Int>,
    again: Set<Int>,
    firstNumber: Int,
    assigned: AssignedItems?,
    reprocesses: Bool,
    lost: LostFiles?
  ) throws(LibraryError) {
    var pending = PendingItems(of: items)
    var unchanged = ListedPaths(of: items)
    var failedBefore = ListedPaths(of: items)
    var notFetched = ListedPaths(of: items)
    var withdrawn = ListedPaths(of: items)
    var underAnotherPolicy = 0
    let policy = WrittenUnder.policy(of: writtenUnder)
    let wanted = WrittenUnder.fingerprints(of: writtenUnder)
    let merge: (() throws -> CatalogueItem?) throws -> Void = { next in
      var known = try next()
      for index in items.indices {
        // Paths are compared in place: making each would dominate the cost of a run in which nothing
        // has changed.
        var order = known.map { items.compare(at: index, with: $0.path) } ?? -1
        while order > 0 {
          known = try next()
          order = known.map { items.compare(at: index, with: $0.path) } ?? -1
        }
        if items.reason(at: index) == .notFetched {
          notFetched.append(itemAt: index)
          continue
        }
        let number = assigned?.number(at: index) ?? firstNumber + pending.count
        guard order == 0, let item = known else {
          pending.append(itemAt: index, number: number)
          continue
        }
        let isReadable = items.reason(at: index) == nil
        let parts = isReadable ? item.asset.flatMap { lost?.parts(ofAsset: $0) } : nil
        let restores = parts?.originals.isEmpty == false
        let mends = restores || parts?.thumbnails.keys.contains { wanted[$0] != nil } ?? false
        var getsThumbnailsOnly = false
        var isRewritten = false
        var earlierByteCount: Int64?
        if isReadable, item.isWithdrawn, item.isSameContent(as: items.status(at: index)) {
          guard reprocesses else {
            withdrawn.append(itemAt: index)
            continue
          }
          isRewritten = true
        } else if isReadable, item.asset != nil, item.isSameFile(as: items.status(at: index)) {
          let itsPolicy = item.writtenUnder.map { WrittenUnder.policy(of: $0) } ?? policy
          if item.writtenUnder == nil {
            guard mends || again.contains(index) else {
              unchanged.append(itemAt: index)
              continue
            }
            getsThumbnailsOnly = !restores && !again.contains(index)
          } else if reprocesses, let policy, itsPolicy?.isAtLeastAsStrict(as: policy) != true {
            isRewritten = true
          } else if itsPolicy != policy {
            underAnotherPolicy += 1
            unchanged.append(itemAt: index)
            continue
          } else {
            let has = WrittenUnder.fingerprints(of: item.writtenUnder ?? "")
            if wanted.allSatisfy({ has[$0.key] == $0.value }), !mends, !again.contains(index) {
              unchanged.append(itemAt: index)
              continue
            }
            getsThumbnailsOnly = !restores && !again.contains(index)
          }
        } else if item.asset != nil {
          earlierByteCount = item.size
        }
        if let failure = item.failure, isReadable, !isRewritten,
          failure.isSameFile(as: items.status(at: index)), !retried.contains(index),
          getsThumbnailsOnly || !failure.isThumbnailMissing
        {
          if failure.isThumbnailMissing {
            unchanged.append(itemAt: index)
          } else if failure.isNotFetched {
            notFetched.append(itemAt: index)
          } else {
            failedBefore.append(itemAt: index)
          }
          continue
        }
        pending.append(
          itemAt: index,
          number: number,
          previousAsset: item.asset,
          earlierByteCount: earlierByteCount,
          lost: parts,
          getsThumbnailsOnly: getsThumbnailsOnly,
          isRewritten: isRewritten,
          wasLeftOut: item.isLeftOut && item.isSameContent(as: items.status(at: index))
            && !(item.isUnsupported && items.isSidecar(at: index)),
          wasUnsupported: item.isUnsupported && item.isSameContent(as: items.status(at: index))
        )
      }
    }
    if let catalogue {
      try catalogue.items(
        of: source,
        writtenUnder: writtenUnder,
        failingUnder: failingUnder,
        merge
      )
    } else {
      try? merge { nil }
    }
    self.pending = pending
    self.unchanged = unchanged
    self.failedBefore = failedBefore
    self.notFetched = notFetched
    self.withdrawn = withdrawn
    self.underAnotherPolicy = underAnotherPolicy
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
    for one in pending where one.listed.reason == nil {
      switch settling.state(of: one.listed.status) {
      case .settled: continue
      case .changing: changing.insert(one.listed.path.pairingKey)
      case .unknown: unknown.append(one.listed)
      }
    }
    // A camera is asked for its files once.
    if source.camera != nil { unknown.removeAll() }
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
      itemsAt: pending.keep { one in
        one.listed.reason != nil || !changing.contains(one.listed.path.pairingKey)
      }
    )
  }

  /// Leaves out the items whose assets would be changed on the word of rows that are not as they were
  /// written; they count as unchanged.
  ///
  /// - Returns: Their paths.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  package mutating func leaveOutDamaged(
    of source: SourceKind,
    in catalogue: Catalogue
  ) throws(LibraryError) -> [ItemPath] {
    var damaged: Set<ItemPath> = []
    for one in pending where one.isRewritten || one.getsThumbnailsOnly {
      guard let asset = one.previousAsset else { continue }
      let path = one.listed.path
      if try !catalogue.isWhole(item: path, of: source, asset: asset) { damaged.insert(path) }
    }
    if damaged.isEmpty { return [] }
    unchanged.insert(itemsAt: pending.keep { !damaged.contains($0.listed.path) })
    return damaged.sorted()
  }
}
