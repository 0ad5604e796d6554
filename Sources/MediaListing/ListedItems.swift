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

/// The items of a listing, in some 60 bytes each besides the path: a source may have a million files, and
/// an array of ``ListedItem`` takes 200.
package struct ListedItems: RandomAccessCollection, Sendable {
  private struct Record {
    var inode: UInt64
    var size: Int64
    /// Negative when the kernel has not reported it.
    var allocated: Int64
    var modified: Int64
    var changed: Int64
    var linkCount: UInt32
    /// Index into `places`.
    var place: UInt32
    /// Where its path begins in the block's paths; it ends where the next one begins.
    var start: UInt32
    var kind: FileStatus.Kind
    var reason: ItemReason?
  }

  /// A device and a mount.
  private struct Place: Hashable {
    var device: UInt64
    var mount: UInt64
  }

  /// So many items are in one block: to grow, a single array would have to be there twice.
  private static let blockCount = 4096

  private struct Block {
    var records: [Record] = []
    var paths: [UInt8] = []
  }

  /// The bytes that an item takes besides its path.
  package static let byteCountOfItem = MemoryLayout<Record>.stride

  private var blocks: [Block] = []
  private var places: [Place] = []
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
  /// The arrangement of the source, which tells what is a sidecar by its name.
  var layout = SourceLayout.folder

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
    if count % Self.blockCount == 0 { blocks.append(Block()) }
    let status = item.status
    let place = Place(device: status.device, mount: status.mount)
    // Nearly all items are on the device of the item before.
    let index =
      places.last == place ? places.count - 1 : places.lastIndex(of: place) ?? places.count
    if index == places.count { places.append(place) }
    let last = blocks.count - 1
    blocks[last].records.append(
      Record(
        inode: status.inode,
        size: status.size,
        allocated: status.allocated ?? -1,
        modified: status.modified,
        changed: status.changed,
        linkCount: status.linkCount,
        place: UInt32(index),
        start: UInt32(blocks[last].paths.count),
        kind: status.kind,
        reason: item.reason
      )
    )
    blocks[last].paths += item.path.bytes
    count += 1
  }

  /// Gives an item a reason not to be opened.
  package mutating func leaveOut(at index: Int, because reason: ItemReason) {
    blocks[index / Self.blockCount].records[index % Self.blockCount].reason = reason
  }

  // MARK: Parts of an item, without making the whole

  package func status(at index: Int) -> FileStatus {
    let record = record(at: index)
    let place = places[Int(record.place)]
    var status = FileStatus(
      kind: record.kind,
      device: place.device,
      inode: record.inode,
      mount: place.mount,
      size: record.size,
      modified: record.modified,
      changed: record.changed,
      linkCount: record.linkCount
    )
    if record.allocated >= 0 { status.allocated = record.allocated }
    return status
  }

  package func reason(at index: Int) -> ItemReason? { record(at: index).reason }

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
    var found: [Int] = []
    for index in range.lowerBound..<Swift.min(count, range.lowerBound + limit) {
      guard withPath(at: index, { $0.starts(with: beginning) }) else { break }
      found.append(index)
    }
    return found
  }

  /// The number of items that end for this reason.
  package func count(of reason: ItemReason) -> Int {
    blocks.reduce(0) { $0 + $1.records.count { $0.reason == reason } }
  }

  /// Compares the path of an item with another one by their bytes: negative when it comes before, 0 when
  /// it is the same, positive when it comes behind.
  package func compare(at index: Int, with path: ItemPath) -> Int {
    withPath(at: index) { own in path.bytes.withUnsafeBytes { Self.compare(own, $0) } }
  }

  /// Whether each path comes before the next one.
  package var isInOrder: Bool {
    indices.dropFirst().allSatisfy { index in
      withPath(at: index - 1) { one in withPath(at: index) { Self.compare(one, $0) < 0 } }
    }
  }

  private func record(at index: Int) -> Record {
    blocks[index / Self.blockCount].records[index % Self.blockCount]
  }

  package func withPath<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let block = blocks[index / Self.blockCount]
    let place = index % Self.blockCount
    let start = Int(block.records[place].start)
    let end =
      place + 1 < block.records.count ? Int(block.records[place + 1].start) : block.paths.count
    return block.paths.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
    }
  }

  private static func compare(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer
  ) -> Int {
    let count = Swift.min(one.count, other.count)
    if count > 0, let start = one.baseAddress, let otherStart = other.baseAddress {
      let order = memcmp(start, otherStart, count)
      if order != 0 { return Int(order) }
    }
    return one.count - other.count
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
