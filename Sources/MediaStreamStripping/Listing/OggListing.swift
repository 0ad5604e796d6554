package import MediaContainers
package import MediaMetadata

extension OggStripper {
  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var streams = OggStreams()
    var pages = OggPages(source)
    while let part = try pages.next() {
      switch part {
      case .other(let range): listing.add("bytes between pages", at: range, isRemoved: true)
      case .page(let page):
        switch try streams.position(of: page, in: source) {
        case .removed(let name): listing.add(name, at: page.range, isRemoved: true)
        case .header, .audio: break
        case .lastHeader(let headers):
          try list(headers, of: source, into: &listing)
          streams.begin(behind: 0)
        }
      }
    }
  }

  /// Lists the headers of one stream.
  static func list(
    _ headers: OggHeaders,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let written = try OggHeaderWriter.packets(headers, of: source, kept: KeptMetadata())
    // A packet may span many pages; its content is listed at the offset where it begins.
    let offsets = headers.packets.map { $0.first?.lowerBound ?? 0 }
    if let head = headers.packet(0, of: source), head.length > written[0].count {
      let slack = written[0].count..<head.length
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
