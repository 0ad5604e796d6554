import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// The tree goes on from wherever the catalogue last knew it.
struct TreeGrowthTests {
  @Test("From every record on, the tree of the whole log is the same, and so are its blocks")
  func everyPosition() throws {
    let log = try SampleLog(itemsPerRun: 90, tornBytes: 40, runs: 3)
    let home = TemporaryFolder()
    for file in log.files { try writeFile(home.path + "/" + file.name, file.bytes) }
    let descriptor = try openFolder(home.path)
    defer { closeFile(descriptor) }
    let folder = AuditFolder(descriptor: descriptor)
    let last = try #require(AuditTree(encoded: log.trees[2]))
    var whole = try folder.tree(from: nil)
    #expect(whole.head == last.head && whole.encoded == last.encoded)
    let blocks = whole.takeCompleted()
    #expect(blocks == log.blocks && blocks.count == last.frontier.size / 256)

    var tree = AuditTree()
    for (index, file) in log.files.enumerated() {
      var offset = 0
      for (number, line) in log.lines(index).enumerated() where line.last == UInt8(ascii: "\n") {
        let digest = line.dropLast().withUnsafeBytes { HashedRecord.Digest($0) }
        let hashed = try #require(digest)
        tree.append(
          leaf: hashed.leaf,
          keys: hashed.keys,
          at: RecordPosition(file: index + 1, line: number + 1, offset: offset),
          length: line.count
        )
        offset += line.count
        // Around the edges of blocks and files, and some between.
        let size = tree.frontier.size
        guard size % 41 == 0 || (size + 2) % 256 < 4 || number < 2 else { continue }
        var grown = try folder.tree(from: tree.encoded)
        #expect(grown.encoded == last.encoded, "\(size) records, \(file.name)")
        let new = grown.takeCompleted()
        #expect(new == blocks.filter { ($0.number + 1) * 256 > size }, "\(size) records")
      }
    }
    #expect(tree.encoded == last.encoded)
  }

  @Test("A log that is not what the tree was made of does not change the tree")
  func changedLog() throws {
    let log = try SampleLog(itemsPerRun: 30, runs: 2)
    let scratch = TemporaryFolder()
    var bytes = log.files[1].bytes
    // A digit of the last record's time, so that it stays a record.
    bytes[bytes.count - 6] ^= 1
    try writeFile(scratch.path + "/" + log.files[0].name, log.files[0].bytes)
    try writeFile(scratch.path + "/" + log.files[1].name, bytes)
    let descriptor = try openFolder(scratch.path)
    defer { closeFile(descriptor) }
    let folder = AuditFolder(descriptor: descriptor)
    #expect(try folder.tree(from: log.trees[1]).head == AuditTree(encoded: log.trees[1])?.head)
    try writeFile(scratch.path + "/" + log.files[1].name, [])
    #expect(try folder.tree(from: log.trees[1]).head == AuditTree(encoded: log.trees[1])?.head)
  }

  @Test("Bytes that are no tree are none")
  func malformed() throws {
    let log = try SampleLog(itemsPerRun: 3)
    for count in 0..<log.trees[1].count {
      #expect(AuditTree(encoded: Array(log.trees[1][..<count])) == nil, "\(count) bytes")
    }
    #expect(AuditTree(encoded: log.trees[1] + [0]) == nil)
    #expect(TreeFrontier(encoded: [0x80, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }
}
