import MediaContainers
import MediaMetadata

extension WebPStripper {
  /// Lists the chunks that no picture needs; a second one of a kind that it needs is not among them.
  static func list(
    _ container: WebPContainer,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var chunks = RIFFChunks(source, in: container.content)
    while let chunk = try chunks.nextWhole() {
      switch chunk.type {
      case "ANMF" where container.animation != nil: try listFrame(chunk, of: source, into: &listing)
      case "ICCP" where chunk.data == container.profile?.data:
        listing.addProfile("ICCP", at: chunk.data, of: source)
      case "EXIF", "XMP ": list(chunk, of: source, into: &listing)
      case _ where chunk.type != "ICCP" && WebPWriter.list(container)[chunk.type] != nil: break
      default: list(chunk, of: source, into: &listing)
      }
    }
  }

  /// Lists a chunk that is not copied.
  static func list(_ chunk: RIFFChunk, of source: ByteSource, into listing: inout MetadataListing) {
    switch chunk.type {
    case "EXIF": listing.addExif("EXIF", in: chunk.tiff(in: source), of: source)
    case "XMP ": listing.addXMP("XMP", at: chunk.data, of: source, keepsProjection: true)
    case "C2PA": listing.addCredentials(chunk.name, at: chunk.data, of: source)
    default: listing.add(chunk.name, at: chunk.data, isRemoved: true)
    }
  }

  private static func listFrame(
    _ frame: RIFFChunk,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var chunks = RIFFChunks(source, in: frame.data.dropFirst(16))
    while let chunk = try chunks.nextWhole() {
      guard WebPAllowList.frame[chunk.type] == nil else { continue }
      listing.add("ANMF/\(chunk.name)", at: chunk.data, isRemoved: true)
    }
  }
}
