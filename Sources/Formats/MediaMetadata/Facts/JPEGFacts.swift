import MediaContainers
package import MediaModel

/// Reads the facts of a JPEG.
enum JPEGFacts {
  /// Reads the facts; `exif` is that of the Exif block where it was read already.
  static func facts(
    of source: ByteSource,
    exif read: ExifFacts?
  ) throws(MetadataError) -> Facts {
    let header = try JPEGHeader(of: source)
    var size = header.pixelSize
    if size.height == 0 { size.height = try JPEGHeader.numberOfLines(of: source) }
    let exif = read ?? exif(of: source, header: header)
    var facts = Facts(format: .jpeg, pixelSize: size, exif: exif)
    facts.embeddedMovie = MotionPhoto.movie(in: source, format: .jpeg)
    return facts
  }

  /// Returns the facts of the first Exif segment; no facts when there is none, or the file is not
  /// a JPEG.
  static func exif(of source: ByteSource) -> ExifFacts {
    guard let header = try? JPEGHeader(of: source) else { return ExifFacts() }
    return exif(of: source, header: header)
  }

  private static func exif(
    of source: ByteSource,
    header: JPEGHeader
  ) -> ExifFacts {
    guard let range = header.exif else { return ExifFacts() }
    return ExifReader.facts(of: source, in: range)
  }
}

extension Facts {
  /// Creates the facts of a picture whose metadata are an Exif block.
  package init(format: MediaFormat, pixelSize: PixelSize, exif: ExifFacts) {
    self.init(format: format, pixelSize: pixelSize)
    orientation = exif.orientation
    creationDate = exif.creationDate
    contentIdentifier = exif.contentIdentifier
    burstIdentifier = exif.burstIdentifier
    complete(by: exif.names)
  }
}
