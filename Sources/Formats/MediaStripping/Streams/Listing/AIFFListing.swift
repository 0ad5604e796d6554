import MediaContainers
import MediaMetadata

extension AIFFStripper {
  /// Lists a chunk that is not copied.
  static func list(
    _ chunk: AIFFContainer.Chunk,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    if chunk.type == "ID3 " || chunk.type == "id3 " {
      return listing.addAudioTag("ID3v2", at: chunk.data, of: source)
    }
    // Each comment has the time at which it was written.
    if chunk.type == "COMT", source.uint16(at: chunk.data.lowerBound) ?? 0 > 0 {
      listing.add("COMT/creation time", at: chunk.data, isRemoved: true)
    }
    let isRemoved = listing.removes(AIFFTexts.exceptions[chunk.type])
    listing.add(chunk.type.name, at: chunk.data, isRemoved: isRemoved) {
      MetadataListing.text(in: chunk.data, of: source)
    }
  }
}
