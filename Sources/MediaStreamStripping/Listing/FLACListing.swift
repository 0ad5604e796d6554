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
      switch block.type {
      case 3:
        if FLACSeekTable.valid(container, of: source)?.count != block.data.count {
          listing.add(block.name, at: block.data, isRemoved: true)
        }
      case 4:
        guard let comment = VorbisComment(of: source, in: block.data) else { fallthrough }
        listing.addComment(block.name, comment, of: source, at: 0)
        if !comment.rest.isEmpty {
          listing.add("\(block.name)/rest", at: comment.rest, isRemoved: true)
        }
      default: listing.add(block.name, at: block.data, isRemoved: true)
      }
    }
    let trailing = TrailingTags(of: source, behind: container.audio)
    var frames = FLACFrames(source, container: container, limit: trailing.start)
    try frames.passAll()
    if frames.position < trailing.start {
      listing.add("trailer", at: frames.position..<trailing.start, isRemoved: true)
    }
    for tag in trailing.tags { listing.addAudioTag(tag.name, at: tag.range, of: source) }
  }
}
