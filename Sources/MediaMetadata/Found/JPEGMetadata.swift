package import MediaContainers

/// Finds a JPEG's metadata blocks: Exif and XMP in APP1, IPTC within Photoshop's APP13.
package enum JPEGMetadata {
  /// The identifier of an APP1 segment with an XMP packet.
  package static let xmpIdentifier = "http://ns.adobe.com/xap/1.0/\0"
  /// The identifier of an APP13 segment with Photoshop's resources.
  package static let photoshopIdentifier = "Photoshop 3.0\0"

  /// Returns how a picture of all around is shown, from its first XMP packet; nil for any other.
  package static func projection(in source: ByteSource) -> XMPProjection? {
    for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app1 {
      guard source.holds(xmpIdentifier, at: segment.body.lowerBound) else { continue }
      let range = segment.body.dropFirst(xmpIdentifier.utf8.count)
      guard let packet = source.bytes(in: range, limit: 1 << 16),
        XMPProjection.isMentioned(in: packet)
      else { return nil }
      return XMPProjection(XMPProperties(packet))
    }
    return nil
  }

  /// Returns the metadata before the first scan.
  package static func find(
    in source: ByteSource,
    describing: Bool = false
  ) -> FoundMetadata {
    var metadata = FoundMetadata(describing: describing)
    var photoshop: [UInt8] = []
    for segment in JPEGSegments(source) {
      let start = segment.body.lowerBound
      switch segment.marker {
      case JPEGMarker.app1:
        if source.holds("Exif\0", at: start), segment.body.count > 6 {
          metadata.takeExif(in: segment.body.dropFirst(6), of: source)
        } else if source.holds(xmpIdentifier, at: start) {
          metadata.takeXMP(in: segment.body.dropFirst(xmpIdentifier.utf8.count), of: source)
        }
      case JPEGMarker.app13:
        // The resources may continue in the next segment.
        let data = segment.body.dropFirst(photoshopIdentifier.utf8.count)
        if source.holds(photoshopIdentifier, at: start),
          photoshop.count + data.count <= FoundMetadata.maximumBlockLength
        {
          photoshop += source.bytes(in: data, limit: data.count) ?? []
        }
      default: break
      }
    }
    metadata.takePhotoshop(photoshop)
    return metadata
  }
}
