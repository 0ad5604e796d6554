import MediaCodecs
import MediaContainers

/// Finds the metadata blocks among the image resources of a Photoshop document: Exif, XMP and IPTC.
///
/// Source: Adobe Photoshop file format specification, "Image resource IDs" 0x0404, 0x0422, 0x0424.
enum PSDMetadata {
  private static let exifIdentifier = 0x0422
  private static let xmpIdentifier = 0x0424
  /// The largest resources that are read, in bytes: they hold thumbnails and paths too.
  private static let maximumLength = 16 << 20

  static func find(in source: ByteSource, describing: Bool = false) -> FoundMetadata {
    var metadata = FoundMetadata(describing: describing)
    guard let header = PSDHeader(of: source),
      let bytes = source.bytes(in: header.resources, limit: maximumLength)
    else { return metadata }
    PhotoshopResources.forEach(in: bytes) { identifier, data in
      switch identifier {
      case exifIdentifier: metadata.takeExif(Array(bytes[data]))
      case xmpIdentifier: metadata.takeXMP(Array(bytes[data]))
      default: break
      }
    }
    metadata.takePhotoshop(bytes)
    return metadata
  }
}
