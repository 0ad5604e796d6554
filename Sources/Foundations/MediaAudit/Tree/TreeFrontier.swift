internal import MediaModel

/// A Merkle tree that grows at its right end, kept as the hashes of its whole subtrees: one for each
/// bit that is set in its size, so at most 63.
///
/// Source: RFC 6962 section 2.1.
package struct TreeFrontier: Sendable, Hashable {
  /// The number of records in the tree.
  package private(set) var size: Int
  /// The largest and oldest subtree first.
  private var hashes: [RecordHash]

  /// A tree without records.
  package init() {
    size = 0
    hashes = []
  }

  /// Adds one record behind the last: one hash of a node on average.
  ///
  /// - Returns: The root of the newest two to the power of `level` records, when the tree now has a
  ///   multiple of that many.
  @discardableResult
  mutating func append(leaf: RecordHash, completing level: Int = 0) -> RecordHash? {
    var hash = leaf
    var completed = level == 0 ? leaf : nil
    var height = 0
    while (size >> height) & 1 == 1, let left = hashes.popLast() {
      hash = TreeHash.node(left, hash)
      height += 1
      if height == level { completed = hash }
    }
    hashes.append(hash)
    size += 1
    return completed
  }

  /// The tree of the oldest records, as many as are a multiple of two to the power of `level`.
  func truncated(level: Int) -> TreeFrontier {
    var tree = self
    tree.size = (size >> level) << level
    tree.hashes = Array(hashes.prefix(tree.size.nonzeroBitCount))
    return tree
  }

  /// The tree's root: SHA-256, or that of nothing for a tree without records.
  var rootHash: RecordHash {
    guard var root = hashes.last else { return TreeHash.empty }
    for hash in hashes.dropLast().reversed() { root = TreeHash.node(hash, root) }
    return root
  }

  /// The tree's root, 64 lowercase hexadecimal digits.
  package var root: String { rootHash.text }

  var head: AuditTreeHead { AuditTreeHead(size: size, root: root) }

  /// The encoding in the catalogue: the size in 8 bytes, big endian, then 32 bytes per subtree.
  package var encoded: [UInt8] {
    var bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
    for hash in hashes { bytes += hash.bytes }
    return bytes
  }

  /// The tree that ``encoded`` wrote; nil for any other bytes.
  package init?(encoded bytes: [UInt8]) {
    guard bytes.count >= 8, bytes[0] < 0x80 else { return nil }
    let size = bytes[..<8].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count == 8 + 32 * size.nonzeroBitCount else { return nil }
    self.size = size
    hashes = stride(from: 8, to: bytes.count, by: 32).compactMap {
      RecordHash(bytes: bytes[$0..<($0 + 32)])
    }
  }
}
