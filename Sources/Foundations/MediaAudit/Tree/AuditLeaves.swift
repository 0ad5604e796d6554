internal import MediaModel

/// The records of a log by their numbers, and the roots of their subtrees, without reading the rest.
struct AuditLeaves {
  let folder: AuditFolder
  /// Whole blocks, in their order.
  let blocks: [AuditBlock]
  let tree: AuditTree
  private let files: [AuditFileName]

  /// One record with its line in the log.
  struct Record {
    let index: Int
    let file: AuditFileName
    /// Without the newline.
    let line: [UInt8]
    let leaf: RecordHash
  }

  /// `encoded` is the catalogue's tree, `blocks` what it has of it; without, the whole log is read.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  init(
    folder: AuditFolder,
    blocks: [AuditBlock],
    tree encoded: [UInt8]?
  ) throws(AuditError) {
    self.folder = folder
    files = try folder.files()
    var tree = try folder.tree(from: encoded)
    let new = tree.takeCompleted()
    // Blocks that were read again replace those that a killed run had entered.
    let first = new.first?.number ?? tree.frontier.size / AuditBlock.recordCount
    self.blocks = blocks.filter { $0.number < first } + new
    self.tree = tree
  }

  var size: Int { tree.frontier.size }

  /// The records of a block, 256 but in the last one.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs` when they are not those of the tree.
  func records(inBlock number: Int) throws(AuditError) -> [Record] {
    let count = min(AuditBlock.recordCount, size - number * AuditBlock.recordCount)
    let start = number < blocks.count ? blocks[number].start : tree.blockStart
    var records: [Record] = []
    for file in files where file.number >= start.file && records.count < count {
      let isFirst = file.number == start.file
      var lines = AuditLines(try folder.bytes(of: file), from: isFirst ? start.offset : 0)
      while records.count < count, let line = try lines.next(), line.isTerminated {
        let digest = line.bytes.withUnsafeBytes { HashedRecord.Digest($0) }
        guard let digest else { throw AuditError(.differs, file: file.text) }
        records.append(
          Record(
            index: number * AuditBlock.recordCount + records.count,
            file: file,
            line: line.bytes,
            leaf: digest.leaf
          )
        )
      }
    }
    guard records.count == count else { throw AuditError(.differs, file: "") }
    if number < blocks.count {
      var frontier = TreeFrontier()
      for record in records { frontier.append(leaf: record.leaf) }
      guard frontier.rootHash.bytes == blocks[number].hash else {
        throw AuditError(.differs, file: records.first?.file.text ?? "")
      }
    }
    return records
  }

  /// Roots of subtrees, from whole blocks where they are whole.
  struct Roots {
    private let leaves: AuditLeaves
    private var read: [Int: [RecordHash]] = [:]

    init(_ leaves: AuditLeaves) {
      self.leaves = leaves
    }

    /// The root of the records of a range, which is a subtree of the tree of some size.
    mutating func root(_ range: Range<Int>) throws(AuditError) -> RecordHash {
      guard range.count > 0 else { return TreeHash.empty }
      let whole = AuditBlock.recordCount
      if range.count == whole, range.lowerBound % whole == 0,
        range.lowerBound / whole < leaves.blocks.count,
        let hash = RecordHash(bytes: leaves.blocks[range.lowerBound / whole].hash)
      {
        return hash
      }
      if range.count == 1 {
        return try hashes(inBlock: range.lowerBound / whole)[range.lowerBound % whole]
      }
      let middle = range.lowerBound + TreeProof.split(range.count)
      return TreeHash.node(try root(range.lowerBound..<middle), try root(middle..<range.upperBound))
    }

    private mutating func hashes(inBlock number: Int) throws(AuditError) -> [RecordHash] {
      if let cached = read[number] { return cached }
      let hashes = try leaves.records(inBlock: number).map(\.leaf)
      read[number] = hashes
      return hashes
    }
  }
}
