package import MediaContainers
package import MediaModel

extension MetadataReader {
  /// Returns what a file says about itself besides what showing it needs: dates, place, subtypes,
  /// rating, caption, keywords and burst.
  ///
  /// A block that is malformed or missing is not an error: what it would say is absent.
  package static func description(of source: ByteSource, format: MediaFormat) -> MediaDescription {
    FormatReader.of(format).description(of: source)
  }

  /// Returns the facts of a file with its description; of a JPEG, the most common file, its Exif block is
  /// read once for both.
  ///
  /// - Throws: As ``facts(of:format:)``.
  package static func describedFacts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    guard format == .jpeg else {
      var facts = try facts(of: source, format: format)
      facts.description = description(of: source, format: format)
      facts.compareMovies(fileLength: source.length)
      return facts
    }
    let found = JPEGMetadata.find(in: source, describing: true)
    var facts = try JPEGFacts.facts(of: source, exif: found.exifFacts ?? ExifFacts())
    facts.description = (found.description ?? MediaDescription()).completed(found.merged)
    facts.compareMovies(fileLength: source.length)
    return facts
  }
}

extension Facts {
  /// Notes whether the movie that the description states is not where it says.
  fileprivate mutating func compareMovies(fileLength: Int) {
    guard let stated = description?.statedMovie else { return }
    description?.statedMovie = nil
    if stated.isFalse(of: embeddedMovie, fileLength: fileLength) {
      description?.misstatesMovie = true
    }
  }
}

extension MediaDescription {
  /// Returns the description with the rating, caption and place of a file's values.
  func completed(_ values: KeptMetadata) -> MediaDescription {
    var description = self
    description.rating = values.rating ?? description.rating
    description.caption = values.caption
    description.place = values.location.flatMap {
      MediaDescription.Place(latitude: $0.latitude, longitude: $0.longitude)
    }
    return description
  }
}
