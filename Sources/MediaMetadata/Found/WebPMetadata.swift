package import MediaContainers

/// Finds a WebP's EXIF and XMP chunks.
package enum WebPMetadata {
  package static func find(in source: ByteSource) -> FoundMetadata {
    var found = FoundMetadata()
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "EXIF":
        let isPrefixed = chunk.data.count > 6 && source.holds("Exif\0\0", at: chunk.data.lowerBound)
        found.takeExif(in: chunk.data.dropFirst(isPrefixed ? 6 : 0), of: source)
      case "XMP ": found.takeXMP(in: chunk.data, of: source)
      default: continue
      }
    }
    return found
  }
}
