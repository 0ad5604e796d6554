/// How far one audit file and the tree of its library had come when a batch was recorded.
///
/// The writer makes it, the catalogue keeps it and verification expects it. A file may have grown since;
/// it may never be shorter or different up to there.
package struct AuditPosition: Sendable, Hashable {
  /// The file's name in the folder of the log.
  package var file: String
  package var run: String
  /// How many records it had.
  package var records: Int
  /// How long it was.
  package var bytes: Int
  /// SHA-256 of the last of these records, 64 lowercase hexadecimal digits.
  package var head: String
  /// The library's tree up to there; nil of a run that a rebuild took over from the catalogue of before.
  package var tree: AuditTreePosition?
  /// Whether the run has ended: then its signed head, if it signs, was written before.
  package var isEnded = false

  package init(
    file: String,
    run: String,
    records: Int,
    bytes: Int,
    head: String,
    tree: AuditTreePosition? = nil
  ) {
    self.file = file
    self.run = run
    self.records = records
    self.bytes = bytes
    self.head = head
    self.tree = tree
  }
}

/// The tree over all records of a library's log at one moment, with what continuing it takes.
package struct AuditTreePosition: Sendable, Hashable {
  package var head: AuditTreeHead
  /// The state from which the next run continues the tree, in the encoding of `AuditTree`.
  package var encoded: [UInt8]
  /// The blocks that were completed since the position before; empty in a position that was read back.
  package var blocks: [AuditBlock]

  package init(head: AuditTreeHead, encoded: [UInt8], blocks: [AuditBlock] = []) {
    self.head = head
    self.encoded = encoded
    self.blocks = blocks
  }
}

/// The size and the root of a Merkle tree over a library's log.
package struct AuditTreeHead: Sendable, Hashable {
  /// How many records it has.
  package var size: Int
  /// 64 lowercase hexadecimal digits.
  package var root: String

  package init(size: Int, root: String) {
    self.size = size
    self.root = root
  }
}

/// Where a record's line begins.
package struct RecordPosition: Sendable, Hashable {
  /// The number of the audit file; 0 while no record has been seen.
  package var file: Int
  /// 1-based; also the record's `seq`.
  package var line: Int
  /// Of the line's first byte.
  package var offset: Int

  package init(file: Int, line: Int, offset: Int) {
    self.file = file
    self.line = line
    self.offset = offset
  }
}

/// 256 records in a row, kept so that a proof has to read no more of the log than two such blocks.
package struct AuditBlock: Sendable, Hashable {
  /// 0-based: the block's first record is number `number * 256` of the tree.
  package var number: Int
  /// The position of its first record.
  package var start: RecordPosition
  /// Root of the subtree of these records, 32 bytes.
  package var hash: [UInt8]
  /// The lookup keys of its records, 4 bytes each in ascending order; see `LookupKeys`.
  package var keys: [UInt8]

  package init(number: Int, start: RecordPosition, hash: [UInt8], keys: [UInt8]) {
    self.number = number
    self.start = start
    self.hash = hash
    self.keys = keys
  }
}
