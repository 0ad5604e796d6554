package import MediaContainers
package import MediaModel

/// The largest JPEG that a camera wrote into its raw file, to be published instead of it.
package struct RawPreview {
  /// The range of the JPEG in the raw file.
  package let range: Range<Int>
  /// The facts of the JPEG as a file of its own; orientation, date, camera and location are the raw
  /// file's, because cameras write them there.
  package let facts: Facts
  /// The metadata of the raw file, or else of the preview.
  package let metadata: FoundMetadata

  /// Finds the preview of a raw file.
  ///
  /// - Returns: Nil for a format whose previews are not read (CR3), and for a file without one that
  ///   can be shown.
  /// - Throws: `damaged` when the file does not have the structure of a raw file.
  package init?(of source: ByteSource, format: MediaFormat) throws(MetadataError) {
    let rawMetadata = RawFacts.find(in: source, format, describing: true)
    let raw = try RawFacts.facts(of: source, format: format, exif: rawMetadata.exifFacts)
    guard let range = RawFacts.preview(of: source, format: format),
      let size = RawPreviews.size(of: ByteSource(source, range))
    else { return nil }
    self.range = range
    var facts = raw
    (facts.format, facts.pixelSize) = (.jpeg, size)
    metadata =
      rawMetadata.merged.isEmpty
      ? JPEGMetadata.find(in: ByteSource(source, range), describing: true) : rawMetadata
    let values = metadata.merged
    facts.take(values, metadata.description ?? MediaDescription())
    // No other date is written.
    if values.creationDate == nil { facts.creationDate = nil }
    // Its still would be another picture than the one that belongs to a movie.
    facts.contentIdentifier = nil
    self.facts = facts
  }
}
