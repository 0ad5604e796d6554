import MediaCodecs
import MediaContainers
import MediaMetadata

extension JP2Stripper {
  /// Lists what a report counts by kind, in the order of the file.
  static func list(
    _ parts: JP2Parts,
    _ kept: [(box: ISOBox, written: [UInt8]?)],
    of source: ByteSource,
    in builder: inout EditListBuilder
  ) {
    for box in parts.boxes {
      switch box.type {
      case "jp2h":
        for (child, written) in kept {
          let name = "jp2h/\(child.type.displayName)"
          if hasProfile(child, in: source) {
            let range = child.body.dropFirst(3)
            builder.listing.addProfile("\(name) ICC profile", at: range, of: source)
          } else if written == nil {
            builder.remove(name, at: child.range)
          }
        }
      case "jp2c" where box.range == parts.codestreamBox.range:
        J2KStripper.remove(parts.codestream, of: source, from: &builder)
        let trailer = parts.codestream.end.upperBound..<box.range.upperBound
        if !trailer.isEmpty { builder.remove("jp2c/rest", at: trailer) }
      case "ftyp" where box.range == parts.boxes[1].range:
        if source.bytes(in: box.range, limit: 64) != parts.typeBox {
          builder.remove("ftyp/brands", at: box.range)
        }
      case "jP  " where box.range.lowerBound == 0: break
      case _ where kept.contains { $0.box.range == box.range }: break
      default: list(box, of: source, into: &builder.listing)
      }
    }
    builder.removeTrailer(from: parts.boxes.last?.range.upperBound ?? 0, of: source)
  }

  /// Lists a box that is not copied.
  static func list(_ box: ISOBox, of source: ByteSource, into listing: inout MetadataListing) {
    let start = box.body.lowerBound
    let content = box.body.dropFirst(16)
    let bytes = source.bytes(in: content, limit: ICCProfile.maximumLength) ?? []
    if box.type == "uuid", source.holds(JP2Metadata.exif, at: start) {
      listing.addExif("uuid Exif", in: content, of: source)
    } else if box.type == "uuid", source.holds(JP2Metadata.xmp, at: start) {
      listing.addXMP("uuid XMP", at: content, of: source, keepsProjection: true)
    } else if box.type == "uuid", source.holds(JP2Metadata.iptc, at: start),
      bytes.first == 0x1C
    {
      listing.addIPTC("uuid IPTC", bytes, at: content.lowerBound)
    } else if box.type == "xml ", listing.takesBlock(),
      let packet = JP2Metadata.packet(in: box, of: source)
    {
      listing.addXMP("xml XMP", packet, at: box.body, isUsed: false)
    } else {
      listing.add(box.type.displayName, at: box.range, isRemoved: true) {
        guard box.type == "xml " else { return nil }
        return MetadataListing.text(in: box.body, of: source)
      }
    }
  }
}
