package import MediaContainers

/// Finds a JPEG's metadata blocks: Exif and XMP in APP1, IPTC within Photoshop's APP13 or behind the picture,
/// and CIFF in APP0.
package enum JPEGMetadata: MetadataBlocks {
  /// The identifier of an APP1 segment with an XMP packet.
  package static let xmpIdentifier = "http://ns.adobe.com/xap/1.0/\0"
  /// The identifier of an APP13 segment with Photoshop's resources.
  package static let photoshopIdentifier = "Photoshop 3.0\0"

  /// Reads the blocks before the first scan, and those at the end of the file.
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    readSegments(of: source, into: &metadata)
    metadata.takeTrailers(of: source)
  }

  /// Whether datasets of IPTC-IIM stand before the first scan, so that those behind the picture are not read.
  package static func hasIPTC(_ source: ByteSource) -> Bool {
    var metadata = FoundMetadata()
    readSegments(of: source, into: &metadata)
    return metadata.iptc != nil
  }

  private static func readSegments(of source: ByteSource, into metadata: inout FoundMetadata) {
    var photoshop: [UInt8] = []
    for segment in JPEGSegments(source) {
      let start = segment.body.lowerBound
      switch segment.marker {
      case JPEGMarker.app0: metadata.takeCIFF(in: segment.body, of: source)
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
  }
}
