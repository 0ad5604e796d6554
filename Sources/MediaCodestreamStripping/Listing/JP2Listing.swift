import MediaCodecs
package import MediaContainers
package import MediaMetadata

extension JP2Stripper {
  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let parts = try JP2Parts(of: source)
    let kept = try parts.headerBoxes(of: source)
    for box in parts.boxes {
      switch box.type {
      case "jp2h":
        for (child, written) in kept {
          let name = "jp2h/\(child.type.displayName)"
          if hasProfile(child, in: source) {
            let range = child.body.dropFirst(3)
            let profile = source.bytes(in: range, limit: ICCProfile.maximumLength) ?? []
            listing.addProfile("\(name) ICC profile", profile, at: range)
          } else if written == nil {
            listing.add(name, at: child.range, isRemoved: true)
          }
        }
      case "jp2c" where box.range == parts.codestreamBox.range:
        J2KStripper.list(parts.codestream, of: source, into: &listing)
        let trailer = parts.codestream.end.upperBound..<box.range.upperBound
        if !trailer.isEmpty { listing.add("jp2c/rest", at: trailer, isRemoved: true) }
      case "ftyp" where box.range == parts.boxes[1].range:
        if source.bytes(in: box.range, limit: 64) != parts.typeBox {
          listing.add("ftyp/brands", at: box.range, isRemoved: true)
        }
      case "jP  " where box.range.lowerBound == 0: break
      case _ where kept.contains { $0.box.range == box.range }: break
      default: list(box, of: source, into: &listing)
      }
    }
    listing.addTrailer(from: parts.boxes.last?.range.upperBound ?? 0, of: source)
  }

  /// Lists a box that is not copied.
  static func list(_ box: ISOBox, of source: ByteSource, into listing: inout MetadataListing) {
    let start = box.body.lowerBound
    let content = box.body.dropFirst(16)
    let bytes = source.bytes(in: content, limit: ICCProfile.maximumLength) ?? []
    if box.type == "uuid", source.holds(JP2Metadata.exif, at: start) {
      listing.addExif("uuid Exif", in: content, of: source)
    } else if box.type == "uuid", source.holds(JP2Metadata.xmp, at: start) {
      listing.addXMP("uuid XMP", bytes, at: content, keepsProjection: true)
    } else if box.type == "uuid", source.holds(JP2Metadata.iptc, at: start),
      bytes.first == 0x1C
    {
      listing.addIPTC("uuid IPTC", bytes, at: content.lowerBound)
    } else {
      listing.add(box.type.displayName, at: box.range, isRemoved: true) {
        guard box.type == "xml " else { return nil }
        return MetadataListing.text(in: box.body, of: source)
      }
    }
  }
}
