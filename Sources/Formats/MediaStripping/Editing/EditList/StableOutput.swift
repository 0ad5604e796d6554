package import MediaContainers
package import MediaModel

/// Verifies that stripping an output again would change no byte of it.
package enum StableOutput {
  /// Compares an output with the edit list that stripping it again would give.
  ///
  /// - Throws: `residue` when `again`, the edit list of an output, would change it.
  package static func verify(
    _ again: EditList,
    over output: ByteSource
  ) throws(MetadataError) {
    var position = 0
    for operation in again.operations {
      switch operation {
      case .literal(let bytes):
        guard output.bytes(in: position..<(position + bytes.count), limit: bytes.count) == bytes
        else { throw MetadataError(.residue, "headers") }
      case .masked: throw MetadataError(.residue, "packs of DV")
      case .copy(let offset, _):
        guard offset == UInt64(position) else { throw MetadataError(.residue, "parts") }
      }
      position += Int(operation.outputLength)
    }
    guard position == output.length else { throw MetadataError(.residue, "trailer") }
  }
}
