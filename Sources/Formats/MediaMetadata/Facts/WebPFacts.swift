package import MediaContainers
package import MediaModel

/// Reads the facts of a WebP.
///
/// Source: WebP Container Specification; RFC 9649 sections 2 and 3.
package enum WebPFacts {
  /// Returns the facts of a WebP; `read` is those of the Exif block where it was read already.
  ///
  /// - Throws: `damaged` when the file has no picture of known size.
  package static func facts(
    of source: ByteSource,
    exif read: ExifFacts? = nil
  ) throws(MetadataError) -> Facts {
    var canvas: PixelSize?
    var picture: PixelSize?
    var exif = read ?? ExifFacts()
    var sawExif = read != nil
    var animation = AnimationLength()
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "VP8X": canvas = canvas ?? chunk.canvas(in: source)
      case "VP8 ", "VP8L": picture = picture ?? WebPBitstream(chunk, in: source)?.size
      case "EXIF" where !sawExif:
        sawExif = true
        let block = chunk.tiff(in: source).prefix(TIFFBlock.maximumEmbeddedLength)
        exif = ExifReader.facts(of: source, in: block)
      case "ANMF":
        let duration = source.number(at: chunk.data.lowerBound + 12, count: 3, order: .little)
        animation.add(milliseconds: duration ?? 0)
      default: continue
      }
    }
    guard let size = canvas ?? picture else {
      throw MetadataError(.damaged, "no VP8, VP8L or VP8X that makes sense")
    }
    var facts = Facts(format: .webp, pixelSize: size, exif: exif)
    animation.write(to: &facts)
    return facts
  }
}
