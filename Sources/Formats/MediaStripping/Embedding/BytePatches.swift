import MediaContainers
import MediaModel

/// Changes of some bytes of a file, of which the rest is copied.
struct BytePatches {
  private var patches: [(range: Range<Int>, bytes: [UInt8])] = []

  /// The number of bytes that the file gets longer.
  var growth: Int { patches.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

  /// Replaces a range; an empty one is a place where bytes are inserted.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    patches.append((range, bytes))
  }

  mutating func insert(_ bytes: [UInt8], at offset: Int) { replace(offset..<offset, with: bytes) }

  /// - Throws: As ``EditListBuilder``; `damaged` for ranges that overlap, as in a block that lies.
  func editList(of source: ByteSource) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length)
    var end = 0
    // Insertions at one place stay in their order.
    let ordered = patches.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, patch) in ordered {
      guard patch.range.lowerBound >= end else {
        throw MetadataError(.damaged, "parts that overlap")
      }
      try builder.copy(end..<patch.range.lowerBound)
      try builder.literal(patch.bytes)
      end = patch.range.upperBound
    }
    try builder.copy(end..<source.length)
    return builder.finish()
  }
}

extension EditList {
  /// Returns the list that makes of a file what another one makes of this one's output.
  ///
  /// - Throws: As ``EditListBuilder``.
  func followed(by next: EditList, sourceLength: Int) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: sourceLength)
    var (index, start) = (0, 0)
    for operation in next.operations {
      // Neither of the two strips, so that no frame of DV is masked.
      if case .masked = operation { throw MetadataError(.stripUnsupported, "a DV recording") }
      guard case .copy(let offset, let length) = operation else {
        if case .literal(let bytes) = operation { try builder.literal(bytes) }
        continue
      }
      var position = Int(offset)
      let end = position + Int(length)
      while position < end, index < operations.count {
        let partEnd = start + Int(operations[index].outputLength)
        if position < partEnd {
          let part = (position - start)..<(min(end, partEnd) - start)
          switch operations[index] {
          case .copy(let offset, _):
            try builder.copy((Int(offset) + part.lowerBound)..<(Int(offset) + part.upperBound))
          case .literal(let bytes): try builder.literal(Array(bytes[part]))
          case .masked: throw MetadataError(.stripUnsupported, "a DV recording")
          }
          position = start + part.upperBound
        }
        if position >= partEnd { (index, start) = (index + 1, partEnd) }
      }
    }
    return builder.finish()
  }
}
