import MediaCodecs
import MediaContainers

/// Finds the metadata boxes of a JPEG XL file: Exif and XMP. Those in `brob`, which are compressed with
/// Brotli, are not read.
///
/// Source: ISO/IEC 18181-2 section 9 (Exif, xml).
enum JXLMetadata {
  static func find(in source: ByteSource, describing: Bool = false) -> FoundMetadata {
    var found = FoundMetadata(describing: describing)
    for box in JXLHeader(of: source)?.boxes ?? [] {
      switch box.type {
      case "Exif":
        // The offset of the TIFF header comes first.
        guard let offset = source.uint32(at: box.body.lowerBound), offset <= box.body.count - 4
        else { continue }
        found.takeExif(in: box.body.dropFirst(4 + offset), of: source)
      case "xml ": found.takeXMP(in: box.body, of: source)
      default: continue
      }
    }
    return found
  }
}
