import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let header = try JPEGHeader(of: source)
    var parser = try JPEGParser(source)
    var state = State(needsNumberOfLines: header.pixelSize.height == 0)
    var credentials = JPEGContentCredentials()
    var listedProfile = false
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData: break
      case .skipped(let range, _):
        listing.add("bytes between segments", at: range, isRemoved: true)
      case .segment(let segment):
        if try state.keeps(segment, in: source) { continue }
        if credentials.part(segment, in: source) != nil {
          let name = JPEGContentCredentials.name
          let isRemoved = state.sawScan || listing.removes(.contentCredentials)
          listing.add("APP11 \(name)", at: segment.range, isRemoved: isRemoved)
        } else if segment.marker == JPEGMarker.app2, header.profile.isWhole,
          JPEGColorProfile.Chunk(segment, in: source) != nil
        {
          if !listedProfile, let profile = try header.profile.bytes(in: source) {
            listing.addProfile("APP2 ICC_PROFILE", profile, at: segment.body.dropFirst(14))
          }
          listedProfile = true
        } else {
          list(segment, of: source, isAfterScan: state.sawScan, into: &listing)
        }
      }
    }
    listing.addTrailer(from: parser.offset, of: source)
  }

  private static func list(
    _ segment: JPEGSegment,
    of source: ByteSource,
    isAfterScan: Bool,
    into listing: inout MetadataListing
  ) {
    let name = JPEGMarker.removedName(segment, in: source)
    let body = segment.body
    let bytes = { (prefix: String) in
      source.bytes(in: body.dropFirst(prefix.utf8.count), limit: 1 << 16) ?? []
    }
    switch name {
    case "APP1 Exif" where !isAfterScan && body.count > 6:
      listing.addExif(name, in: body.dropFirst(6), of: source)
    case "APP1 XMP" where !isAfterScan:
      listing.addXMP(name, bytes(JPEGMetadata.xmpIdentifier), at: body)
    case "APP13 Photoshop":
      let identifier = JPEGMetadata.photoshopIdentifier
      listing.addPhotoshop(
        name,
        bytes(identifier),
        at: body.lowerBound + identifier.utf8.count
      )
    case "APP0 JFIF", "APP14 Adobe":
      // Written anew, except for what strip reports: a thumbnail, dots per inch.
      listing.add(name, at: body, isRemoved: isAfterScan)
    case "COM":
      listing.add(name, at: body, isRemoved: true) { MetadataListing.text(bytes("")) }
    default: listing.add(name, at: body, isRemoved: true)
    }
  }
}
