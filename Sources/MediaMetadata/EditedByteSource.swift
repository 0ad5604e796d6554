package import MediaModel

/// The output that an edit list would make, without making it.
package struct EditedByteSource<Original: ByteSource>: ByteSource {
  private let original: Original
  private let operations: [EditOperation]
  /// Where each operation's bytes end in the output; ascending, so that a place is found by halving.
  private let ends: [Int]

  package let length: Int

  /// The output of `editList` over `original`.
  ///
  /// - Throws: `damaged` when a copied range does not lie within the original.
  package init(_ editList: EditList, over original: Original) throws(MetadataError) {
    var operations: [EditOperation] = []
    var ends: [Int] = []
    var end = 0
    for operation in editList.operations where operation.outputLength > 0 {
      if case .copy(let offset, let length) = operation {
        let (last, overflow) = offset.addingReportingOverflow(length)
        guard !overflow, last <= UInt64(original.length) else {
          throw MetadataError(.damaged, "a copied range lies outside the file")
        }
      }
      let (sum, overflow) = end.addingReportingOverflow(Int(clamping: operation.outputLength))
      guard !overflow else { throw MetadataError(.damaged, "an output of impossible length") }
      end = sum
      operations.append(operation)
      ends.append(end)
    }
    self.original = original
    self.operations = operations
    self.ends = ends
    length = end
  }

  package func withRun<Result>(
    from offset: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard offset >= 0, offset < length else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let index = operation(at: offset)
    let start = index == 0 ? 0 : ends[index - 1]
    let skipped = offset - start
    switch operations[index] {
    case .copy(let from, _):
      let count = ends[index] - offset
      return original.withRun(from: Int(from) + skipped) { run in
        body(UnsafeRawBufferPointer(rebasing: run.prefix(count)))
      }
    case .literal(let bytes):
      return bytes.withUnsafeBytes { literal in
        body(UnsafeRawBufferPointer(rebasing: literal.dropFirst(skipped)))
      }
    }
  }

  /// The operation that makes the byte at `offset`, which lies within the output.
  private func operation(at offset: Int) -> Int {
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = low + (high - low) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
