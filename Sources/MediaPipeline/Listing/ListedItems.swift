internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// The items of a listing, in some 60 bytes each besides the path: a source may have a million files, and
/// an array of ``ListedItem`` takes 200.
struct ListedItems: RandomAccessCollection, Sendable {
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
  static let byteCountOfItem = MemoryLayout<Record>.stride

  private var blocks: [Block] = []
  private var places: [Place] = []
  private(set) var count = 0

  /// The owners of the sidecars that are read, as indexes by the sidecars' indexes.
  var owners: [UInt32: UInt32] = [:]

  init() {}

  init<Items: Sequence>(_ items: Items) where Items.Element == ListedItem {
    for item in items { append(item) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> ListedItem {
    ListedItem(path: path(at: index), status: status(at: index), reason: reason(at: index))
  }

  mutating func append(_ item: ListedItem) {
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
  mutating func leaveOut(at index: Int, because reason: ItemReason) {
    blocks[index / Self.blockCount].records[index % Self.blockCount].reason = reason
  }

  // MARK: Parts of an item, without making the whole

  func status(at index: Int) -> FileStatus {
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

  func reason(at index: Int) -> ItemReason? { record(at: index).reason }

  func path(at index: Int) -> ItemPath {
    ItemPath(bytes: withPath(at: index) { [UInt8]($0) })
  }

  /// The item of a path, in a listing that is in the order of the paths' bytes; nil when it has none.
  func item(at path: ItemPath) -> ListedItem? {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = compare(at: middle, with: path)
      if order == 0 { return self[middle] }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The number of items that end for this reason.
  func count(of reason: ItemReason) -> Int {
    blocks.reduce(0) { $0 + $1.records.count { $0.reason == reason } }
  }

  /// Compares the path of an item with another one by their bytes: negative when it comes before, 0 when
  /// it is the same, positive when it comes behind.
  func compare(at index: Int, with path: ItemPath) -> Int {
    withPath(at: index) { own in path.bytes.withUnsafeBytes { Self.compare(own, $0) } }
  }

  /// Whether each path comes before the next one.
  var isInOrder: Bool {
    indices.dropFirst().allSatisfy { index in
      withPath(at: index - 1) { one in withPath(at: index) { Self.compare(one, $0) < 0 } }
    }
  }

  private func record(at index: Int) -> Record {
    blocks[index / Self.blockCount].records[index % Self.blockCount]
  }

  func withPath<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
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
struct ListedPaths: RandomAccessCollection, Sendable {
  private let items: ListedItems
  private var indexes: [UInt32] = []

  init(of items: ListedItems) {
    self.items = items
  }

  var startIndex: Int { 0 }
  var endIndex: Int { indexes.count }

  subscript(position: Int) -> ItemPath { items.path(at: Int(indexes[position])) }

  /// The index of a path's item in the listing.
  func index(at position: Int) -> Int { Int(indexes[position]) }

  /// Whether an item of the listing is among them.
  func contains(itemAt index: Int) -> Bool {
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
  mutating func append(itemAt index: Int) { indexes.append(UInt32(index)) }

  /// Adds paths of items anywhere.
  mutating func insert(itemsAt added: [UInt32]) {
    indexes = (indexes + added).sorted()
  }
}
