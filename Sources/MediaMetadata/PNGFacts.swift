import MediaModel

/// What a PNG says about itself: its header, and its eXIf chunk.
///
/// "Raw profile type exif" texts, an older way that needs zlib, are not read.
enum PNGFacts {
  static func facts<Source: ByteSource>(of source: Source) throws(MetadataError) -> Facts {
    let header = try PNGHeader(of: source)
    return Facts(format: .png, pixelSize: header.pixelSize, exif: exif(of: source, header: header))
  }

  /// The eXIf chunk's content; no facts when there is none, or the file is no PNG.
  static func exif<Source: ByteSource>(of source: Source) -> ExifFacts {
    guard let header = try? PNGHeader(of: source) else { return ExifFacts() }
    return exif(of: source, header: header)
  }

  private static func exif<Source: ByteSource>(of source: Source, header: PNGHeader) -> ExifFacts {
    guard let range = header.exif else { return ExifFacts() }
    return ExifReader.facts(of: source, in: range.prefix(ExifBlock.maximumLength))
  }
}
