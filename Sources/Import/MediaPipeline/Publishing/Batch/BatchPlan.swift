internal import MediaFileSystem
package import MediaLibrary
internal import MediaListing
package import MediaManifest
package import MediaModel
package import MediaSources

/// Divides the pending items into batches, source by source.
///
/// Files of one folder whose names differ only in their extension (ASCII case aside) may be the
/// still and the movie of a live photo: they share a batch, unless there are more than it holds. Halves
/// that turn out to have been divided come in batches of their own, after all others.
package struct BatchPlan: RemainingItems {
  private var sources: [(source: PlannedSource, pending: PendingItems)]
  private let library: Library
  private let thumbnails: [ThumbnailSpec]
  private let limits: ItemLimits
  private var publisher: Publisher
  private var sourceIndex = 0
  /// The groups of the source at `sourceIndex`, in the order in which they are processed.
  private var groups: ItemGroups?
  /// The most items of the next batch: it grows with the backlog, since each batch costs seven
  /// flushes, and the first results of a run are not to wait for a large one.
  private var maximumCount = min(BatchWork.firstCount, BatchWork.maximumCount)
  private var halves = LateHalves()
  /// The movies that are processed without their stills.
  package private(set) var loneHalves: [LoneHalf] = []
  private var lastSaveTime = SaveTime(microseconds: 0)

  package init(
    sources: [(source: PlannedSource, pending: PendingItems)],
    library: Library,
    thumbnails: [ThumbnailSpec],
    limits: ItemLimits
  ) {
    self.sources = sources
    self.library = library
    self.thumbnails = thumbnails
    self.limits = limits
    publisher = Publisher(library: library)
  }

  /// Whether all items were returned.
  package var isAtEnd: Bool { isListingAtEnd && halves.isEmpty }

  /// Whether the next items are chosen by what the batches before them have published.
  package var waitsForBatches: Bool { isListingAtEnd }

  private var isListingAtEnd: Bool {
    sources.indices.dropFirst(sourceIndex).allSatisfy { index in
      if index == sourceIndex, let groups { return groups.isAtEnd }
      return sources[index].pending.isEmpty
    }
  }

  /// The items of the next batch, or nil when nothing is left.
  package mutating func next() throws(RunError) -> [ItemWork]? {
    while sourceIndex < sources.count {
      let (source, pending) = sources[sourceIndex]
      var groups = self.groups ?? ItemGroups(of: pending, limit: BatchWork.firstCount)
      // A single reference, or going on would copy them.
      self.groups = nil
      var chosen: [Int] = []
      var bytes: Int64 = 0
      while !groups.isAtEnd {
        let group = groups.first.map { Int($0) }
        // The size is clamped: those of sparse files may add up to more than an integer holds.
        let size = group.reduce(0) { sum, index in
          sum + min(pending.size(at: index), BatchWork.maximumBytes + 1)
        }
        let isTooMuch =
          chosen.count + group.count > maximumCount
          || bytes + size > BatchWork.maximumBytes
        if isTooMuch && !chosen.isEmpty { break }
        chosen += group
        bytes += size
        groups.dropFirst()
      }
      guard !chosen.isEmpty else {
        sourceIndex += 1
        continue
      }
      self.groups = groups
      if chosen.count == maximumCount {
        maximumCount = min(2 * maximumCount, BatchWork.maximumCount)
      }
      return try items(chosen.map { pending[$0] }, of: source)
    }
    return try nextHalves()
  }

  /// Adds halves of live photos whose other halves were not in their batch.
  package mutating func add(_ waiting: [WaitingHalf]) { halves.add(waiting) }

  /// The items of the next batch of halves, or nil when nothing is left.
  private mutating func nextHalves() throws(RunError) -> [ItemWork]? {
    guard let kind = halves.source,
      let (source, listing) = sources.first(where: { $0.source.id == kind })
    else { return nil }
    var chosen: [PendingItem] = []
    // A group is joined by one item that was published before.
    while halves.source == kind, chosen.count < BatchWork.firstCount {
      let group = halves.takeGroup(limit: BatchWork.firstCount)
      do throws(LibraryError) {
        let items = try LateHalves.items(group, of: source, listing, library.catalogue)
        loneHalves += zip(group, items).compactMap { LoneHalf($0, as: $1) }
        chosen += items
      } catch {
        throw RunError(error)
      }
    }
    return try items(chosen, of: source)
  }

  // MARK: Access that is revoked while the run goes on

  /// Drops the remaining items of a source.
  ///
  /// - Returns: The number of dropped items.
  package mutating func end(_ kind: SourceID) -> Int {
    keep(in: kind) { _ in
      false
    }
  }

  /// Drops the remaining items of a source that `selection` does not contain; a file that its source alone knows as
  /// a sidecar follows its owner.
  ///
  /// - Returns: The number of dropped items.
  package mutating func narrow(_ kind: SourceID, to selection: Selection) -> Int {
    keep(in: kind) { item in
      selection.contains(item.listed.path)
        || SidecarName(item.listed.path) == nil && item.owner.map(selection.contains) == true
    }
  }

  /// Applies the refusal of the microphone to the remaining items that need it.
  package mutating func refuseAudio(_ policy: MicrophoneRefusalPolicy) {
    for index in sources.indices where sources[index].source.captureMode != nil {
      sources[index].source.audioRefusal = policy
    }
  }

  private mutating func keep(in kind: SourceID, _ isKept: (PendingItem) -> Bool) -> Int {
    var dropped = 0
    for index in sources.indices.dropFirst(sourceIndex) where sources[index].source.id == kind {
      if index == sourceIndex, groups != nil {
        let pending = sources[index].pending
        dropped += groups?.keep { isKept(pending[$0]) } ?? 0
      } else {
        dropped += sources[index].pending.keep(where: isKept).count
      }
    }
    return dropped + halves.keep(in: kind, isKept)
  }

  private mutating func items(
    _ pending: [PendingItem],
    of source: PlannedSource
  ) throws(RunError) -> [ItemWork] {
    var items: [ItemWork] = []
    // A sidecar's description is known before its file is read.
    let sidecars = pending.filter { $0.owner != nil }
    let ordered = sidecars.isEmpty ? pending : sidecars + pending.filter { $0.owner == nil }
    for (index, item) in ordered.enumerated() {
      var asset: KnownAsset?
      var specs = item.owner == nil ? thumbnails : []
      do {
        if item.getsThumbnailsOnly, item.owner == nil, let row = item.previousAsset {
          asset = try library.catalogue.asset(row: row)
          specs = thumbnails.filter { spec in
            asset.map { spec.accepts($0.mediaType) } != false
              && (asset?.thumbnails[spec.name] != spec.fingerprint
                || item.lost?.thumbnails[spec.name] != nil)
          }
        }
        lastSaveTime = try publisher.freeSaveTime(
          from: max(.now, SaveTime(microseconds: lastSaveTime.microseconds + 1))
        )
      } catch {
        throw RunError(error)
      }
      items.append(
        ItemWork(
          item,
          index: index,
          source: source,
          saveTime: lastSaveTime,
          stored: asset,
          thumbnails: specs,
          limits: limits
        )
      )
    }
    return items
  }
}
