/// One step that produces a part of an output from its source file.
package enum EditOperation: Sendable, Hashable {
  /// Copies the bytes `offset ..< offset + length` of the source file.
  case copy(offset: UInt64, length: UInt64)
  /// Writes bytes that the source file does not hold in this form.
  case literal([UInt8])
  /// Copies whole frames of DV with the bytes of `mask` set to ones.
  indirect case masked(offset: UInt64, length: UInt64, mask: DIFMask)

  /// The number of output bytes that this step writes.
  package var outputLength: UInt64 {
    switch self {
    case .copy(_, let length), .masked(_, let length, _): length
    case .literal(let bytes): UInt64(bytes.count)
    }
  }
}

/// The steps that produce an output from its source file, in output order.
///
/// Copied ranges ascend and never overlap, so that the source is read once, front to back.
package struct EditList: Sendable, Hashable {
  /// The steps, in output order.
  package var operations: [EditOperation]
  /// The metadata that the output no longer has.
  package var removed: [RemovedMetadata]
  /// The same by what it tells about, as a receipt says it, in the order of the tags.
  package var removedTags: [RemovedTag] = []

  /// Creates an edit list.
  package init(
    operations: [EditOperation],
    removed: [RemovedMetadata] = [],
    removedTags: [RemovedTag] = []
  ) {
    self.operations = operations
    self.removed = removed
    self.removedTags = removedTags
  }
}
