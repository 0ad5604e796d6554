package import MediaModel

extension AuditBlock {
  /// The number of records in a block.
  static let recordCount = 1 << level
  static let level = 8
}

/// The Merkle tree over all records of a library, as it grows.
package struct AuditTree: Sendable {
  package private(set) var frontier: TreeFrontier
  /// The position of the first record in the block that is not complete yet.
  private(set) var blockStart: RecordPosition
  /// The position at which a next record would begin, in the same file.
  private(set) var end: RecordPosition
  private var keys: Set<UInt32> = []
  private var completed: [AuditBlock] = []

  /// A tree without records.
  package init() {
    frontier = TreeFrontier()
    blockStart = RecordPosition(file: 0, line: 1, offset: 0)
    end = blockStart
  }

  /// The tree that ``encoded`` wrote; nil for other bytes. By what the records of its last block are
  /// found is not known then.
  package init?(encoded bytes: [UInt8]) {
    let numbers = stride(from: 0, to: min(48, bytes.count - 7), by: 8).compactMap { start in
      bytes[start] < 0x80 ? bytes[start..<(start + 8)].reduce(0) { $0 << 8 | Int($1) } : nil
    }
    guard numbers.count == 6, let frontier = TreeFrontier(encoded: Array(bytes[48...])) else {
      return nil
    }
    self.frontier = frontier
    blockStart = RecordPosition(file: numbers[0], line: numbers[1], offset: numbers[2])
    end = RecordPosition(file: numbers[3], line: numbers[4], offset: numbers[5])
  }

  /// The encoding in the catalogue: two positions of three times 8 bytes, then the frontier.
  package var encoded: [UInt8] {
    [blockStart, end].flatMap { [$0.file, $0.line, $0.offset] }.flatMap { value in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    } + frontier.encoded
  }

  package var head: AuditTreeHead { AuditTreeHead(size: frontier.size, root: frontier.root) }

  /// The tree up to its last whole block.
  var atBlockStart: AuditTree {
    var tree = self
    tree.frontier = frontier.truncated(level: AuditBlock.level)
    if tree.frontier.size < frontier.size { tree.end = blockStart }
    tree.keys = []
    tree.completed = []
    return tree
  }

  /// Adds a record whose line, newline included, has `length` bytes.
  mutating func append(leaf: RecordHash, keys: LookupKeys, at position: RecordPosition, length: Int) {
    if frontier.size % AuditBlock.recordCount == 0 { blockStart = position }
    end = RecordPosition(file: position.file, line: position.line + 1, offset: position.offset + length)
    for key in [keys.asset, keys.path] where key != 0 { self.keys.insert(key) }
    guard let hash = frontier.append(leaf: leaf, completing: AuditBlock.level) else { return }
    completed.append(
      AuditBlock(
        number: frontier.size / AuditBlock.recordCount - 1,
        start: blockStart,
        hash: hash.bytes,
        keys: self.keys.sorted().flatMap { key in
          (0..<4).reversed().map { UInt8(truncatingIfNeeded: key >> ($0 * 8)) }
        }
      )
    )
    self.keys.removeAll(keepingCapacity: true)
  }

  /// The blocks that became whole since the last call.
  package mutating func takeCompleted() -> [AuditBlock] {
    defer { completed = [] }
    return completed
  }
}
