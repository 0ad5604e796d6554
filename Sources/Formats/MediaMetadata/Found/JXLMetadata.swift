import MediaCodecs
package import MediaContainers

/// Finds the metadata boxes of a JPEG XL file: Exif and XMP. Those in `brob`, which are compressed with
/// Brotli, are not read.
///
/// Source: ISO/IEC 18181-2 section 9 (Exif, xml).
package enum JXLMetadata: MetadataBlocks {
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    for box in JXLHeader(of: source)?.boxes ?? [] {
      switch box.type {
      case "Exif":
        if let block = exifBlock(in: box, of: source) { metadata.takeExif(in: block, of: source) }
      case "xml ": metadata.takeXMP(in: box.body, of: source)
      case "jumb": metadata.takeCredentials(in: box.range, of: source)
      default: continue
      }
    }
  }

  /// Returns the range of the TIFF structure in an `Exif` box, as in an item of a HEIF.
  package static func exifBlock(in box: ISOBox, of source: ByteSource) -> Range<Int>? {
    HEIFDescriptionItems.block(in: box.body, of: source)
  }
}
