import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  /// Returns the extended packet whose first part is in `first`, and the others in the segments that
  /// follow; as far as it goes on.
  ///
  /// Source: XMP part 3, section 1.1.3.1: identifier, 32 bytes of a digest, length, offset, data.
  private static func extendedPacket(from first: JPEGSegment, of source: ByteSource) -> [UInt8] {
    let identifier = "http://ns.adobe.com/xmp/extension/\0"
    let head = 4 + identifier.utf8.count
    var packet: [UInt8] = []
    var start = first.range.lowerBound
    while packet.count <= FoundMetadata.maximumBlockLength, source.uint16(at: start) == 0xFFE1,
      source.holds(identifier, at: start + 4), let length = source.uint16(at: start + 2),
      source.uint32(at: start + head + 36) == packet.count, length > head + 38,
      let part = source.bytes(in: (start + head + 40)..<(start + 2 + length), limit: 1 << 16)
    {
      packet += part
      start += 2 + length
    }
    return packet
  }

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
    case "APP1 Exif" where !isAfterScan && body.count > 6:
      listing.addExif(name, in: body.dropFirst(6), of: source, isUsed: isUsed)
    case "APP1 XMP" where !isAfterScan:
      let packet = bytes(JPEGMetadata.xmpIdentifier)
      listing.addXMP(name, packet, at: body, isUsed: isUsed, keepsProjection: true)
    case "APP1 ExtendedXMP" where !isAfterScan && isUsed:
      listing.addXMP(name, extendedPacket(from: segment, of: source), at: body, isUsed: false)
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
}
