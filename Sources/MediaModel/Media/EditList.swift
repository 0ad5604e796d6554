/// One step of making an output from its source file.
package enum EditOperation: Sendable, Hashable {
  /// Bytes `offset ..< offset + length` of the source file.
  case copy(offset: UInt64, length: UInt64)
  /// Bytes that the source file does not hold in this form.
  case literal([UInt8])

  /// How many bytes of output this step makes.
  package var outputLength: UInt64 {
    switch self {
    case .copy(_, let length): length
    case .literal(let bytes): UInt64(bytes.count)
    }
  }
}

/// How an output is made from its source file, in output order.
///
/// Copied ranges ascend and never overlap, so that the source is read once, front to back.
package struct EditList: Sendable, Hashable {
  package var operations: [EditOperation]
  /// What the output no longer has.
  package var removed: [RemovedMetadata]

  package init(operations: [EditOperation], removed: [RemovedMetadata] = []) {
    self.operations = operations
    self.removed = removed
  }
}
