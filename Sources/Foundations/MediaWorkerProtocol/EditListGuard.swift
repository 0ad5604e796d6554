package import MediaModel

/// Checks a stream of edit operations against the limits of a valid edit list.
///
/// Ranges ascend strictly, never overlap and are within the file; literals together are at most
/// 1 MiB and a quarter of the file, and 256 MiB; there are at most 1,000 + length / 64 operations.
package struct EditListGuard: Sendable {
  /// The source file's length in bytes, from the coordinator's own fstat.
  private let length: UInt64
  private var copiedUpTo: UInt64 = 0
  private var literalBytes: UInt64 = 0
  private var operations: UInt64 = 0

  /// Makes a guard for the edit list of a file of this length.
  package init(sourceLength: UInt64) {
    length = sourceLength
  }

  /// Accepts the next operation in output order.
  ///
  /// - Throws: ``ProtocolError`` for a breach; then the operation must not be carried out.
  package mutating func accept(_ operation: EditOperation) throws(ProtocolError) {
    operations += 1
    guard operations <= 1000 + length / 64 else { throw ProtocolError("too many operations") }
    switch operation {
    case .copy(let offset, let count): try accept(offset, count)
    case .masked(let offset, let count, let mask):
      guard count % UInt64(mask.frameLength) == 0 else { throw ProtocolError("a part of a frame") }
      try accept(offset, count)
    case .literal(let bytes):
      literalBytes += UInt64(bytes.count)
      guard literalBytes <= min((1 << 20) + length / 4, 256 << 20) else {
        throw ProtocolError("too many literal bytes")
      }
    }
  }

  private mutating func accept(_ offset: UInt64, _ count: UInt64) throws(ProtocolError) {
    let (end, overflow) = offset.addingReportingOverflow(count)
    guard count > 0, !overflow, end <= length else { throw ProtocolError("a range outside the file") }
    guard offset >= copiedUpTo else { throw ProtocolError("a range that does not ascend") }
    copiedUpTo = end
  }
}
