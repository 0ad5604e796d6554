package import MediaContainers

/// Reads the text chunks and the ID3 tag of an AIFF.
package enum AIFFMetadata {
  /// Returns the metadata of an AIFF.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of an AIFF; none when it is damaged.
  package static func values(of source: ByteSource) -> KeptMetadata {
    guard let container = try? AIFFContainer(of: source) else { return KeptMetadata() }
    return AIFFTexts.read(container, of: source)
  }
}
