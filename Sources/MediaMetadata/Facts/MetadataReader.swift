package import MediaContainers
package import MediaModel

/// Reads the facts of a media file.
package enum MetadataReader {
  /// Returns the facts of `source`, which has the given format.
  ///
  /// Pixel size is as stored, width before height. Orientation is EXIF's 1 to 8; for HEIC and AVIF
  /// it combines irot and imir, for a movie it is the matrix of its track. The date is the first
  /// valid one of DateTimeOriginal, DateTimeDigitized and DateTime, with its offset. Durations are
  /// in milliseconds. A metadata block that is malformed or missing is not an error: its facts are
  /// absent.
  ///
  /// - Throws: `damaged` when the container is too broken to have a size or, for a movie or audio,
  ///   a header.
  package static func facts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    switch format {
    case .jpeg: try JPEGFacts.facts(of: source)
    case .png: try PNGFacts.facts(of: source)
    case .gif: try GIFFacts.facts(of: source)
    case .webp: try WebPFacts.facts(of: source)
    case .tiff: try TIFFFacts.facts(of: source)
    case .bmp: try BMPFacts.facts(of: source)
    case .psd, .psb, .tga, .jp2, .j2k, .pnm, .ico, .pcx, .sgi, .dds, .xcf, .jxl:
      try HeaderFacts.facts(of: source, format: format)
    case .heic, .avif: try HEIFFacts.facts(of: source, format: format)
    case .mp4, .mov, .threeGP, .m4a, .threeGA:
      try MovieFacts.facts(of: source, format: format)
    case .wav: try WAVFacts.facts(of: source)
    case .flac: try FLACFacts.facts(of: source)
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf:
      try RawFacts.facts(of: source, format: format)
    case .mkv, .webm, .mka, .weba: try MatroskaFacts.facts(of: source, format: format)
    case .avi: try AVIFacts.facts(of: source)
    case .wmv, .wma: try ASFFacts.facts(of: source, format: format)
    case .ts, .m2ts: try TransportStreamFacts.facts(of: source, format: format)
    case .mp3: try MP3Facts.facts(of: source)
    case .aac: try ADTSFacts.facts(of: source)
    case .aiff: try AIFFFacts.facts(of: source)
    case .ogg, .ogv: try OggFacts.facts(of: source, format: format)
    }
  }
}
