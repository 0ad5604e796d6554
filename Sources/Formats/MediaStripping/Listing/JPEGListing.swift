import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  /// Lists a segment that is not copied; `isUsed` is false for a second one of its name.
  static func list(
    _ segment: JPEGSegment,
    _ name: String,
    of source: ByteSource,
    isAfterScan: Bool,
    _ isUsed: Bool,
    into listing: inout MetadataListing
  ) {
    let body = segment.body
    let bytes = { (prefix: String) in
      source.bytes(in: body.dropFirst(prefix.utf8.count), limit: 1 << 16) ?? []
    }
    switch name {
    case "APP0 CIFF": addCIFF(in: body, of: source, isUsed: isUsed && !isAfterScan, to: &listing)
    case "APP1 Exif" where body.count > 6:
      listing.addExif(name, in: body.dropFirst(6), of: source, isUsed: isUsed && !isAfterScan)
    case "APP1 XMP":
      let packet = bytes(JPEGMetadata.xmpIdentifier)
      let isRead = isUsed && !isAfterScan
      listing.addXMP(name, packet, at: body, isUsed: isRead, keepsProjection: true)
    case "APP1 ExtendedXMP" where !isAfterScan && isUsed:
      for packet in JPEGMetadata.extendedPackets(of: source) where listing.takesBlock() {
        listing.addXMP(name, packet, at: body, isUsed: false)
      }
    case "APP13 Photoshop":
      let identifier = JPEGMetadata.photoshopIdentifier
      listing.addPhotoshop(name, bytes(identifier), at: body.lowerBound + identifier.utf8.count)
    case "APP0 JFIF", "APP14 Adobe":
      // Written anew, except for what strip reports: a thumbnail, dots per inch.
      listing.add(name, at: body, isRemoved: isAfterScan)
    case "COM":
      listing.add(name, at: body, isRemoved: true) { MetadataListing.text(bytes("")) }
    default: listing.add(name, at: body, isRemoved: true)
    }
  }

  /// Lists the values of a CIFF, or the block as a whole if none can be read.
  private static func addCIFF(
    in range: Range<Int>,
    of source: ByteSource,
    isUsed: Bool,
    to listing: inout MetadataListing
  ) {
    let values = CIFFBlock(source, range).map { CIFFValues.values(of: $0) } ?? []
    if values.isEmpty { listing.add("APP0 CIFF", at: range, isRemoved: true) }
    for value in values {
      listing.add(
        "APP0 CIFF/\(value.name)",
        at: value.range,
        isRemoved: !isUsed || listing.removes(value.exception)
      ) { value.isText ? MetadataListing.text(in: value.range, of: source) : nil }
    }
  }

  /// Counts or lists the datasets in trailers behind `end`, the end of the last picture.
  static func listTrailers(
    behind end: Int,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    for (index, datasets) in PictureTrailers.iptc(in: source).enumerated()
    where datasets.lowerBound >= end {
      let limit = FoundMetadata.maximumBlockLength
      let bytes = source.bytes(in: datasets, limit: limit) ?? []
      let isUsed = index == 0 && !JPEGMetadata.hasIPTC(source)
      listing.addIPTC("trailer/IPTC", bytes, at: datasets.lowerBound, isUsed: isUsed)
    }
  }
}
