package import MediaContainers

/// Reads an AIFF's text chunks and ID3 tag.
package enum AIFFMetadata {
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  package static func values(of source: ByteSource) -> KeptMetadata {
    guard let container = try? AIFFContainer(of: source) else { return KeptMetadata() }
    return AIFFTexts.read(container, of: source)
  }
}
