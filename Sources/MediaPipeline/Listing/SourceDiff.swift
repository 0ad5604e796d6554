internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The items of a listing that earlier runs have not processed.
struct SourceDiff {
  private(set) var pending: [PendingItem] = []
  private(set) var unchanged: [ItemPath] = []
  /// Items that were written under another metadata policy and stay as they are.
  private(set) var underAnotherPolicy = 0

  /// Merges a listing with the catalogue's items, both in the order of the paths' bytes.
  ///
  /// - Parameters:
  ///   - listing: The items that the source has now.
  ///   - source: The listed source.
  ///   - catalogue: The items of earlier runs; without it every item is pending.
  ///   - writtenUnder: The policy and thumbnails of this run, see `WrittenUnder`.
  ///   - firstNumber: The number of the first pending item in the run, 1-based.
  ///   - reprocesses: Makes items pending again that were written under a looser policy.
  ///   - lost: Published files that are gone: their items are pending again, under the same policy.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  init(
    _ listing: SourceListing,
    of source: SourceKind,
    catalogue: (any CatalogueItems)?,
    writtenUnder: String,
    firstNumber: Int,
    reprocesses: Bool = false,
    lost: LostFiles? = nil
  ) throws(LibraryError) {
    var pending: [PendingItem] = []
    var unchanged: [ItemPath] = []
    var underAnotherPolicy = 0
    let policy = WrittenUnder.policy(of: writtenUnder)
    let wanted = WrittenUnder.fingerprints(of: writtenUnder)
    let merge: (() throws -> CatalogueItem?) throws -> Void = { next in
      var known = try next()
      for listed in listing.items {
        while let item = known, item.path < listed.path { known = try next() }
        let item = known.flatMap { $0.path == listed.path ? $0 : nil }
        var one = PendingItem(
          listed: listed,
          previousAsset: item?.asset,
          number: firstNumber + pending.count
        )
        if listed.reason == nil, let item, let asset = item.asset {
          one.lost = lost?.parts(ofAsset: asset)
        }
        if listed.reason == nil, let item, item.asset != nil, item.isSameFile(as: listed.status) {
          guard let itsWrittenUnder = item.writtenUnder else {
            guard one.mends(wanted) else {
              unchanged.append(listed.path)
              continue
            }
            one.getsThumbnailsOnly = !one.restores
            pending.append(one)
            continue
          }
          let itsPolicy = WrittenUnder.policy(of: itsWrittenUnder)
          if reprocesses, let policy, itsPolicy?.isAtLeastAsStrict(as: policy) != true {
            one.isRewritten = true
            pending.append(one)
            continue
          }
          if itsPolicy != policy {
            underAnotherPolicy += 1
            unchanged.append(listed.path)
            continue
          }
          let has = WrittenUnder.fingerprints(of: itsWrittenUnder)
          if wanted.allSatisfy({ has[$0.key] == $0.value }), !one.mends(wanted) {
            unchanged.append(listed.path)
            continue
          }
          one.getsThumbnailsOnly = !one.restores
        } else if item?.asset != nil {
          one.earlierByteCount = item?.size
        }
        pending.append(one)
      }
    }
    if let catalogue {
      try catalogue.items(of: source, writtenUnder: writtenUnder, merge)
    } else {
      try? merge { nil }
    }
    let keys = Set(pending.map(\.listed.path.pairingKey))
    if !keys.isEmpty, !unchanged.isEmpty {
      let counterparts = Set(unchanged.lazy.map(\.pairingKey).filter(keys.contains))
      for index in pending.indices
      where counterparts.contains(pending[index].listed.path.pairingKey) {
        pending[index].hasUnchangedCounterpart = true
      }
    }
    self.pending = pending
    self.unchanged = unchanged
    self.underAnotherPolicy = underAnotherPolicy
  }

  /// Leaves out the items whose assets would be changed on the word of rows that are not as they were
  /// written; they count as unchanged.
  ///
  /// - Returns: Their paths.
  /// - Throws: `LibraryError` when the catalogue cannot be read.
  mutating func leaveOutDamaged(
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
    pending.removeAll { damaged.contains($0.listed.path) }
    let paths = damaged.sorted()
    unchanged = (unchanged + paths).sorted()
    return paths
  }
}

extension PendingItem {
  /// Whether its asset has lost an original.
  var restores: Bool { lost?.originals.isEmpty == false }

  /// Whether its asset has lost an original, or a thumbnail that this run wants.
  fileprivate func mends(_ wanted: [String: String]) -> Bool {
    restores || lost?.thumbnails.keys.contains { wanted[$0] != nil } ?? false
  }
}

extension CatalogueItem {
  /// Whether nothing about the file has changed since it was written.
  func isSameFile(as status: FileStatus) -> Bool {
    device == status.device && inode == status.inode && size == status.size
      && modified == status.modified && changed == status.changed
      && isWritten
  }
}
