package import MediaContainers
package import MediaModel

extension MetadataReader {
  /// Returns what a file says about itself besides what showing it needs: dates, place, subtypes,
  /// rating, caption, keywords and burst.
  ///
  /// A block that is malformed or missing is not an error: what it would say is absent.
  package static func description(of source: ByteSource, format: MediaFormat) -> MediaDescription {
    let (values, description) = FormatReader.of(format).described(of: source)
    return description.completed(values)
  }

  /// Returns the values of a picture or sound that can be written again; none of a film.
  package static func values(of source: ByteSource, format: MediaFormat) -> KeptMetadata {
    switch FormatReader.of(format).metadata {
    case .none, .movie: KeptMetadata()
    case .blocks(let find): find(source, false).merged
    case .values(let values): values(source)
    }
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
      let reader = FormatReader.of(format)
      var facts = try reader.facts(source)
      if case .blocks(let find) = reader.metadata {
        facts.describe(by: find(source, true), fileLength: source.length)
      } else {
        let (values, description) = reader.described(of: source)
        facts.takeDescription(description, values)
      }
      return facts
    }
    let metadata = JPEGMetadata.find(in: source, describing: true)
    var facts = try JPEGFacts.facts(of: source, exif: metadata.exifFacts ?? ExifFacts())
    facts.describe(by: metadata, fileLength: source.length)
    return facts
  }
}

extension Facts {
  /// Takes the description in a file's blocks, and notes whether a movie that they state is not there.
  fileprivate mutating func describe(by metadata: FoundMetadata, fileLength: Int) {
    let values = metadata.merged
    takeDescription(metadata.description ?? MediaDescription(), values)
    if camera == nil, let names = metadata.ciff {
      let (make, model) = (names.make.map { Array($0.utf8) }, names.model.map { Array($0.utf8) })
      camera = CameraName.camera(make: make, model: model)
    }
    if metadata.motionPhoto?.isFalse(of: embeddedMovie, fileLength: fileLength) == true {
      description?.misstatesMovie = true
    }
  }
}

extension Facts {
  /// Takes a description, and the facts that a file's values are.
  fileprivate mutating func takeDescription(_ described: MediaDescription, _ values: KeptMetadata) {
    let completed = described.completed(values)
    description = completed
    hasLocation = completed.statesPlace
    complete(by: values)
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
    description.statesPlace = statesPlace || description.place != nil || values.hasUnreadPlace
    return description
  }
}
