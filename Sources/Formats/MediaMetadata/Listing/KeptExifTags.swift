package import MediaContainers
package import MediaModel

/// Tells which tags of an Exif block, or of a TIFF page, `strip` writes again.
///
/// Only tags whose values the reader takes count: a date in the wrong directory, a location without
/// its direction and a second date are removed although `except` names their kind.
package struct KeptExifTags {
  private typealias Tag = ExifTagNumber

  private let values: KeptMetadata
  /// The tag of the date that is used, as ``CaptureDate/tag``.
  private let dateTag: String?
  /// The tag of the caption that is used.
  private let captionTag: Int?
  /// The tag of the rating that is used.
  private let ratingTag: Int?

  /// Reads the tags of `block` that `options` keep.
  package init(_ block: TIFFBlock, options: StripOptions) {
    guard options.wantsValues else {
      (values, dateTag, captionTag, ratingTag) = (KeptMetadata(), nil, nil, nil)
      return
    }
    let exif = ExifHandle(block)
    values = exif.values.limited(to: options)
    dateTag = values.creationDate == nil ? nil : exif.facts.creationDate?.tag
    captionTag = values.caption == nil ? nil : exif.caption?.tag
    ratingTag = values.rating == nil ? nil : exif.rating?.tag
  }

  /// Returns whether the value of an entry of `block` is written again; `directory` is the name of
  /// its directory: `IFD0`, `ExifIFD` or `GPS`. Others keep nothing.
  package func contains(
    _ entry: TIFFEntry,
    in directory: String,
    of block: TIFFBlock
  ) -> Bool {
    switch directory {
    case "IFD0": containsImageTag(entry, of: block)
    case "ExifIFD": containsExifTag(entry, of: block)
    case "GPS": containsLocationTag(entry, of: block)
    default: false
    }
  }

  private func containsImageTag(_ entry: TIFFEntry, of block: TIFFBlock) -> Bool {
    switch entry.tag {
    case Tag.orientation: (2...8).contains(block.number(entry) ?? 1)
    case Tag.artist: values.creator != nil
    case Tag.copyright: values.copyright != nil
    case Tag.imageDescription, Tag.xpComment: captionTag == entry.tag
    case Tag.xpTitle: values.title != nil
    case Tag.rating, Tag.ratingPercent: ratingTag == entry.tag
    case Tag.dateTime: dateTag == "DateTime"
    default: values.names(in: .image).contains { $0.tag == entry.tag }
    }
  }

  private func containsExifTag(_ entry: TIFFEntry, of block: TIFFBlock) -> Bool {
    switch entry.tag {
    case Tag.userComment: captionTag == Tag.userComment
    case Tag.dateTimeOriginal, Tag.offsetTimeOriginal: dateTag == "DateTimeOriginal"
    case Tag.dateTimeDigitized, Tag.offsetTimeDigitized: dateTag == "DateTimeDigitized"
    case Tag.offsetTime: dateTag == "DateTime"
    // The version belongs to a directory that is written again.
    case Tag.exifVersion:
      (dateTag != nil || note != nil || !values.names(in: .exif).isEmpty)
        && holds(Array("0232".utf8), entry, of: block)
    case Tag.makerNote: note.map { holds($0, entry, of: block) } ?? false
    default: values.names(in: .exif).contains { $0.tag == entry.tag }
    }
  }

  private func containsLocationTag(_ entry: TIFFEntry, of block: TIFFBlock) -> Bool {
    guard let location = values.location else { return false }
    return switch entry.tag {
    case Tag.locationVersion: holds([2, 3, 0, 0], entry, of: block)
    case Tag.latitudeReference...Tag.longitude: true
    case Tag.altitudeReference, Tag.altitude: location.altitudeMillimeters != nil
    default: false
    }
  }

  /// Returns the latitude or longitude that is written in place of an entry's, as fractions; nil for any
  /// other entry. It differs from the file's where the place is kept coarse.
  func degrees(_ entry: TIFFEntry) -> String? {
    guard let coordinate = values.location else { return nil }
    let units: Int
    switch entry.tag {
    case Tag.latitude: units = coordinate.latitude
    case Tag.longitude: units = coordinate.longitude
    default: return nil
    }
    return ExifHandle.fractions(units).map { "\($0.above)/\($0.below)" }.joined(separator: " ")
  }

  /// The maker note that is written, with the numbers of a gain map.
  private var note: [UInt8]? {
    AppleMakerNote(contentIdentifier: nil, brightness: values.brightness).bytes
  }

  private func holds(_ bytes: [UInt8], _ entry: TIFFEntry, of block: TIFFBlock) -> Bool {
    entry.value.count == bytes.count && block.source.holds(bytes, at: entry.value.lowerBound)
  }
}
