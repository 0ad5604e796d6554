import MediaCodecs
package import MediaContainers
package import MediaMetadata

extension JXLStripper {
  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let parts = try JXLParts(of: source)
    if parts.boxes.count > 1,
      source.bytes(in: parts.boxes[1].range, limit: 64) != JXLParts.typeBox
    {
      listing.add("ftyp/brands", at: parts.boxes[1].range, isRemoved: true)
    }
    for box in parts.boxes where isRemoved(box, of: parts) {
      list(box, of: source, into: &listing)
    }
    let codestream = parts.ranges(of: 0..<parts.codestream.length)
    let range = codestream.first ?? 0..<0
    if let profile = parts.codestream.profile {
      listing.addProfile("ICC profile", profile, at: range)
    }
    for (name, count) in parts.codestream.removed.sorted(by: { $0.key < $1.key })
    where name != JXLCodestream.profileParts {
      for _ in 0..<count { listing.add("codestream/\(name)", at: range, isRemoved: true) }
    }
    let trailerLength = trailerLength(of: parts, source)
    if parts.boxes.isEmpty {
      listing.addTrailer(from: source.length - trailerLength, of: source)
    } else {
      if trailerLength > 0 { listing.add("codestream/rest", at: range, isRemoved: true) }
      listing.addTrailer(from: parts.boxes.last?.range.upperBound ?? 0, of: source)
    }
  }

  /// Lists a box that is not copied.
  static func list(_ box: ISOBox, of source: ByteSource, into listing: inout MetadataListing) {
    switch box.type {
    case "Exif":
      let block = JXLMetadata.exifBlock(in: box, of: source) ?? box.body
      listing.addExif("Exif", in: block, of: source)
    case "xml ":
      let packet = source.bytes(in: box.body, limit: ICCProfile.maximumLength) ?? []
      listing.addXMP("XMP", packet, at: box.body, keepsProjection: true)
    case "jumb":
      listing.addCredentials("jumb", at: box.range, isRemoved: true) {
        source.bytes(in: box.range, limit: ContentCredentials.maximumLength) ?? []
      }
    default: listing.add(box.type.displayName, at: box.range, isRemoved: true)
    }
  }
}
