import Foundation
import MediaFileSystem
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaListing

@Suite("What a listing holds and finds")
struct ListedItemsTests {
  // MARK: Folders

  private func make(_ paths: [[UInt8]], in root: String) throws {
    for path in paths {
      var folder = try FileSystem.openFolder(Array(root.utf8))
      let parts = path.split(separator: UInt8(ascii: "/")).map(Array.init)
      for part in parts.dropLast() {
        try FileSystem.makeFolder(in: folder, part)
        folder = try FileSystem.openForReading(beneath: folder, part, crossMounts: false, isFolder: true)
      }
      _ = try FileSystem.createFile(in: folder, parts.last ?? [])
    }
  }

  private func walk(_ folder: Descriptor, _ path: [UInt8] = []) throws -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for entry in try FolderEntries(of: folder) {
      if entry.kind == .folder {
        let child = try FileSystem.openForReading(
          beneath: folder,
          entry.name,
          crossMounts: false,
          isFolder: true
        )
        paths += try walk(child, path + entry.name + [UInt8(ascii: "/")])
      } else {
        paths.append(path + entry.name)
      }
    }
    return paths
  }

  @Test("A walk meets every file in the order of the paths' bytes, names of any bytes too")
  func order() throws {
    var random = SeededGenerator()
    // Bytes on both sides of the slash, and some that are no text.
    let letters: [UInt8] = Array("-!0a.A ".utf8) + [0xFF, 0x80, 0x0A]
    var names: Set<[UInt8]> = []
    func name() -> [UInt8] { (0...Int(random.next() % 3)).map { _ in random.pick(letters) } }
    var folders: Set<[UInt8]> = []
    while names.count < 150 {
      var parts = (0...Int(random.next() % 3)).map { _ in name() }
      parts = parts.map { $0.allSatisfy { $0 == UInt8(ascii: ".") } ? [UInt8(ascii: "x")] : $0 }
      let beginnings = (1..<parts.count).map { Array(parts[..<$0].joined(separator: [0x2F])) }
      let whole = Array(parts.joined(separator: [0x2F]))
      if folders.contains(whole) || beginnings.contains(where: names.contains) { continue }
      names.insert(whole)
      folders.formUnion(beginnings)
    }
    let scratch = TemporaryFolder()
    try make(Array(names), in: scratch.path)
    let walked = try walk(FileSystem.openFolder(Array(scratch.path.utf8)))
    #expect(walked == names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  // MARK: Looking up

  @Test("A path is found by its bytes alone, in any block, and so is what begins with some")
  func lookUp() {
    var random = SeededGenerator()
    var paths: Set<ItemPath> = [ItemPath(bytes: [0xFF]), path("caf\u{E9}"), path("cafe\u{301}")]
    while paths.count < 9000 {
      let length = 1 + Int(random.next() % 6)
      paths.insert(ItemPath(bytes: (0..<length).map { _ in random.pick(Array("ab/c".utf8)) }))
      paths.insert(path("n\(random.next() % 100_000)"))
    }
    let sorted = paths.sorted()
    let items = ListedItems(sorted.map { ListedItem(path: $0, status: FileStatus(kind: .regular)) })
    #expect(items.isInOrder)
    for (index, path) in sorted.enumerated() where items.index(of: path) != index {
      Issue.record("\(path.text)")
    }
    #expect(items.index(of: path("a//none")) == nil && items.item(at: path("")) == nil)
    for beginning in ["a", "ab/", "n9", "n99", "caf", "zz", ""] {
      let bytes = Array(beginning.utf8)
      let expected = sorted.indices.filter { sorted[$0].bytes.starts(with: bytes) }
      for limit in [0, 1, 64, .max / 2] {
        let indexes = items.indexes(beginningWith: bytes, limit: limit)
        #expect(indexes == Array(expected.prefix(limit)), "\(beginning) \(limit)")
      }
    }
  }

  @Test("Paths of some items are in the order of the listing, however they are added")
  func paths() {
    let items = listing((0..<10).map { "\($0)" })
    var paths = ListedPaths(of: items)
    for index in [1, 4, 8] { paths.append(itemAt: index) }
    paths.insert(itemsAt: [9, 0, 5])
    #expect(paths.map(\.text) == ["0", "1", "4", "5", "8", "9"])
    for index in 0..<10 {
      #expect(paths.contains(itemAt: index) == [0, 1, 4, 5, 8, 9].contains(index), "\(index)")
    }
    #expect(paths.index(at: 3) == 5)
  }

  // MARK: Plans

  @Test("A file is as planned when it has the size and the time, as far as the plan has them")
  func asPlanned() {
    var items = AssignedItems()
    let planned: [(Int64?, Int64?)] = [(5, 7), (5, nil), (nil, 7), (nil, nil)]
    for (index, (size, modified)) in planned.enumerated() {
      items.append(
        AssignedItem(
          path: path("\(index)"),
          size: size,
          modified: modified,
          number: 10 * index,
          digest: index == 2 ? .md5([1]) : nil,
          isLeftOut: index == 1
        )
      )
      for (otherSize, otherTime) in [(5, 7), (5, 8), (6, 7), (6, 8)] as [(Int64, Int64)] {
        let status = FileStatus(kind: .regular, size: otherSize, modified: otherTime)
        let expected = (size ?? otherSize) == otherSize && (modified ?? otherTime) == otherTime
        #expect(items.isAsPlanned(status, at: index) == expected)
      }
    }
    #expect(items.count == 4 && items.hasLeftOut)
    #expect((0..<4).map { items.number(at: $0) } == [0, 10, 20, 30])
    #expect((0..<4).map { items.isLeftOut(path("\($0)")) } == [false, true, false, false])
    #expect((0..<4).map { items.digest(of: path("\($0)")) } == [nil, nil, .md5([1]), nil])
    #expect(!items.isLeftOut(path("x")) && items.digest(of: path("x")) == nil)
  }

  /// Source: RFC 1321, section A.5; FIPS 180-4 with its examples, of "abc" and a million "a".
  @Test(
    "A file is compared with each kind of digest, piece by piece to its end",
    arguments: [
      (
        "abc", 1, "900150983cd24fb0d6963f7d28e17f72",
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        "a", 1_000_000, "7707d6ae4e027c70eea2a935c2296f21",
        "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
  )
  func digests(text: String, count: Int, md5: String, sha1: String, sha256: String) throws {
    let file = try FileSystem.temporaryFile()
    try file.write(Array(repeatElement(text, count: count).joined().utf8))
    func bytes(_ digits: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(digits)) }
    #expect(try ExpectedDigest.md5(bytes(md5)).isThat(of: file))
    #expect(try ExpectedDigest.sha1(bytes(sha1)).isThat(of: file))
    #expect(try ExpectedDigest.sha256(bytes(sha256)).isThat(of: file))
    try file.write([0])
    #expect(try !ExpectedDigest.md5(bytes(md5)).isThat(of: file))
    #expect(try !ExpectedDigest.sha1(bytes(sha1)).isThat(of: file))
    #expect(try !ExpectedDigest.sha256(bytes(sha256)).isThat(of: file))
  }
}
