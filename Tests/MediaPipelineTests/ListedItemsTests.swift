import MediaFileSystem
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary
@testable import MediaPipeline
@testable import MediaSources

@Suite("Lists of a million files")
struct ListedItemsTests {
  /// Items with every kind of value, over more than two blocks.
  private func items(_ count: Int, _ random: inout SeededGenerator) -> [ListedItem] {
    (0..<count).map { index in
      let isSpecial = index % 7 == 0
      var status = FileStatus(
        kind: isSpecial ? [.folder, .symbolicLink, .other][index % 3] : .regular,
        device: UInt64(index % 5 == 0 ? index % 3 : 1),
        inode: isSpecial ? .max : UInt64(index),
        mount: UInt64(index % 11 == 0 ? 2 : 0),
        size: isSpecial ? .max : Int64(random.next() % 1000),
        modified: isSpecial ? .min : Int64(index),
        changed: Int64(bitPattern: random.next()),
        linkCount: UInt32(index % 4)
      )
      if index % 2 == 0 { status.allocated = Int64(index) }
      let name = String(repeating: "n", count: Int(random.next() % 20)) + String(index)
      return ListedItem(
        path: ItemPath(bytes: bytes(index == 100 ? "" : name)),
        status: status,
        reason: isSpecial ? ItemReason.allCases[index % ItemReason.allCases.count] : nil
      )
    }
  }

  private func expectSame(_ item: ListedItem, _ other: ListedItem) {
    #expect(item.path == other.path)
    #expect(item.status == other.status)
    #expect(item.reason == other.reason)
  }

  @Test("Every item comes back as it was, from any block")
  func roundTrip() {
    var random = SeededGenerator()
    let expected = items(9000, &random)
    let listed = ListedItems(expected)
    #expect(listed.count == 9000)
    for (index, item) in expected.enumerated() {
      let same =
        listed[index].path == item.path && listed[index].status == item.status
        && listed[index].reason == item.reason && listed.path(at: index) == item.path
      if !same { expectSame(listed[index], item) }
      let other = expected[Int(random.next() % 9000)].path
      let order = listed.compare(at: index, with: other)
      #expect((order < 0) == (item.path < other) && (order == 0) == (item.path == other))
    }
    for reason in ItemReason.allCases {
      #expect(listed.count(of: reason) == expected.count { $0.reason == reason })
    }
    #expect(!listed.isInOrder)
    #expect(ListedItems(expected.sorted { $0.path < $1.path }).isInOrder)
    #expect(!ListedItems([expected[1], expected[1]]).isInOrder)
  }

  @Test("A new file among a hundred thousand of a card takes at most 34 bytes, with its path")
  func size() {
    var random = SeededGenerator()
    let items = (0..<100_000).map { index in
      let taken = 1_700_000_000_000_000_000 + Int64(index) * 40_000_000_000
      let size = Int64(2_000_000 + random.next() % 9_000_000)
      var status = FileStatus(
        kind: .regular,
        device: 64,
        inode: 1_000_000 + UInt64(index),
        mount: 30,
        size: size,
        modified: taken,
        changed: 1_763_000_000_000_000_000 + Int64(index) * 2_345_678 + Int64(random.next() % 999),
        linkCount: 1
      )
      status.allocated = (size + 4095) / 4096 * 4096
      let path = "DCIM/\(100 + index / 1000)CANON/IMG_\(100_000 + index).JPG"
      return ListedItem(path: ItemPath(bytes: bytes(path)), status: status)
    }
    let listed = ListedItems(items)
    #expect(listed.isInOrder)
    for index in stride(from: 0, to: items.count, by: 777) {
      expectSame(listed[index], items[index])
    }
    var pending = PendingItems(of: listed)
    for index in listed.indices { pending.append(itemAt: index, number: index + 1) }
    #expect(pending.index(at: 99_999) == 99_999)
    #expect(listed.byteCount + pending.byteCount <= 34 * items.count)
  }

  @Test("Each item is found by its path in any block, and no other path")
  func isFound() {
    var random = SeededGenerator()
    let paths = Set(
      (0..<9000).map { _ in
        "\(["", "a/", "a/b/", "ab/", "a-/"][Int(random.next() % 5)])\(random.next() % 100_000)"
      }
    ).map { ItemPath(bytes: bytes($0)) }.sorted()
    let pathSet = Set(paths)
    let listed = ListedItems(paths.map { ListedItem(path: $0, status: FileStatus(kind: .regular)) })
    for (index, path) in paths.enumerated() where index % 7 == 0 {
      #expect(listed.index(of: path) == index)
      let others = [path.bytes + [0x30], Array(path.bytes.dropLast()), Array(path.folder)]
      for other in others.map({ ItemPath(bytes: $0) }) {
        #expect((listed.index(of: other) != nil) == pathSet.contains(other))
        #expect((listed.compare(at: index, with: other) < 0) == (path < other))
      }
      let beginning = Array(path.bytes.prefix(2))
      let first = listed.indexes(beginningWith: beginning, limit: 1).first
      #expect(first == paths.firstIndex { $0.bytes.starts(with: beginning) })
    }
  }

