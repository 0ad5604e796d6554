package import MediaContainers
package import MediaMetadata

extension FLACStripper {
  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let container = try FLACContainer(of: source)
    for tag in container.leading.id3 { listing.addAudioTag("ID3v2", at: tag.range, of: source) }
    for tag in container.leading.ape { listing.addAudioTag("APE", at: tag.range, of: source) }
    for block in container.blocks {
      let isWritten =
        block.type == 3
        && FLACSeekTable.valid(container, of: source)?.count == block.data.count
      if !isWritten { list(block, of: source, into: &listing) }
    }
    let trailing = TrailingTags(of: source, behind: container.audio)
    var frames = FLACFrames(source, container: container, limit: trailing.start)
    try frames.passAll()
    if frames.position < trailing.start {
      listing.add("trailer", at: frames.position..<trailing.start, isRemoved: true)
    }
    for tag in trailing.tags { listing.addAudioTag(tag.name, at: tag.range, of: source) }
  }

  /// Lists a block that is not copied.
  static func list(
    _ block: FLACBlock,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    guard block.type == 4, let comment = VorbisComment(of: source, in: block.data) else {
      return listing.add(block.name, at: block.data, isRemoved: true)
    }
    listing.addComment(block.name, comment, of: source, at: 0)
    if !comment.trailer.isEmpty {
      listing.add("\(block.name)/rest", at: comment.trailer, isRemoved: true)
    }
  }
}
