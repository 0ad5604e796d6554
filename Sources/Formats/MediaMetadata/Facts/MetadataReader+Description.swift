package import MediaContainers
package import MediaModel

extension MetadataReader {
  /// Returns the values of a picture or sound that can be written again; none of a film.
  package static func values(of source: ByteSource, format: MediaFormat) -> KeptMetadata {
    switch FormatReader.of(format).metadata {
    case .none, .film: KeptMetadata()
    case .blocks(let find): find(source, false).merged
    case .values(let values): values(source)
    }
  }

  /// Returns what a file says about itself besides what showing it needs: dates, place, subtypes,
  /// rating, caption, keywords and burst.
  ///
  /// A block that is malformed or missing is not an error: what it would say is absent.
  package static func description(of source: ByteSource, format: MediaFormat) -> MediaDescription {
    let statements = FormatReader.of(format).statements(in: source)
    return statements.description.completed(statements.values)
  }

  /// Returns the facts of a file with its description.
  ///
  /// Date, camera, lens, place, rating and caption are the very values that `except` leaves in a file. Each block is
  /// read once.
  ///
  /// - Throws: As ``facts(of:format:)``.
  package static func describedFacts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    let reader = FormatReader.of(format)
    let statements = reader.statements(in: source)
    var facts = try reader.facts(source, statements.exif)
    facts.take(statements.values, statements.description)
    if statements.motionPhoto?.isFalse(of: facts.embeddedMovie, fileLength: source.length) == true {
      facts.description?.misstatesMovie = true
    }
    return facts
  }
}

extension Facts {
  /// Takes a file's values, and what it says besides.
  mutating func take(_ values: KeptMetadata, _ described: MediaDescription) {
    let completed = described.completed(values)
    description = completed
    if let date = values.creationDate {
      // The tag that it was read from stands there alone.
      creationDate =
        described.dates.first { $0.local == date.local && $0.offsetMinutes == date.offsetMinutes } ?? date
    } else if creationDate?.kind == .written {
      // A date without a time of day, for which the format has no form, rules out that of its header.
      creationDate = nil
    }
    hasLocation = completed.statesPlace
    contentIdentifier = contentIdentifier ?? values.contentIdentifier
    complete(by: values)
  }
}

extension MediaDescription {
  /// Returns the description with the rating, caption and place of a file's values; a title is the caption of a file
  /// that has no other.
  func completed(_ values: KeptMetadata) -> MediaDescription {
    var description = self
    description.rating = values.rating
    description.caption = values.caption ?? values.title
    description.place = values.location.flatMap {
      MediaDescription.Place(latitude: $0.latitude, longitude: $0.longitude)
    }
    description.statesPlace = statesPlace || description.place != nil || values.hasUnreadPlace
    return description
  }
}
