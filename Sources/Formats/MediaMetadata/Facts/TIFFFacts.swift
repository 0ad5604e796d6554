import MediaContainers
import MediaModel

/// Reads the facts of a TIFF; the whole file is one Exif block.
enum TIFFFacts {
  /// Reads the facts; `read` is those of the Exif tags where they were read already.
  static func facts(of source: ByteSource, exif read: ExifFacts?) throws(MetadataError) -> Facts {
    guard let block = TIFFBlock(file: source) else {
      throw MetadataError(.damaged, "no TIFF header")
    }
    var width: Int?
    var height: Int?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      switch entry.tag {
      case TIFFTag.imageWidth: width = width ?? block.number(entry)
      case TIFFTag.imageLength: height = height ?? block.number(entry)
      default: break
      }
    }
    guard let width, let height, width > 0, height > 0 else {
      throw MetadataError(.damaged, "a first directory without a size")
    }
    var facts = Facts(
      format: .tiff,
      pixelSize: PixelSize(width: width, height: height),
      exif: read ?? ExifReader.facts(of: block)
    )
    let pages = TIFFPages(source).prefix(maximumPages).reduce(0) { count, _ in count + 1 }
    if pages > 1 { facts.frameCount = pages }
    return facts
  }

  private static let maximumPages = 1_000_000
}
