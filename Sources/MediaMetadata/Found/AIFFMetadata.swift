/// Reads an AIFF's text chunks and ID3 tag.
enum AIFFMetadata {
  static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  static func values(of source: ByteSource) -> KeptMetadata {
    guard let container = try? AIFFContainer(of: source) else { return KeptMetadata() }
    return AIFFTexts.read(container, of: source)
  }
}
