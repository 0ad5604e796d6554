import MediaContainers
import MediaEditing
import MediaMetadata

extension WebPStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let container = try WebPContainer(of: source)
    let limit = ICCProfile.maximumLength
    var chunks = RIFFChunks(source, in: container.content)
    while let chunk = try chunks.nextWhole() {
      switch chunk.type {
      case "ANMF" where container.animation != nil: try listFrame(chunk, of: source, into: &listing)
      case "ICCP" where chunk.data == container.profile?.data:
        listing.addProfile("ICCP", source.bytes(in: chunk.data, limit: limit) ?? [], at: chunk.data)
      case "EXIF", "XMP ": list(chunk, of: source, into: &listing)
      case _ where chunk.type != "ICCP" && WebPWriter.list(container)[chunk.type] != nil: break
      default: list(chunk, of: source, into: &listing)
      }
    }
    listing.addTrailer(from: container.content.upperBound, of: source)
  }

  /// Lists a chunk that is not copied.
  static func list(_ chunk: RIFFChunk, of source: ByteSource, into listing: inout MetadataListing) {
    switch chunk.type {
    case "EXIF": listing.addExif("EXIF", in: chunk.tiff(in: source), of: source)
    case "XMP ":
      let packet = source.bytes(in: chunk.data, limit: ICCProfile.maximumLength) ?? []
      listing.addXMP("XMP", packet, at: chunk.data, keepsProjection: true)
    case "C2PA":
      listing.addCredentials(chunk.name, at: chunk.data, isRemoved: true) {
        source.bytes(in: chunk.data, limit: ContentCredentials.maximumLength) ?? []
      }
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
