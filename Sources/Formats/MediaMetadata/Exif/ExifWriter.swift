package import MediaContainers
package import MediaModel

/// Writes an Exif block from values, through libexif.
///
/// The block is a TIFF structure without `Exif\0\0`, big-endian, with at most three directories and
/// no thumbnail. Without kept values it holds the orientation alone.
///
/// Source: Exif 2.32 section 4.6.
package enum ExifWriter {
  /// Returns a block with the given values.
  ///
  /// Exif has no field for a title; ``XMPWriter`` writes it.
  ///
  /// - Parameters:
  ///   - orientation: EXIF's 1 to 8; 1 is not written, because it is the default.
  ///   - kept: Checked values; at most about 7 KiB of block.
  /// - Returns: Nil when there is nothing to write.
  package static func block(orientation: Int, kept: KeptMetadata) -> [UInt8]? {
    let exif = ExifHandle()
    exif.add(kept, orientation: orientation)
    return exif.block()
  }

  /// Returns whether `block` is exactly what ``block(orientation:kept:)`` writes for some
  /// orientation and for values that `options` keep: read, limited and written again, it has the
  /// same bytes.
  package static func isOwn(_ block: [UInt8], under options: StripOptions) -> Bool {
    guard let tiff = TIFFBlock(ByteSource(block), 0..<block.count) else { return false }
    let exif = ExifHandle(tiff)
    let values = exif.values
    var kept = values.limited(to: options)
    if options.pairingKey != nil, let identifier = values.contentIdentifier,
      LivePhotoIdentifier.isFresh(identifier)
    {
      kept.contentIdentifier = identifier
    }
    return Self.block(orientation: exif.orientation ?? 1, kept: kept) == block
  }

  /// Returns a date as Exif writes it, with spaces for what is not known: `1978:06:     :  :  `.
  package static func text(of date: CaptureDate) -> String { DateText.exif(date) }

  /// Returns the position in a block; nil without one.
  package static func place(in block: TIFFBlock) -> Coordinate? {
    ExifHandle(block).values.location
  }

  /// Returns the fields of a TIFF, whose IFD0 is the directory of the picture itself, with their
  /// values in `order`.
  ///
  /// - Returns: The fields of IFD0, and those of the Exif and the GPS directory with the tag that
  ///   points to it, unless they are empty.
  package static func fields(
    of kept: KeptMetadata,
    order: ByteOrder
  ) -> (image: [TIFFField], directories: [(pointer: Int, fields: [TIFFField])]) {
    let exif = ExifHandle(order: order)
    exif.add(kept)
    var directories: [(pointer: Int, fields: [TIFFField])] = []
    for directory in ExifDirectory.allCases {
      let fields = exif.fields(in: directory)
      if let pointer = directory.pointer, !fields.isEmpty { directories.append((pointer, fields)) }
    }
    return (exif.fields(in: .image), directories)
  }
}

extension ExifHandle {
  private typealias Tag = ExifTagNumber

  /// Adds entries in the order of their tags, since libexif writes their values in the order of
  /// addition.
  fileprivate func add(_ kept: KeptMetadata, orientation: Int = 1) {
    add(Tag.imageDescription, kept.caption, to: .image)
    for (tag, text) in kept.names(in: .image) { add(tag, text, to: .image) }
    if (2...8).contains(orientation) { add(Tag.orientation, short: orientation, to: .image) }
    add(Tag.artist, kept.creator, to: .image)
    // The tag is unsigned: that a picture is rejected, XMP alone can say.
    if let rating = kept.rating, rating >= 0 { add(Tag.rating, short: rating, to: .image) }
    add(Tag.copyright, kept.copyright, to: .image)
    let note = AppleMakerNote(contentIdentifier: kept.contentIdentifier, brightness: kept.brightness).bytes
    let names = kept.names(in: .exif)
    if kept.creationDate != nil || note != nil || !names.isEmpty {
      add(Tag.exifVersion, bytes: Array("0232".utf8), isUndefined: true, to: .exif)
    }
    add(Tag.dateTimeOriginal, kept.creationDate.map(DateText.exif), to: .exif)
    add(Tag.offsetTimeOriginal, kept.creationDate?.offsetMinutes.map(CivilDate.offset), to: .exif)
    if let note { add(Tag.makerNote, bytes: note, isUndefined: true, to: .exif) }
    add(Tag.fractionOriginal, kept.creationDate?.fraction, to: .exif)
    for (tag, text) in names { add(tag, text, to: .exif) }
    if let location = kept.location { add(location) }
  }

  private func add(_ coordinate: Coordinate) {
    add(Tag.locationVersion, bytes: [2, 3, 0, 0], to: .location)
    add(Tag.latitudeReference, coordinate.latitude < 0 ? "S" : "N", to: .location)
    add(Tag.latitude, Self.fractions(coordinate.latitude), to: .location)
    add(Tag.longitudeReference, coordinate.longitude < 0 ? "W" : "E", to: .location)
    add(Tag.longitude, Self.fractions(coordinate.longitude), to: .location)
    guard let altitude = coordinate.altitudeMillimeters else { return }
    add(Tag.altitudeReference, bytes: [altitude < 0 ? 1 : 0], to: .location)
    add(Tag.altitude, [ExifValue.Fraction(above: abs(altitude), below: 1000)], to: .location)
  }

  /// Returns degrees, minutes and seconds; 10⁻⁷ degrees are exactly 36 × 10⁻⁵ seconds.
  static func fractions(_ units: Int) -> [ExifValue.Fraction] {
    let seconds = abs(units) * 36
    return [
      ExifValue.Fraction(above: seconds / 360_000_000, below: 1),
      ExifValue.Fraction(above: seconds / 6_000_000 % 60, below: 1),
      ExifValue.Fraction(above: seconds % 6_000_000, below: 100_000),
    ]
  }
}
