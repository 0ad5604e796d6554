internal import MediaFileSystem
internal import MediaLibrary
package import MediaListing
package import MediaModel

/// An item that a run has to process.
package struct PendingItem {
  package var listed: ListedItem
  /// Its asset gets thumbnails that it does not have; the file itself is unchanged.
  package var getsThumbnailsOnly = false
  /// Its asset was written under a looser metadata policy, and is written anew.
  package var isRewritten = false
  /// The files that its asset has lost; nil when there are none.
  package var lost: LostFiles.Parts?
  /// Row of the asset that an earlier run made of this path.
  package var previousAsset: Int64?
  /// The size in bytes that the file had when that asset was made of it; nil when nothing shows that the
  /// file has changed since.
  package var earlierByteCount: Int64?
  /// Why the item is processed after the others; nil for one that is processed for the first time.
  package var late: LateHalf?
  /// The file that it belongs to, if it is a sidecar.
  package var owner: ItemPath?
  /// The file whose sidecars describe it too, if there is one.
  package var leader: ItemPath?
  /// Whether a sidecar itself says whether it belongs to its owner, or to another file that has that as leader.
  package var isUndecided = false
  /// Whether an earlier run did not import the same file either.
  package var isRepeated = false
  /// 1-based in the run.
  package var number: Int

  /// Makes an item without the properties that have a usual value.
  package init(
    listed: ListedItem,
    getsThumbnailsOnly: Bool = false,
    isRewritten: Bool = false,
    lost: LostFiles.Parts? = nil,
    previousAsset: Int64? = nil,
    earlierByteCount: Int64? = nil,
    late: LateHalf? = nil,
    owner: ItemPath? = nil,
    leader: ItemPath? = nil,
    number: Int
  ) {
    self.listed = listed
    self.getsThumbnailsOnly = getsThumbnailsOnly
    self.isRewritten = isRewritten
    self.lost = lost
    self.previousAsset = previousAsset
    self.earlierByteCount = earlierByteCount
    self.late = late
    self.owner = owner
    self.leader = leader
    self.number = number
  }
}

extension PendingItem {
  /// Whether fetch options decide about it: what is in the library already stays.
  package var isNew: Bool { !getsThumbnailsOnly && !isRewritten && lost == nil }
}

