internal import MediaDigest

/// The hashes of a Merkle tree over records: a leaf and a node never hash the same bytes.
///
/// Source: RFC 6962 section 2.1 (the same in RFC 9162 section 2.1.1).
enum TreeHash {
  /// SHA-256 of nothing: the root of a tree without records.
  static let empty = RecordHash(hashing: UnsafeRawBufferPointer(start: nil, count: 0))

  /// SHA-256 of a zero byte and a record's committed form.
  static func leaf(_ record: UnsafeRawBufferPointer) -> RecordHash {
    leaf { $0(record) }
  }

  /// The same of a form that `record` passes piece by piece.
  static func leaf(_ record: ((UnsafeRawBufferPointer) -> Void) -> Void) -> RecordHash {
    var hasher = SHA256()
    withUnsafeBytes(of: 0 as UInt8) { hasher.update($0) }
    record { hasher.update($0) }
    return RecordHash(&hasher)
  }

  /// SHA-256 of a one byte and the hashes of two subtrees, the older one first.
  static func node(_ left: RecordHash, _ right: RecordHash) -> RecordHash {
    var hasher = SHA256()
    withUnsafeBytes(of: 1 as UInt8) { hasher.update($0) }
    left.withBytes { hasher.update($0) }
    right.withBytes { hasher.update($0) }
    return RecordHash(&hasher)
  }
}
