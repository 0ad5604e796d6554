/// A line of an audit file, with all hashes by which chain and tree are verified.
struct HashedRecord {
  /// The offset of its first byte in the file.
  let offset: Int
  /// Its length in bytes, including the newline.
  let length: Int
  /// Whether a newline ends it; only a file's last line has none.
  let isTerminated: Bool
  /// Nil when the line is no record.
  let digest: Digest?

  var end: Int { offset + length }

  struct Digest {
    let record: ChainedRecord
    /// The hash of the line without its newline: the head of the chain when it is the last.
    let hash: RecordHash
    /// The hash of the redacted form, as the tree has it.
    let leaf: RecordHash
    let keys: LookupKeys
  }
}

extension HashedRecord.Digest {
  /// The record that a line without its newline is, or nil.
  init?(_ line: UnsafeRawBufferPointer) {
    guard let scan = ParsedRecord(line), let record = ChainedRecord(line, scan) else { return nil }
    self.record = record
    hash = RecordHash(hashing: line)
    leaf = Self.leaf(line, scan)
    keys = LookupKeys(line, scan)
  }

  static func leaf(_ line: UnsafeRawBufferPointer, _ scan: ParsedRecord) -> RecordHash {
    TreeHash.leaf { RedactedRecord.forEachPiece(of: line, scan, $0) }
  }
}

/// By what a record is found again: 32 bits each of its asset and its path, 0 where it has none.
///
/// They only say where to look; two names may have the same.
struct LookupKeys: Sendable, Hashable {
  let asset: UInt32
  let path: UInt32

  init(_ line: UnsafeRawBufferPointer, _ scan: ParsedRecord) {
    asset = scan.asset.map { Self.key(UnsafeRawBufferPointer(rebasing: line[$0])) } ?? 0
    path = scan.path.map { Self.key(UnsafeRawBufferPointer(rebasing: line[$0])) } ?? 0
  }

  /// Returns the key of a text's canonical JSON; never 0.
  ///
  /// Source: FNV-1a, 32 bits (RFC 9923).
  static func key(_ text: UnsafeRawBufferPointer) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in text { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return max(1, hash)
  }
}
