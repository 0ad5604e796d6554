internal import MediaFileSystem
internal import MediaModel

/// Some items of a listing, packed: what neighbors have in common, such as their folder, is there once.
///
/// A class, so that a look at one item does not copy a structure of twelve arrays.
final class PackedItems: Sendable {
  private let inodes: PackedNumbers
  private let sizes: PackedNumbers
  private let allocated: PackedNumbers
  private let modified: PackedNumbers
  private let changed: PackedNumbers
  /// Whether these are the times behind those of modification, which are shorter for files that were not touched since;
  /// for copies that keep their old times the times themselves are.
  private let isChangedBehind: Bool
  private let linkCounts: PackedNumbers
  private let mounts: PackedNumbers
  private let kinds: [FileStatus.Kind]

  /// The folders of the items, each once for items side by side, with the slash behind them, one after the other.
  private let folders: [UInt8]
  private let folderEnds: [UInt32]
  /// Indexes into `folderEnds`.
  private let folderIndexes: PackedNumbers
  /// The last parts of the paths, one after the other.
  private let names: [UInt8]
  private let nameCounts: PackedNumbers
  /// Where every 16th name begins.
  private let nameStarts: [UInt32]

  private static let namesOfStart = 16

  /// - Parameters:
  ///   - records: The items without their paths.
  ///   - paths: Their paths, one after the other.
  init(_ records: [ListedRecord], paths: [UInt8]) {
    func packed(_ number: (ListedRecord) -> Int64) -> PackedNumbers {
      PackedNumbers(records.map(number))
    }
    inodes = packed { Int64(bitPattern: $0.inode) }
    sizes = packed { $0.size }
    allocated = packed { $0.allocated }
    modified = packed { $0.modified }
    let changed = packed { $0.changed }
    let behind = packed { $0.changed &- $0.modified }
    isChangedBehind = behind.byteCount < changed.byteCount
    self.changed = isChangedBehind ? behind : changed
    linkCounts = packed { Int64($0.linkCount) }
    mounts = packed { Int64($0.mountIndex) }
    kinds = records.allSatisfy { $0.kind == .regular } ? [] : records.map(\.kind)
    let parts = records.indices.map { index in
      let start = Int(records[index].start)
      let end = index + 1 < records.count ? Int(records[index + 1].start) : paths.count
      let slash = paths[start..<end].lastIndex(of: UInt8.slash)
      let name = slash.map { $0 + 1 } ?? start
      return (folder: start..<name, name: name..<end)
    }
    var (folders, ends, indexes): ([UInt8], [UInt32], [Int64]) = ([], [], [])
    var last: Range<Int>?
    for part in parts {
      if last.map({ !paths[$0].elementsEqual(paths[part.folder]) }) ?? true {
        folders += paths[part.folder]
        ends.append(UInt32(folders.count))
      }
      last = part.folder
      indexes.append(Int64(ends.count - 1))
    }
    (self.folders, folderEnds, folderIndexes) = (folders, ends, PackedNumbers(indexes))
    var (names, starts): ([UInt8], [UInt32]) = ([], [])
    names.reserveCapacity(parts.reduce(0) { $0 + $1.name.count })
    for (index, part) in parts.enumerated() {
      if index % Self.namesOfStart == 0 { starts.append(UInt32(names.count)) }
      names += paths[part.name]
    }
    (self.names, nameStarts) = (names, starts)
    nameCounts = PackedNumbers(parts.map { Int64($0.name.count) })
  }

  /// An item without its reason; the path is asked for by ``withPath(at:_:)``.
  subscript(index: Int) -> ListedRecord {
    let (modified, changed) = (modified[index], changed[index])
    return ListedRecord(
      inode: UInt64(bitPattern: inodes[index]),
      size: sizes[index],
      allocated: allocated[index],
      modified: modified,
      changed: isChangedBehind ? modified &+ changed : changed,
      linkCount: UInt32(truncatingIfNeeded: linkCounts[index]),
      mountIndex: UInt32(truncatingIfNeeded: mounts[index]),
      start: 0,
      kind: kinds.isEmpty ? .regular : kinds[index]
    )
  }

  private func name(at index: Int) -> Range<Int> {
    let first = index / Self.namesOfStart
    var start = Int(nameStarts[first])
    for other in first * Self.namesOfStart..<index { start += Int(nameCounts[other]) }
    return start..<start + Int(nameCounts[index])
  }

  private func folder(at index: Int) -> Range<Int> {
    let folder = Int(folderIndexes[index])
    return (folder == 0 ? 0 : Int(folderEnds[folder - 1]))..<Int(folderEnds[folder])
  }

  /// Calls `body` with the bytes of a folder and of a name.
  private func withParts<Value>(
    at index: Int,
    _ body: (_ folder: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Value
  ) -> Value {
    folders.withUnsafeBytes { folders in
      names.withUnsafeBytes { names in
        body(
          UnsafeRawBufferPointer(rebasing: folders[folder(at: index)]),
          UnsafeRawBufferPointer(rebasing: names[name(at: index)])
        )
      }
    }
  }

  /// Calls `body` with the bytes of a path, which are there as long as it runs.
  func withPath<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withParts(at: index) { folder, name in
      if folder.isEmpty { return body(name) }
      let count = folder.count + name.count
      return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { path in
        path.copyMemory(from: folder)
        UnsafeMutableRawBufferPointer(rebasing: path[folder.count...]).copyMemory(from: name)
        return body(UnsafeRawBufferPointer(path))
      }
    }
  }

  /// Compares a path with other bytes, as ``ListedItems/compare(_:_:)``, without making it.
  func compare(at index: Int, with other: UnsafeRawBufferPointer) -> Int {
    withParts(at: index) { folder, name in
      let head = UnsafeRawBufferPointer(rebasing: other.prefix(folder.count))
      let order = ListedItems.compare(folder, head)
      if order != 0 { return order }
      let tail = UnsafeRawBufferPointer(rebasing: other.dropFirst(folder.count))
      return ListedItems.compare(name, tail)
    }
  }

  /// In memory.
  var byteCount: Int {
    let numbers = [
      inodes, sizes, allocated, modified, changed, linkCounts, mounts, folderIndexes, nameCounts,
    ]
    return (numbers.count + 2) * MemoryLayout<PackedNumbers>.stride
      + numbers.reduce(0) { $0 + $1.byteCount } + kinds.capacity
      + names.capacity + folders.capacity
      + 4 * (nameStarts.capacity + folderEnds.capacity)
  }
}

/// A listed item besides its path.
struct ListedRecord: Sendable {
  var inode: UInt64
  var size: Int64
  /// Negative when the kernel has not reported it.
  var allocated: Int64
  var modified: Int64
  var changed: Int64
  var linkCount: UInt32
  /// Index into the listing's places.
  var mountIndex: UInt32
  /// Where its path begins in the paths of the items beside it; it ends where the next one begins.
  var start: UInt32
  var kind: FileStatus.Kind
  var reason: ItemReason?
}
