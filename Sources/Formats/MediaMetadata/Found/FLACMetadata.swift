package import MediaContainers

/// Reads the comment of a FLAC and the tags around it.
package enum FLACMetadata {
  /// Returns the metadata of a FLAC.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of a FLAC; none when it is damaged.
  package static func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    guard let container = try? FLACContainer(of: source) else { return values }
    if let comment = container.comment(of: source) { values.fill(from: comment.values(of: source)) }
    for tag in container.leading.id3 { values.fill(from: ID3Values.read(tag, of: source)) }
    values.fill(from: TrailingTags(of: source, behind: container.audio).values(of: source))
    return values
  }
}
