internal import Glibc
package import MediaFileSystem
package import MediaModel

/// A file or another item in a source.
package struct ListedItem: Sendable {
  package var path: ItemPath
  package var status: FileStatus
  /// The reason that it must not be opened; nil for a regular file that is opened.
  package var reason: ItemReason?

  package init(path: ItemPath, status: FileStatus, reason: ItemReason? = nil) {
    self.path = path
    self.status = status
    self.reason = reason
  }
}

/// The items of a listing, in some 30 bytes each with the path: a source may have a million files, and an array of
/// ``ListedItem`` takes 200.
package struct ListedItems: RandomAccessCollection, Sendable {
  /// A device and a mount.
  private struct Mount: Hashable {
    var device: UInt64
    var mount: UInt64
  }

  /// So many items are packed together.
  private static let blockCount = 2048

  private var blocks: [PackedItems] = []
  /// By the block, the reasons of its items not to be opened; empty for a block without any.
  private var reasons: [[ItemReason?]] = []
  /// The last items, which are not packed yet.
  private var records: [ListedRecord] = []
  /// The paths of these.
  private var paths: [UInt8] = []
  private var mounts: [Mount] = []
  package private(set) var count = 0

  /// The owners of the sidecars that are read, as indexes by the sidecars' indexes.
  package var owners: [UInt32: UInt32] = [:]
  /// The JSON files that describe files besides their owners, by the indexes of those.
  var describing: [UInt32: UInt32] = [:]
  /// The sidecars of each owner in a Takeout, and elsewhere those whose names do not begin with its stem.
  var sidecarsOfOwners: [UInt32: [UInt32]] = [:]
  /// The sidecars of which their content tells whether they belong to their owner or to another file that they
  /// describe.
  var undecided: Set<UInt32> = []
  /// Whether the source is a Takeout, in which sidecars may belong to no file of their folder.
  package internal(set) var hasLooseSidecars = false

  package init() {}

  package init<Items: Sequence>(_ items: Items) where Items.Element == ListedItem {
    for item in items { append(item) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> ListedItem {
    ListedItem(path: path(at: index), status: status(at: index), reason: reason(at: index))
  }

  package mutating func append(_ item: ListedItem) {
    if records.count == Self.blockCount { pack() }
    let status = item.status
    let mounted = Mount(device: status.device, mount: status.mount)
    // Nearly all items are on the device of the item before.
    let index =
      mounts.last == mounted ? mounts.count - 1 : mounts.lastIndex(of: mounted) ?? mounts.count
    if index == mounts.count { mounts.append(mounted) }
    records.append(
      ListedRecord(
        inode: status.inode,
        size: status.size,
        allocated: status.allocated ?? -1,
        modified: status.modified,
        changed: status.changed,
        linkCount: status.linkCount,
        mountIndex: UInt32(index),
        start: UInt32(paths.count),
        kind: status.kind,
        reason: item.reason
      )
    )
    paths += item.path.bytes
    count += 1
  }

  private mutating func pack() {
    blocks.append(PackedItems(records, paths: paths))
    reasons.append(records.allSatisfy { $0.reason == nil } ? [] : records.map(\.reason))
    records.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
  }

  /// In memory, without what is known of sidecars.
  package var byteCount: Int {
    blocks.reduce(paths.capacity + records.capacity * MemoryLayout<ListedRecord>.stride) {
      $0 + $1.byteCount
    } + reasons.reduce(0) { $0 + $1.capacity }
  }

  /// The number of packed items.
  private var packedCount: Int { blocks.count * Self.blockCount }

  /// Gives an item a reason not to be opened.
  package mutating func leaveOut(at index: Int, because reason: ItemReason) {
    guard index < packedCount else { return records[index - packedCount].reason = reason }
    let block = index / Self.blockCount
    if reasons[block].isEmpty {
      reasons[block] = [ItemReason?](repeating: nil, count: Self.blockCount)
    }
    reasons[block][index % Self.blockCount] = reason
  }

  // MARK: Parts of an item, without making the whole

  package func status(at index: Int) -> FileStatus {
    let record = record(at: index)
    let mounted = mounts[Int(record.mountIndex)]
    var status = FileStatus(
      kind: record.kind,
      device: mounted.device,
      inode: record.inode,
      mount: mounted.mount,
      size: record.size,
      modified: record.modified,
      changed: record.changed,
      linkCount: record.linkCount
    )
    if record.allocated >= 0 { status.allocated = record.allocated }
    return status
  }

  package func reason(at index: Int) -> ItemReason? {
    guard index < packedCount else { return records[index - packedCount].reason }
    let block = index / Self.blockCount
    return reasons[block].isEmpty ? nil : reasons[block][index % Self.blockCount]
  }

  package func path(at index: Int) -> ItemPath {
    ItemPath(bytes: withPath(at: index) { [UInt8]($0) })
  }

  /// The item of a path, in a listing that is in the order of the paths' bytes; nil when it has none.
  package func item(at path: ItemPath) -> ListedItem? { index(of: path).map { self[$0] } }

  /// The index of a path's item, in a listing that is in the order of the paths' bytes; nil when it has none.
  package func index(of path: ItemPath) -> Int? {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = compare(at: middle, with: path)
      if order == 0 { return middle }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The indexes of the first items whose paths begin with some bytes, in a listing that is in the order of
  /// the paths' bytes.
  package func indexes(beginningWith beginning: [UInt8], limit: Int) -> [Int] {
    let first = ItemPath(bytes: beginning)
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        compare(at: middle, with: first) < 0
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    var matches: [Int] = []
    for index in range.lowerBound..<Swift.min(count, range.lowerBound + limit) {
      guard withPath(at: index, { $0.starts(with: beginning) }) else { break }
      matches.append(index)
    }
    return matches
  }

  /// The number of items that end for this reason.
  package func count(of reason: ItemReason) -> Int {
    reasons.reduce(records.count { $0.reason == reason }) { sum, block in
      sum + block.count { $0 == reason }
    }
  }

  /// Compares the path of an item with another one by their bytes: negative when it comes before, 0 when
  /// it is the same, positive when it comes behind.
  package func compare(at index: Int, with path: ItemPath) -> Int {
    path.bytes.withUnsafeBytes { other in
      index < packedCount
        ? blocks[index / Self.blockCount].compare(at: index % Self.blockCount, with: other)
        : withPath(at: index) { Self.compare($0, other) }
    }
  }

  /// Whether each path comes before the next one.
  package var isInOrder: Bool {
    var previous: [UInt8] = []
    return indices.allSatisfy { index in
      withPath(at: index) { path in
        let isBehind = index == 0 || previous.withUnsafeBytes { Self.compare($0, path) < 0 }
        previous.removeAll(keepingCapacity: true)
        previous.append(contentsOf: path)
        return isBehind
      }
    }
  }

  private func record(at index: Int) -> ListedRecord {
    index < packedCount
      ? blocks[index / Self.blockCount][index % Self.blockCount] : records[index - packedCount]
  }

  package func withPath<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    if index < packedCount {
      return blocks[index / Self.blockCount].withPath(at: index % Self.blockCount, body)
    }
    let number = index - packedCount
    let start = Int(records[number].start)
    let end = number + 1 < records.count ? Int(records[number + 1].start) : paths.count
    return paths.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  static func compare(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer
  ) -> Int {
    let count = Swift.min(left.count, right.count)
    if count > 0, let start = left.baseAddress, let rightStart = right.baseAddress {
      let order = memcmp(start, rightStart, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}

/// Paths of some items of a listing, in its order.
package struct ListedPaths: RandomAccessCollection, Sendable {
  private let items: ListedItems
  private var indexes: [UInt32] = []

  package init(of items: ListedItems) {
    self.items = items
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { indexes.count }

  package subscript(position: Int) -> ItemPath { items.path(at: Int(indexes[position])) }

  /// The index of a path's item in the listing.
  package func index(at position: Int) -> Int { Int(indexes[position]) }

  /// Whether an item of the listing is among them.
  package func contains(itemAt index: Int) -> Bool {
    var range = indexes.startIndex..<indexes.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if indexes[middle] == index { return true }
      range =
        indexes[middle] < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  /// Adds the path of an item that is behind those that are there.
  package mutating func append(itemAt index: Int) { indexes.append(UInt32(index)) }

  /// Adds paths of items anywhere.
  package mutating func insert(itemsAt added: [UInt32]) {
    indexes = (indexes + added).sorted()
  }
}
