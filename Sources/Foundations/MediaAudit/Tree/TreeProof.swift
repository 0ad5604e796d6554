/// Proofs about a Merkle tree, and their check, which needs nothing but the hashes in them.
///
/// Source: RFC 9162 sections 2.1.3 and 2.1.4, whose trees are those of RFC 6962.
enum TreeProof {
  /// The hashes beside the way from a record to the root, the lowest first.
  ///
  /// `index` is 0-based and below `size`; `root` gives the root of the records of a range that is a
  /// subtree of this tree.
  static func inclusion(
    of index: Int,
    size: Int,
    root: (Range<Int>) throws(AuditError) -> RecordHash
  ) throws(AuditError) -> [RecordHash] {
    var range = 0..<size
    var path: [RecordHash] = []
    while range.count > 1 {
      let middle = range.lowerBound + split(range.count)
      if index < middle {
        path.append(try root(middle..<range.upperBound))
        range = range.lowerBound..<middle
      } else {
        path.append(try root(range.lowerBound..<middle))
        range = middle..<range.upperBound
      }
    }
    return path.reversed()
  }

  /// The root of a tree of `size` records in which `leaf` is number `index`; nil when the path is not
  /// one of that tree.
  static func root(
    leaf: RecordHash,
    index: Int,
    size: Int,
    path: [RecordHash]
  ) -> RecordHash? {
    guard index >= 0, index < size else { return nil }
    var walk = Walk(number: index, last: size - 1)
    var hash = leaf
    for sibling in path {
      guard let isLeft = walk.climb() else { return nil }
      hash = isLeft ? TreeHash.node(sibling, hash) : TreeHash.node(hash, sibling)
    }
    return walk.last == 0 ? hash : nil
  }

  /// The way from a record or a whole subtree to the root. Source: RFC 9162, section 2.1.3.2.
  private struct Walk {
    var number: Int
    var last: Int

    /// Goes up by one sibling, and returns whether that stands on the left; nil at the root.
    mutating func climb() -> Bool? {
      guard last > 0 else { return nil }
      let isLeft = number & 1 == 1 || number == last
      if isLeft { while number & 1 == 0, number > 0 { shift() } }
      shift()
      return isLeft
    }

    mutating func shift() {
      number >>= 1
      last >>= 1
    }
  }

  /// The hashes that show that the tree of `old` records is the beginning of that of `new`.
  ///
  /// `old` is at least 1 and at most `new`.
  static func consistency(
    from old: Int,
    to new: Int,
    root: (Range<Int>) throws(AuditError) -> RecordHash
  ) throws(AuditError) -> [RecordHash] {
    var range = 0..<new
    var path: [RecordHash] = []
    var isWhole = true
    while old < range.upperBound {
      let middle = range.lowerBound + split(range.count)
      if old <= middle {
        path.append(try root(middle..<range.upperBound))
        range = range.lowerBound..<middle
      } else {
        path.append(try root(range.lowerBound..<middle))
        range = middle..<range.upperBound
        isWhole = false
      }
    }
    if !isWhole { path.append(try root(range)) }
    return path.reversed()
  }

  /// Whether the hashes show that a tree with one root is the beginning of a tree with another.
  static func isConsistent(
    old: (size: Int, root: RecordHash),
    new: (size: Int, root: RecordHash),
    path: [RecordHash]
  ) -> Bool {
    guard old.size <= new.size else { return false }
    if old.size == new.size { return path.isEmpty && old.root == new.root }
    // Every tree begins with the empty one.
    if old.size == 0 { return path.isEmpty && old.root == TreeHash.empty }
    let path = old.size & (old.size - 1) == 0 ? [old.root] + path : path
    guard let first = path.first else { return false }
    var walk = Walk(number: old.size - 1, last: new.size - 1)
    while walk.number & 1 == 1 { walk.shift() }
    var oldHash = first
    var newHash = first
    for hash in path.dropFirst() {
      guard let isLeft = walk.climb() else { return false }
      if isLeft { oldHash = TreeHash.node(hash, oldHash) }
      newHash = isLeft ? TreeHash.node(hash, newHash) : TreeHash.node(newHash, hash)
    }
    return walk.last == 0 && oldHash == old.root && newHash == new.root
  }

  /// The largest power of two below `count`, which is at least 2.
  static func split(_ count: Int) -> Int {
    1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
  }
}