/// The items that a run has to process, besides the listing, which they share: in next to no bytes where all items of
/// the listing are new, in at most 21 each.
package struct PendingItems: RandomAccessCollection {
  /// Items side by side in the listing, whose numbers are side by side too.
  private struct Stretch {
    /// Of the first.
    var position: UInt32
    /// Index of the first in the listing.
    var listed: UInt32
    /// Of the first.
    var number: UInt32
  }

  private struct Marks: OptionSet {
    var rawValue: UInt8
    static let getsThumbnailsOnly = Marks(rawValue: 1)
    static let isRewritten = Marks(rawValue: 2)
    static let hasFailed = Marks(rawValue: 4)
    /// The item has an entry in `lost`.
    static let hasLost = Marks(rawValue: 8)
    /// The item has an entry in `earlierByteCounts`.
    static let hasChanged = Marks(rawValue: 16)
    static let wasLeftOut = Marks(rawValue: 32)
    static let wasUnsupported = Marks(rawValue: 64)
  }

  private(set) var items: ListedItems
  package private(set) var count = 0
  private var stretches: [Stretch] = []
  /// By the position, up to the last item that has any.
  private var marks: [Marks] = []
  /// The rows of the previous assets by the position, up to the last item that has one; 0, which SQLite gives no row
  /// of ours, for none.
  private var assets: [Int64] = []
  /// By the index in the listing; few items have an entry.
  private var lost: [UInt32: LostFiles.Parts] = [:]
  /// By the index in the listing; files that have changed have an entry.
  private var earlierByteCounts: [UInt32: Int64] = [:]

  package init(of items: ListedItems) {
    self.items = items
  }

  /// Items that were not listed together.
  package init(_ pending: [PendingItem]) {
    self.init(of: ListedItems(pending.map(\.listed)))
    for (index, item) in pending.enumerated() {
      append(
        itemAt: index,
        number: item.number,
        previousAsset: item.previousAsset,
        earlierByteCount: item.earlierByteCount,
        lost: item.lost,
        getsThumbnailsOnly: item.getsThumbnailsOnly,
        isRewritten: item.isRewritten
      )
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// In memory, without the listing.
  package var byteCount: Int {
    MemoryLayout<Stretch>.stride * stretches.capacity + marks.capacity + 8 * assets.capacity
  }

  /// Where an item is in the listing, and its number.
  private func record(at position: Int) -> (listed: UInt32, number: UInt32) {
    var range = stretches.indices
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range =
        stretches[middle].position <= position
        ? middle..<range.upperBound : range.lowerBound..<middle
    }
    let stretch = stretches[range.lowerBound]
    let offset = UInt32(position) - stretch.position
    // The number of an item of a plan is any.
    return (stretch.listed &+ offset, stretch.number &+ offset)
  }

  private func marks(at position: Int) -> Marks {
    position < marks.count ? marks[position] : []
  }

  private func asset(at position: Int) -> Int64 {
    position < assets.count ? assets[position] : 0
  }

  private mutating func append(
    listed: UInt32,
    number: UInt32,
    asset: Int64,
    marks: Marks
  ) {
    let isNext =
      stretches.last.map { last in
        let offset = UInt32(count) - last.position
        return last.listed &+ offset == listed && last.number &+ offset == number
      } ?? false
    if !isNext {
      stretches.append(Stretch(position: UInt32(count), listed: listed, number: number))
    }
    if asset != 0 {
      assets += repeatElement(0, count: count - assets.count)
      assets.append(asset)
    }
    if !marks.isEmpty {
      self.marks += repeatElement([], count: count - self.marks.count)
      self.marks.append(marks)
    }
    count += 1
  }

  package subscript(position: Int) -> PendingItem {
    let record = record(at: position)
    let (marks, asset) = (marks(at: position), asset(at: position))
    var pending = PendingItem(
      listed: items[Int(record.listed)],
      getsThumbnailsOnly: marks.contains(.getsThumbnailsOnly),
      isRewritten: marks.contains(.isRewritten),
      lost: marks.contains(.hasLost) ? lost[record.listed] : nil,
      previousAsset: asset == 0 ? nil : asset,
      earlierByteCount: marks.contains(.hasChanged) ? earlierByteCounts[record.listed] : nil,
      owner: items.owner(at: Int(record.listed)),
      leader: items.leader(at: Int(record.listed)),
      number: Int(record.number)
    )
    pending.isUndecided = items.isUndecided(at: Int(record.listed))
    pending.isRepeated = !marks.isDisjoint(with: [.wasLeftOut, .hasFailed])
    return pending
  }

  /// The size of an item's file in bytes.
  package func size(at position: Int) -> Int64 {
    items.status(at: index(at: position)).size
  }

  package func path(at position: Int) -> ItemPath { items.path(at: index(at: position)) }

  /// The item of the whole listing, pending or not, that has this path.
  package func listed(_ path: ItemPath) -> ListedItem? { items.item(at: path) }

  /// The items of the whole listing that are sidecars of the file at a path.
  package func sidecars(of path: ItemPath) -> [PendingItem] {
    items.sidecars(of: path).map { listed in
      var pending = PendingItem(listed: listed, owner: path, number: 0)
      pending.isUndecided = items.index(of: listed.path).map(items.isUndecided) ?? false
      return pending
    }
  }

  /// Whether an item is a sidecar by its name.
  package func isSidecar(at position: Int) -> Bool {
    items.isSidecar(at: index(at: position))
  }

  /// The hash of what puts an item into one batch with others.
  package func groupHash(at position: Int) -> Int {
    items.groupHash(at: index(at: position))
  }

  /// Takes out the sidecars that belong to no file of their folder.
  package mutating func takeLoose() -> PendingItems {
    guard items.hasLooseSidecars else { return PendingItems(of: items) }
    var loose = self
    loose.keep { $0.owner == $0.listed.path }
    if !loose.isEmpty { keep { $0.owner != $0.listed.path } }
    return loose
  }

  /// The items of the whole listing that titled folders have as albums, by folder.
  package func members(ofFolders folders: Set<ItemPath>) -> [ItemPath: [ItemPath]] {
    items.takeoutMembers(of: folders)
  }

  /// The index in the listing of an item.
  package func index(at position: Int) -> Int { Int(record(at: position).listed) }

  /// Whether the same file was skipped or unsupported in an earlier run.
  package func wasLeftOut(at position: Int) -> Bool { marks(at: position).contains(.wasLeftOut) }

  /// Adds an item of the listing.
  package mutating func append(
    itemAt index: Int,
    number: Int,
    previousAsset: Int64? = nil,
    earlierByteCount: Int64? = nil,
    lost: LostFiles.Parts? = nil,
    getsThumbnailsOnly: Bool = false,
    isRewritten: Bool = false,
    wasLeftOut: Bool = false,
    wasUnsupported: Bool = false,
    hasFailed: Bool = false
  ) {
    var marks: Marks = []
    if hasFailed { marks.insert(.hasFailed) }
    if wasUnsupported { marks.insert(.wasUnsupported) }
    if wasLeftOut { marks.insert(.wasLeftOut) }
    if getsThumbnailsOnly { marks.insert(.getsThumbnailsOnly) }
    if isRewritten { marks.insert(.isRewritten) }
    if let lost {
      marks.insert(.hasLost)
      self.lost[UInt32(index)] = lost
    }
    if let earlierByteCount {
      marks.insert(.hasChanged)
      earlierByteCounts[UInt32(index)] = earlierByteCount
    }
    append(listed: UInt32(index), number: UInt32(number), asset: previousAsset ?? 0, marks: marks)
  }

  /// The files that a limit chooses among, if only open files tell which come first: those of the whole
  /// listing that can be read, but for some which earlier runs have told apart.
  package func candidates(besides excluded: [ListedPaths]) -> PendingItems {
    var candidates = PendingItems(of: items)
    for index in items.indices where items.reason(at: index) == nil {
      if excluded.contains(where: { $0.contains(itemAt: index) }) { continue }
      candidates.append(itemAt: index, number: 0)
    }
    return candidates
  }

  /// Leaves out the items that are to be imported for the first time and were not chosen; sidecars follow
  /// their files.
  package mutating func leaveOut(where isChosen: (ItemPath, _ group: Int) -> Bool) {
    var items = items
    for position in indices {
      let item = self[position]
      if item.listed.reason == nil, item.owner == nil, item.isNew,
        !isChosen(item.listed.path, item.listed.path.pairingHash)
      {
        items.leaveOut(at: index(at: position), because: .notFetched)
      }
    }
    self.items = items
  }

  /// Whether a file of an item is opened: some are only reported, with a reason.
  package var hasReadable: Bool {
    indices.contains { items.reason(at: index(at: $0)) == nil }
  }

  /// Whether there is an item of which fetch options decide, and which no earlier run found unsupported.
  package var hasNew: Bool {
    indices.contains { position in
      let item = self[position]
      return item.listed.reason == nil && item.owner == nil && item.isNew
        && !marks(at: position).contains(.wasUnsupported)
    }
  }

  /// Gives the pictures that are one stack by their names the number of the first of them: formats of one picture, each
  /// of which is there once, and an edited rendition and its original.
  mutating func shareNumbers() {
    var shared = PendingItems(of: items)
    (shared.lost, shared.earlierByteCounts) = (lost, earlierByteCounts)
    let originals = Set(indices.compactMap { picture(at: $0)?.edited })
    // Of those that are edited alone.
    var numbers: [[UInt8]: UInt32] = [:]
    var last = (key: [UInt8](), number: UInt32(0), ranks: Set<Int>())
    for position in indices {
      let (listed, first) = record(at: position)
      var number = first
      if let picture = picture(at: position) {
        if let rank = picture.rank, picture.own == last.key, last.ranks.insert(rank).inserted {
          number = last.number
        } else {
          let key = picture.edited ?? picture.own
          if originals.contains(key) {
            number = numbers[key] ?? number
            numbers[key] = number
          }
          last = (picture.own, number, picture.rank.map { [$0] } ?? [])
        }
      }
      shared.append(listed: listed, number: number, asset: asset(at: position), marks: marks(at: position))
    }
    self = shared
  }

  /// What an item's name tells of its stack; nil of what is no picture by its name.
  private func picture(at position: Int) -> (own: [UInt8], edited: [UInt8]?, rank: Int?)? {
    let path = path(at: position)
    guard let format = MediaFormat(fileExtension: path.fileExtension), format.mediaType == .image else {
      return nil
    }
    let keys = StackRules.keys(of: path)
    return (keys.own, keys.edited, StackRules.rank(format))
  }

  /// Whether an earlier run found the same file of an item unsupported.
  package var hasUnsupported: Bool { indices.contains { marks(at: $0).contains(.wasUnsupported) } }

  /// Removes the items that are not to be kept.
  ///
  /// - Returns: Their indexes in the listing.
  @discardableResult
  package mutating func keep(where isKept: (PendingItem) throws -> Bool) rethrows -> [UInt32] {
    var removed: [UInt32] = []
    var kept = PendingItems(of: items)
    (kept.lost, kept.earlierByteCounts) = (lost, earlierByteCounts)
    for position in indices {
      let (listed, number) = record(at: position)
      guard try isKept(self[position]) else {
        removed.append(listed)
        continue
      }
      kept.append(listed: listed, number: number, asset: asset(at: position), marks: marks(at: position))
    }
    if !removed.isEmpty { self = kept }
    return removed
  }
}
