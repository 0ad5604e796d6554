import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  /// Returns the extended packets whose parts are in segments before the first scan, in the order of their
  /// digests in the file, each as far as it has no gap.
  ///
  /// Source: XMP part 3, section 1.1.3.1: identifier, 32 bytes of a digest, length, offset, data.
  private static func extendedPackets(of source: ByteSource) -> [[UInt8]] {
    let identifier = "http://ns.adobe.com/xmp/extension/\0"
    var digests: [[UInt8]] = []
    var parts: [[UInt8]: [(offset: Int, range: Range<Int>)]] = [:]
    for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app1 {
      let digest = segment.body.lowerBound + identifier.utf8.count
      guard source.holds(identifier, at: segment.body.lowerBound), segment.body.upperBound > digest + 40,
        let name = source.bytes(in: digest..<(digest + 32), limit: 32),
        let offset = source.uint32(at: digest + 36)
      else { continue }
      if parts[name] == nil { digests.append(name) }
      parts[name, default: []].append((offset, (digest + 40)..<segment.body.upperBound))
    }
    return digests.map { name in
      var packet: [UInt8] = []
      for part in (parts[name] ?? []).sorted(by: { $0.offset < $1.offset })
      where part.offset == packet.count && packet.count <= FoundMetadata.maximumBlockLength {
        packet += source.bytes(in: part.range, limit: 1 << 16) ?? []
      }
      return packet
    }
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
    case "APP0 CIFF": addCIFF(in: body, of: source, isUsed: isUsed && !isAfterScan, to: &listing)
    case "APP1 Exif" where body.count > 6:
      listing.addExif(name, in: body.dropFirst(6), of: source, isUsed: isUsed && !isAfterScan)
    case "APP1 XMP":
      let packet = bytes(JPEGMetadata.xmpIdentifier)
      let isRead = isUsed && !isAfterScan
      listing.addXMP(name, packet, at: body, isUsed: isRead, keepsProjection: true)
    case "APP1 ExtendedXMP" where !isAfterScan && isUsed:
      for packet in extendedPackets(of: source) where listing.takesBlock() {
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
