package import MediaContainers

/// Finds the EXIF and XMP chunks of a WebP.
package enum WebPMetadata: MetadataBlocks {
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "EXIF": metadata.takeExif(in: chunk.tiff(in: source), of: source)
      case "XMP ": metadata.takeXMP(in: chunk.data, of: source)
      case "C2PA": metadata.takeCredentials(in: chunk.data, of: source)
      default: continue
      }
    }
  }
}
