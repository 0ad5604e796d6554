package import MediaContainers
package import MediaModel

/// Reads the facts of a WebP.
///
/// Source: WebP Container Specification; RFC 9649 sections 2 and 3; RFC 6386 section 9.1.
package enum WebPFacts {
  /// Returns the facts of a WebP.
  ///
  /// - Throws: `damaged` when the file has no picture of known size.
  package static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    var canvas: PixelSize?
    var picture: PixelSize?
    var exif = ExifFacts()
    var sawExif = false
    var animation = AnimationLength()
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "VP8X": canvas = canvas ?? self.canvas(chunk, in: source)
      case "VP8 ": picture = picture ?? lossy(chunk, in: source)
      case "VP8L": picture = picture ?? lossless(chunk, in: source)
      case "EXIF" where !sawExif:
        sawExif = true
        let start = chunk.data.lowerBound
        let isPrefixed = chunk.data.count > 6 && source.holds("Exif\0\0", at: start)
        let block = (isPrefixed ? start + 6 : start)..<chunk.data.upperBound
        exif = ExifReader.facts(of: source, in: block.prefix(TIFFBlock.maximumEmbeddedLength))
      case "ANMF":
        let duration = source.unsigned(at: chunk.data.lowerBound + 12, count: 3, order: .little)
        animation.add(milliseconds: Int(duration ?? 0))
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

  private static func canvas(
    _ chunk: RIFFChunk,
    in source: ByteSource
  ) -> PixelSize? {
    guard chunk.data.count >= 10,
      let width = source.unsigned(at: chunk.data.lowerBound + 4, count: 3, order: .little),
      let height = source.unsigned(at: chunk.data.lowerBound + 7, count: 3, order: .little)
    else { return nil }
    return PixelSize(width: Int(width) + 1, height: Int(height) + 1)
  }

  private static func lossy(
    _ chunk: RIFFChunk,
    in source: ByteSource
  ) -> PixelSize? {
    let start = chunk.data.lowerBound
    guard chunk.data.count >= 10, source.holds([0x9D, 0x01, 0x2A], at: start + 3),
      let width = source.uint16(at: start + 6, order: .little),
      let height = source.uint16(at: start + 8, order: .little)
    else { return nil }
    // The two highest bits are a scale.
    return size(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  private static func lossless(
    _ chunk: RIFFChunk,
    in source: ByteSource
  ) -> PixelSize? {
    let start = chunk.data.lowerBound
    guard chunk.data.count >= 5, source.byte(at: start) == 0x2F,
      let bits = source.uint32(at: start + 1, order: .little)
    else { return nil }
    return size(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
  }

  private static func size(width: Int, height: Int) -> PixelSize? {
    width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
