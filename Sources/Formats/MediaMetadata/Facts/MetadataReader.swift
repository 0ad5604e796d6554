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
    let reader = FormatReader.of(format)
    // Of a picture's blocks, the Exif block alone is read without a description.
    if case .blocks = reader.metadata { return try reader.facts(source, nil) }
    var facts = try describedFacts(of: source, format: format)
    facts.description = nil
    return facts
  }
}
