package import MediaModel

extension AuditFolder {
  /// Reads where each file of the log ends, as a catalogue keeps it.
  ///
  /// A file without a whole record has no position. A file is read up to the first line that is no
  /// record.
  ///
  /// - Parameter threads: On how many threads lines are hashed.
  /// - Returns: The positions in the order of the runs, each with the tree up to there, and all of its whole blocks.
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func positions(threads: Int = 1) throws(AuditError) -> [AuditPosition] {
    var tree = AuditTree()
    var positions: [AuditPosition] = []
    for file in try files() {
      var lines = HashedRecords(try bytes(of: file), threads: threads)
      var position: AuditPosition?
      while let line = try lines.next(), line.isTerminated, let digest = line.digest {
        let number = (position?.records ?? 0) + 1
        tree.append(
          leaf: digest.leaf,
          keys: digest.keys,
          at: RecordPosition(file: file.number, line: number, offset: line.offset),
          length: line.length
        )
        position = AuditPosition(
          file: file.text,
          run: file.run,
          records: number,
          bytes: line.end,
          head: digest.hash.text
        )
      }
      guard var position else { continue }
      position.tree = AuditTreePosition(
        head: tree.head,
        encoded: tree.encoded,
        blocks: tree.takeCompleted()
      )
      positions.append(position)
    }
    return positions
  }

  /// The library's tree over all whole records of the log, for the run that starts now.
  ///
  /// Reads what the catalogue's `encoded` tree does not have yet, which is nothing but the block that
  /// is not whole, and what a run that was killed wrote behind its last batch; without a tree, all.
  /// A log that is not what the tree was made of goes on from the tree: that it differs is for
  /// ``verify(_:)`` to say.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func tree(from encoded: [UInt8]?) throws(AuditError) -> AuditTree {
    let stored = encoded.flatMap { AuditTree(encoded: $0) } ?? AuditTree()
    var tree = stored.atBlockStart
    let start = tree.end
    for file in try files() where file.number >= start.file {
      let isFirst = file.number == start.file
      var lines = HashedRecords(try bytes(of: file), from: isFirst ? start.offset : 0)
      var number = isFirst ? start.line : 1
      while let line = try lines.next(), line.isTerminated, let digest = line.digest {
        tree.append(
          leaf: digest.leaf,
          keys: digest.keys,
          at: RecordPosition(file: file.number, line: number, offset: line.offset),
          length: line.length
        )
        number += 1
        if tree.frontier.size == stored.frontier.size, tree.frontier != stored.frontier {
          return stored
        }
      }
    }
    return tree.frontier.size < stored.frontier.size ? stored : tree
  }
}
