package import MediaContainers

/// Reads an MP3's tags.
package enum MP3Metadata {
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// ID3v2 before APE before ID3v1, as players read them.
  package static func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    let leading = LeadingTags(of: source)
    for tag in leading.id3 { values.fill(from: ID3Values.read(tag, of: source)) }
    for tag in leading.ape { values.fill(from: tag.values(of: source)) }
    values.fill(from: TrailingTags(of: source, behind: leading.end).values(of: source))
    return values
  }
}
