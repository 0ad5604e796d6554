package import MediaContainers

/// Finds the EXIF and XMP chunks of a WebP.
package enum WebPMetadata {
  /// Returns the metadata of a WebP.
  package static func find(
    in source: ByteSource,
    describing: Bool = false
  ) -> FoundMetadata {
    var found = FoundMetadata(describing: describing)
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "EXIF": found.takeExif(in: chunk.tiff(in: source), of: source)
      case "XMP ": found.takeXMP(in: chunk.data, of: source)
      default: continue
      }
    }
    return found
  }
}
