package import MediaContainers
import MediaMetadata
package import MediaModel

extension FactEmbedder {
  /// Returns the edit list that adds to an XMP sidecar what it lacks of the facts; every byte of its own stays.
  ///
  /// - Throws: ``MetadataError`` `stripUnsupported` for a file that is no XMP packet, or one that cannot be changed.
  package static func editList(
    ofSidecar source: ByteSource,
    facts: EmbeddedFacts
  ) throws(MetadataError) -> EditList {
    let packet = source.bytes(in: 0..<source.length, limit: SidecarFormat.maximumBytes)
    guard let completion = packet.flatMap({ XMPCompletion(of: facts.packet, for: $0) }) else {
      throw MetadataError(.stripUnsupported, "an XMP packet that cannot be changed")
    }
    var patches = BytePatches()
    if !completion.bytes.isEmpty { patches.insert(completion.bytes, at: completion.offset) }
    return try patches.editList(of: source)
  }
}
