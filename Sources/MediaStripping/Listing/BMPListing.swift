import MediaContainers
import MediaMetadata

extension BMPStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let header = try BMPHeader(of: source)
    if header.length >= 40, header.bytes[24..<32].contains(where: { $0 != 0 }) {
      listing.add("resolution", at: 38..<46, isRemoved: true)
    }
    if header.pixels.lowerBound > header.palette.upperBound {
      let gap = header.palette.upperBound..<header.pixels.lowerBound
      listing.add("gap", at: gap, isRemoved: true)
    }
    var end = header.pixels.upperBound
    if let range = header.profile {
      if range.lowerBound > end { listing.add("gap", at: end..<range.lowerBound, isRemoved: true) }
      let profile = source.bytes(in: range, limit: ICCProfile.maximumLength) ?? []
      listing.addProfile("ICC profile", profile, at: range)
      end = range.upperBound
    }
    listing.addTrailer(from: end, of: source)
  }
}
