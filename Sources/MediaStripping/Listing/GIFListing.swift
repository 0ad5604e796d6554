import MediaContainers
import MediaMetadata

extension GIFStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var parser = try GIFParser(source)
    var start = parser.offset
    var sawLoop = false
    while let block = try parser.next() {
      let range = start..<parser.offset
      switch block {
      case .image, .graphicControl, .padding: break
      case .loop:
        if sawLoop { listing.add("application extension", at: range, isRemoved: true) }
        sawLoop = true
      case .xmp(_, let packet): addXMP(packet, of: source, to: &listing)
      case .other(let name):
        listing.add(name, at: range, isRemoved: true) {
          guard name == "comment" else { return nil }
          // The first sub-block is enough to identify it.
          let length = source.uint8(at: range.lowerBound + 2) ?? 0
          let text = (range.lowerBound + 3)..<(range.lowerBound + 3 + length)
          return source.bytes(in: text, limit: 255).flatMap(MetadataListing.text)
        }
      }
      start = parser.offset
    }
    listing.addTrailer(from: parser.offset, of: source)
  }

  /// Lists the XMP of a file.
  static func addXMP(
    _ packet: Range<Int>,
    of source: ByteSource,
    to listing: inout MetadataListing
  ) {
    let bytes = source.bytes(in: packet, limit: FoundMetadata.maximumBlockLength) ?? []
    listing.addXMP("XMP", bytes, at: packet)
  }
}
