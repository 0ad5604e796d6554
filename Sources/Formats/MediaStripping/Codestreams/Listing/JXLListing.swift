import MediaCodecs
import MediaContainers
import MediaMetadata

extension JXLStripper {
  /// Lists what the codestream has beside its pictures, all of it at the start of the codestream.
  static func list(
    _ codestream: JXLCodestream,
    at range: Range<Int>,
    into listing: inout MetadataListing
  ) {
    if let profile = codestream.profile {
      listing.addProfile("ICC profile", profile, at: range)
    }
    for (name, count) in codestream.removed.sorted(by: { $0.key < $1.key })
    where name != JXLCodestream.profileParts {
      for _ in 0..<count { listing.add("codestream/\(name)", at: range, isRemoved: true) }
    }
  }

  /// Lists a box that is not copied.
  static func list(_ box: ISOBox, of source: ByteSource, into listing: inout MetadataListing) {
    switch box.type {
    case "Exif":
      let block = JXLMetadata.exifBlock(in: box, of: source) ?? box.body
      listing.addExif("Exif", in: block, of: source)
    case "xml ":
      listing.addXMP("XMP", at: box.body, of: source, keepsProjection: true)
    case "jumb": listing.addCredentials("jumb", at: box.range, of: source)
    default: listing.add(box.type.displayName, at: box.range, isRemoved: true)
    }
  }
}
