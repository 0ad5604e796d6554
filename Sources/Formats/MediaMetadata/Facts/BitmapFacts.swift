import MediaContainers
import MediaModel

/// Reads the facts of a GIF: its size and the duration of its animation.
///
/// Source: GIF89a sections 18, Logical Screen Descriptor, and 23, Graphic Control Extension.
enum GIFFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    guard let width = source.uint16(at: 6, order: .little),
      let height = source.uint16(at: 8, order: .little)
    else { throw MetadataError(.damaged, "no logical screen") }
    // Some writers leave the screen empty; the first picture then defines its size.
    let size =
      width > 0 && height > 0
      ? PixelSize(width: width, height: height) : firstImageSize(of: source)
    guard let size else { throw MetadataError(.damaged, "a picture of no size") }
    var facts = Facts(format: .gif, pixelSize: size)
    length(of: source).write(to: &facts)
    return facts
  }

  /// Returns the length of the complete part of the animation.
  private static func length(of source: ByteSource) -> AnimationLength {
    var length = AnimationLength()
    guard var parser = try? GIFParser(source) else { return length }
    var hundredths = 0
    while let block = try? parser.next() {
      switch block {
      case .graphicControl(let range):
        hundredths = source.uint16(at: range.lowerBound + 4, order: .little) ?? 0
      case .image:
        length.add(milliseconds: hundredths * 10)
        hundredths = 0
      default: continue
      }
    }
    return length
  }

  /// Returns the size in the first image descriptor, after the color table and the extensions.
  private static func firstImageSize(of source: ByteSource) -> PixelSize? {
    guard var parser = try? GIFParser(source, isLenient: true) else { return nil }
    while let block = try? parser.next() {
      if case .image(let image) = block { return image.pixelCount > 0 ? image.size : nil }
    }
    return nil
  }
}

/// Reads the facts of a BMP: its size.
///
/// Source: Microsoft, BITMAPCOREHEADER and BITMAPINFOHEADER.
enum BMPFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    guard let size = BMPHeader.size(of: source) else {
      throw MetadataError(.damaged, "a picture of no size")
    }
    return Facts(format: .bmp, pixelSize: size)
  }
}
