package import MediaContainers
import MediaModel

/// Reads the tags of an MP3.
package enum MP3Metadata {
  /// Returns the metadata of an MP3.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of ID3v2 before APE before ID3v1, in the order of players.
  package static func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    let leading = LeadingTags(of: source)
    for tag in leading.id3 { values.fill(from: ID3Values.read(tag, of: source)) }
    for tag in leading.ape { values.fill(from: tag.values(of: source)) }
    values.fill(from: TrailingTags(of: source, behind: leading.end).values(of: source))
    // They are written as ID3, where a time has none.
    values.creationDate?.offsetMinutes = nil
    return values
  }
}
