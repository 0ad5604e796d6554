package import MediaContainers
package import MediaModel

/// Writes an Exif block from values.
///
/// The block is a TIFF structure without `Exif\0\0`, big-endian, with at most three directories and
/// no thumbnail. Without kept values it holds the orientation alone.
///
/// Source: Exif 2.32 section 4.6.
package enum ExifWriter {
  private typealias Tag = ExifTagNumber

  /// Returns a block with the given values.
  ///
  /// Exif has no field for a title; ``XMPWriter`` writes it.
  ///
  /// - Parameters:
  ///   - orientation: EXIF's 1 to 8; 1 is not written, because it is the default.
  ///   - kept: Checked values; at most about 7 KiB of block.
  /// - Returns: Nil when there is nothing to write.
  package static func block(orientation: Int, kept: KeptMetadata) -> [UInt8]? {
    var image = textFields(of: kept)
    if (2...8).contains(orientation) { image.append(.short(Tag.orientation, orientation)) }
    let exif = exifFields(of: kept)
    let location = kept.location.map(locationFields) ?? []
    guard !image.isEmpty || !exif.isEmpty || !location.isEmpty else { return nil }
    if !exif.isEmpty { image.append(.long(Tag.exifDirectory, 0)) }
    if !location.isEmpty { image.append(.long(Tag.locationDirectory, 0)) }
    let exifOffset = TIFFWriter.header.count + TIFFWriter.length(of: image)
    let locationOffset = exifOffset + (exif.isEmpty ? 0 : TIFFWriter.length(of: exif))
    for index in image.indices {
      switch image[index].tag {
      case Tag.exifDirectory: image[index] = .long(Tag.exifDirectory, exifOffset)
      case Tag.locationDirectory: image[index] = .long(Tag.locationDirectory, locationOffset)
      default: break
      }
    }
    var block = TIFFWriter.header
    block += TIFFWriter.directory(image, at: block.count)
    if !exif.isEmpty { block += TIFFWriter.directory(exif, at: exifOffset) }
    if !location.isEmpty { block += TIFFWriter.directory(location, at: locationOffset) }
    return block
  }

  /// Returns whether `block` is exactly what ``block(orientation:kept:)`` writes for some
  /// orientation and for values that `options` keep: read, limited and written again, it has the
  /// same bytes.
  package static func isOwn(_ block: [UInt8], under options: StripOptions) -> Bool {
    let source = ByteSource(block)
    guard let tiff = TIFFBlock(source, 0..<block.count) else { return false }
    let values = ExifValues.read(tiff)
    var kept = values.limited(to: options)
    if options.pairingKey != nil, let identifier = values.contentIdentifier,
      LivePhotoIdentifier.isFresh(identifier)
    {
      kept.contentIdentifier = identifier
    }
    return Self.block(orientation: ExifValues.orientation(tiff) ?? 1, kept: kept) == block
  }

  /// Returns the fields of IFD0, also for a TIFF, whose IFD0 is the directory of the picture
  /// itself.
  package static func textFields(of kept: KeptMetadata) -> [TIFFField] {
    var fields: [TIFFField] = []
    let texts = [
      (Tag.imageDescription, kept.caption), (Tag.make, kept.make), (Tag.model, kept.model),
      (Tag.artist, kept.creator), (Tag.copyright, kept.copyright),
    ]
    for (tag, text) in texts {
      if let text { fields.append(.text(tag, text)) }
    }
    if let rating = kept.rating { fields.append(.short(Tag.rating, rating)) }
    return fields
  }

  /// Returns the fields of the Exif directory; empty when it is not needed.
  package static func exifFields(of kept: KeptMetadata) -> [TIFFField] {
    var fields: [TIFFField] = []
    if let date = kept.creationDate {
      let text = DateText.exif(local: date.local)
      fields.append(.text(Tag.dateTimeOriginal, text))
      if let minutes = date.offsetMinutes {
        fields.append(.text(Tag.offsetTimeOriginal, DateText.offset(minutes: minutes)))
      }
    }
    if let note = AppleMakerNote.note(of: kept) {
      fields.append(.undefined(Tag.makerNote, note))
    }
    if !fields.isEmpty { fields.append(.undefined(Tag.exifVersion, Array("0232".utf8))) }
    return fields
  }

  /// Returns the fields of the GPS directory.
  package static func locationFields(of place: Coordinate) -> [TIFFField] {
    var fields: [TIFFField] = [
      .bytes(Tag.locationVersion, [2, 3, 0, 0]),
      .text(Tag.latitudeReference, place.latitude < 0 ? "S" : "N"),
      .rationals(Tag.latitude, rationals(place.latitude)),
      .text(Tag.longitudeReference, place.longitude < 0 ? "W" : "E"),
      .rationals(Tag.longitude, rationals(place.longitude)),
    ]
    if let altitude = place.altitudeMillimetres {
      fields.append(.byte(Tag.altitudeReference, altitude < 0 ? 1 : 0))
      fields.append(.rationals(Tag.altitude, [(abs(altitude), 1000)]))
    }
    return fields
  }

  /// Returns degrees, minutes and seconds; 10⁻⁷ degrees are exactly 36 × 10⁻⁵ seconds.
  private static func rationals(_ units: Int) -> [(above: Int, below: Int)] {
    let seconds = abs(units) * 36
    return [
      (seconds / 360_000_000, 1), (seconds / 6_000_000 % 60, 1), (seconds % 6_000_000, 100_000),
    ]
  }
}
