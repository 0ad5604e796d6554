internal import MediaDigest

/// The hashes of a Merkle tree over records: a leaf and a node never hash the same bytes.
///
/// Source: RFC 6962 section 2.1 (the same in RFC 9162 section 2.1.1).
enum TreeHash {
  /// SHA-256 of nothing: the root of a tree without records.
  static let empty = RecordHash(hashing: UnsafeRawBufferPointer(start: nil, count: 0))

  /// SHA-256 of a zero byte and a record's committed form.
  static func leaf(_ record: UnsafeRawBufferPointer) -> RecordHash {
    var hasher = SHA256()
    withUnsafeBytes(of: 0 as UInt8) { hasher.update($0) }
    hasher.update(record)
    return RecordHash(&hasher)
  }

  /// SHA-256 of a one byte and the hashes of two subtrees, the older one first.
  static func node(_ left: RecordHash, _ right: RecordHash) -> RecordHash {
    withUnsafeTemporaryAllocation(byteCount: 65, alignment: 8) { buffer in
      buffer[0] = 1
      left.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[1..<33]))
      right.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[33..<65]))
      return RecordHash(hashing: UnsafeRawBufferPointer(buffer))
    }
  }
}
