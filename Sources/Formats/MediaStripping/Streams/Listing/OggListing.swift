import MediaContainers
import MediaMetadata

extension OggStripper {
  /// Lists the headers of one stream; its first packet is written in `writtenLength` bytes.
  static func list(
    _ headers: OggHeaders,
    writtenLength: Int,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    // A packet may span many pages; its content is listed at the offset where it begins.
    let offsets = headers.packets.map { $0.first?.lowerBound ?? 0 }
    if let head = headers.packet(0, of: source), head.length > writtenLength {
      let slack = writtenLength..<head.length
      listing.add("header slack", at: slack.moved(by: offsets[0]), isRemoved: true)
    }
    guard let header = headers.comment(of: source) else { return }
    listing.addComment("comment header", header.comment, of: header.packet, at: offsets[1])
    // Vorbis ends it with a framing byte.
    let slack = header.comment.trailer.dropFirst(headers.codec == .vorbis ? 1 : 0)
    if !slack.isEmpty {
      listing.add("comment header slack", at: slack.moved(by: offsets[1]), isRemoved: true)
    }
  }
}
