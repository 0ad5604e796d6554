import MediaContainers
import MediaMetadata

extension FLACStripper {
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