  @Test("A reason that is given later is kept, in any block, and a copy is not changed")
  func reasons() {
    var listed = ListedItems(
      (0..<5000).map { index in
        ListedItem(path: ItemPath(bytes: bytes("\(index)")), status: FileStatus(kind: .regular))
      }
    )
    let copy = listed
    for index in [0, 17, 2047, 2048, 4999] { listed.leaveOut(at: index, because: .notFetched) }
    #expect(listed.indices.filter { listed.reason(at: $0) != nil } == [0, 17, 2047, 2048, 4999])
    #expect(listed.count(of: .notFetched) == 5)
    #expect(copy.count(of: .notFetched) == 0)
  }

  @Test("Pending items come back as they were, and so do those that are kept")
  func keeps() {
    var random = SeededGenerator()
    var expected = items(5000, &random).enumerated().map { index, listed in
      var item = PendingItem(listed: listed, number: index + 1)
      item.getsThumbnailsOnly = index % 2 == 0
      item.isRewritten = index % 3 == 0
      if index % 7 == 0 { item.previousAsset = Int64(index + 1) }
      if index % 11 == 0 { item.earlierByteCount = Int64(index) }
      if index % 100 == 0 { item.lost = LostFiles.Parts(originals: ["a\(index)"]) }
      return item
    }
    var pending = PendingItems(expected)
    expectSame(pending, expected)
    let removed = pending.keep { $0.number % 3 != 1 }
    #expect(removed == expected.indices.filter { $0 % 3 == 0 }.map { UInt32($0) })
    expected.removeAll { $0.number % 3 == 1 }
    expectSame(pending, expected)
  }

  private func expectSame(_ pending: PendingItems, _ expected: [PendingItem]) {
    #expect(pending.count == expected.count)
    for (position, (actual, wanted)) in zip(pending, expected).enumerated() {
      let isSame =
        actual.listed.path == wanted.listed.path && actual.listed.status == wanted.listed.status
        && actual.getsThumbnailsOnly == wanted.getsThumbnailsOnly
        && actual.isRewritten == wanted.isRewritten && actual.lost == wanted.lost
        && actual.previousAsset == wanted.previousAsset
        && actual.earlierByteCount == wanted.earlierByteCount && actual.number == wanted.number
        && pending.size(at: position) == wanted.listed.status.size
        && pending.path(at: position) == wanted.listed.path
      #expect(isSame, "\(position)")
    }
  }

  @Test(
    "Groups are those that a dictionary of the keys gives, whatever is left out",
    arguments: 0..<8
  )
  func groups(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let limit = [1, 2, 3, 64][seed % 4]
    let items = (0..<400).map { _ in
      pending(
        "d\(random.next() % 3)/\(random.next() % 90 < 20 ? "X" : "x\(random.next() % 60)")"
          + [".jpg", ".MOV", ".heic"][Int(random.next() % 3)]
      )
    }
    var expected: [[UInt32]] = []
    var groupIndexes: [[UInt8]: Int] = [:]
    for (index, item) in items.enumerated() {
      let key = item.listed.path.pairingKey
      if let group = groupIndexes[key], expected[group].count < limit {
        expected[group].append(UInt32(index))
      } else {
        groupIndexes[key] = expected.count
        expected.append([UInt32(index)])
      }
    }
    var groups = ItemGroups(of: PendingItems(items), limit: limit)
    for group in expected.prefix(50) {
      #expect(Array(groups.first) == group)
      groups.dropFirst()
    }
    let remaining = expected.dropFirst(50).map { $0.filter { $0 % 3 != 0 } }.filter { !$0.isEmpty }
    let count = expected.dropFirst(50).joined().count
    #expect(groups.keep { $0 % 3 != 0 } == count - remaining.joined().count)
    for group in remaining {
      #expect(!groups.isAtEnd)
      #expect(Array(groups.first) == group)
      groups.dropFirst()
    }
    #expect(groups.isAtEnd)
    #expect(groups.first.isEmpty)
  }
}
