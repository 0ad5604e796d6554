package import MediaContainers
package import MediaModel

/// The facts in an Exif block.
package struct ExifFacts {
  /// The EXIF orientation, 1 to 8.
  package var orientation = 1
  /// The date of capture.
  package var creationDate: CaptureDate?
  /// Apple's content identifier of a live photo.
  package var contentIdentifier: String?
  /// The identifier that the pictures of one of Apple's bursts share.
  package var burstIdentifier: String?
  /// The names of the device.
  var names = KeptMetadata()

  /// The make and model of the camera.
  package var camera: String? { CameraName.camera(make: names.make, model: names.model) }
}

/// Reads Exif blocks through libexif; malformed values are absent, never an error.
package enum ExifReader {
  /// Returns the facts of the TIFF block in `range`.
  package static func facts(of source: ByteSource, in range: Range<Int>) -> ExifFacts {
    TIFFBlock(source, range).map(facts(of:)) ?? ExifFacts()
  }

  /// Returns the facts of a TIFF block.
  package static func facts(of block: TIFFBlock) -> ExifFacts {
    ExifHandle(block).facts
  }

  /// Returns the value of one entry, or of its first 1024 bytes; nil for a type that is not shown.
  package static func value(of entry: TIFFEntry, in block: TIFFBlock) -> ExifValue? {
    ExifHandle.value(of: entry, in: block)
  }
}

extension ExifHandle {
  private typealias Tag = ExifTagNumber

  /// Reads IFD0, its Exif and its GPS directory, each once.
  init(_ block: TIFFBlock) {
    self.init(order: block.order)
    for directory in ExifDirectory.allCases {
      var offset = block.firstDirectory
      if let pointer = directory.pointer {
        guard let number = block.pointer(pointer), number != offset else { continue }
        offset = number
      }
      read(directory, tags: directory.tags, at: offset, of: block)
      if directory == .exif { note = AppleMakerNote(ofDirectoryAt: offset, of: block) }
      if directory == .location { noteUnreadPlace(inDirectoryAt: offset, of: block) }
    }
  }

  var facts: ExifFacts { facts(creationDate, names) }

  /// The facts of a block whose values were read.
  func facts(_ creationDate: CaptureDate?, _ names: KeptMetadata) -> ExifFacts {
    ExifFacts(
      orientation: orientation ?? 1,
      creationDate: creationDate,
      contentIdentifier: note.contentIdentifier,
      burstIdentifier: note.burst,
      names: names
    )
  }

  /// The names of the device.
  private var names: KeptMetadata {
    var names = KeptMetadata()
    for name in DeviceText.all { names[keyPath: name.path] = text(of: name) }
    return names
  }

  /// The values that may be kept; every value is checked.
  var values: KeptMetadata {
    var values = names
    values.caption = caption?.text
    values.creator = text(Tag.artist)
    values.copyright = copyright
    values.title = wide(Tag.xpTitle).flatMap { MetadataText.checked($0) }
    values.rating = rating?.stars
    values.take(creationDate)
    values.contentIdentifier = note.contentIdentifier
    values.brightness = note.brightness
    values.location = location
    return values
  }

  /// The EXIF orientation in IFD0, 1 to 8, or nil.
  var orientation: Int? {
    number(Tag.orientation, in: .image).flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// The date that counts most of the three.
  private var creationDate: CaptureDate? { CaptureDate.best(of: allDates) }

  /// The dates that the three texts state, with their offsets: also days alone, and those that cannot be.
  var allDates: [CaptureDate] {
    Self.dates.flatMap { directory, tag, offset, fraction, name in
      let dates = bytes(tag, in: directory).map { DateText.dates(exif: $0, tag: name) } ?? []
      return dates.map { date in
        var date = date
        if !date.isDateOnly {
          date.offsetMinutes =
            bytes(offset, in: .exif).flatMap { DateText.offsetMinutes($0[...]) } ?? date.offsetMinutes
          let digits = bytes(fraction, in: .exif)?.drop { $0 == .space }.prefix(while: \.isASCIIDigit)
          if let digits, date.hasSeconds { date.fraction = CaptureDate.fraction(digits) ?? date.fraction }
        }
        return date
      }
    }
  }

  private static let dates:
    [(directory: ExifDirectory, date: Int, offset: Int, fraction: Int, name: String)] = [
      (.exif, Tag.dateTimeOriginal, Tag.offsetTimeOriginal, Tag.fractionOriginal, "DateTimeOriginal"),
      (.exif, Tag.dateTimeDigitized, Tag.offsetTimeDigitized, Tag.fractionDigitized, "DateTimeDigitized"),
      (.image, Tag.dateTime, Tag.offsetTime, Tag.fraction, "DateTime"),
    ]

  /// Returns an ASCII value of IFD0, which may be UTF-8 or Latin-1. Exif 3.0 defines type 129 for
  /// UTF-8, but `TIFFBlock` has no size for it.
  private func text(_ tag: Int) -> String? {
    bytes(tag, in: .image).flatMap { MetadataText.checked($0) }
  }

  private func text(of name: DeviceText) -> String? {
    bytes(name.tag, in: name.directory).flatMap(MetadataText.name)
  }

  /// The copyright notices of photographer and editor, which are separated by a NUL; either may be
  /// a space.
  private var copyright: String? {
    guard case .text(let bytes) = value(Tag.copyright, in: .image) else { return nil }
    let parts = bytes.split(separator: 0, maxSplits: 2).prefix(2).compactMap {
      MetadataText.checked($0)
    }
    return MetadataText.checked(parts.joined(separator: ", "))
  }

  /// Returns a text that Windows writes in UTF-16, least significant byte first, as BYTE.
  func wide(_ tag: Int) -> String? {
    guard case .numbers(let bytes) = value(tag, in: .image) else { return nil }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(truncatingIfNeeded: bytes[$0] | bytes[$0 + 1] << 8)
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// The caption and its tag.
  var caption: (tag: Int, text: String)? {
    if let text = text(Tag.imageDescription) { return (Tag.imageDescription, text) }
    if let text = wide(Tag.xpComment).flatMap({ MetadataText.checked($0) }) { return (Tag.xpComment, text) }
    return bytes(ofUndefined: Tag.userComment, in: .exif)
      .flatMap { UserComment.text($0, order: order) }
      .map { (Tag.userComment, $0) }
  }

  /// The rating and its tag.
  var rating: (tag: Int, stars: Int)? {
    if let stars = number(Tag.rating, in: .image), (0...5).contains(stars) { return (Tag.rating, stars) }
    return number(Tag.ratingPercent, in: .image)
      .flatMap { MetadataText.stars(percent: $0) }
      .map { (Tag.ratingPercent, $0) }
  }

  /// Notes a place of which ``location`` makes nothing. Coordinates that are zero or unknown (0/0) are none: cameras
  /// without a fix write them.
  mutating func noteUnreadPlace(inDirectoryAt offset: Int, of block: TIFFBlock) {
    hasUnreadPlace = location == nil && PlaceStatements.hold(block, directoryAt: offset)
  }

  private var location: Coordinate? {
    guard let latitude = units(Tag.latitude, Tag.latitudeReference, plus: "N", minus: "S"),
      let longitude = units(Tag.longitude, Tag.longitudeReference, plus: "E", minus: "W")
    else { return nil }
    var altitude: Int?
    if case .fractions(let fractions) = value(Tag.altitude, in: .location),
      let meters = fractions.first?.quotient, meters < 1e6
    {
      let millimeters = Int((meters * 1000).rounded())
      altitude = number(Tag.altitudeReference, in: .location) == 1 ? -millimeters : millimeters
    }
    return Coordinate(latitude: latitude, longitude: longitude, altitudeMillimeters: altitude)
  }

  /// Returns a coordinate in units of 10⁻⁷ degrees; nil without a direction, since half of all guesses would yield a
  /// wrong position, and for a negative one whose direction contradicts its sign.
  private func units(
    _ tag: Int,
    _ reference: Int,
    plus: Unicode.Scalar,
    minus: Unicode.Scalar
  ) -> Int? {
    guard let degrees = degrees(tag), let byte = bytes(reference, in: .location)?.first else { return nil }
    let units = Int((degrees * Double(Coordinate.unitsPerDegree)).rounded())
    // Some programs write small letters.
    switch Unicode.Scalar(byte & ~0x20) {
    case plus: return units < 0 ? nil : units
    case minus: return -abs(units)
    default: return nil
    }
  }

  /// Returns degrees, with minutes and seconds where they are there.
  private func degrees(_ tag: Int) -> Double? {
    let fractions: [ExifValue.Fraction]
    switch value(tag, in: .location) {
    case .fractions(let parts), .signedFractions(let parts): fractions = parts
    default: return nil
    }
    guard (1...3).contains(fractions.count), let whole = fractions[0].quotient else { return nil }
    // Cameras write "0/0" for unknown seconds; a negative number may stand in an unsigned one.
    var parts = [fractions[0].above > Int(Int32.max) && abs(whole) > 180 ? fractions[0].signed : whole]
    parts += fractions.dropFirst().map { $0.quotient ?? 0 }
    let sum = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + abs($1.0) / $1.1 }
    guard sum <= 180 else { return nil }
    return parts.contains { $0 < 0 } ? -sum : sum
  }

  /// Returns the first number of an entry.
  func number(_ tag: Int, in directory: ExifDirectory) -> Int? {
    // A text is not even copied: see ``value(_:in:)``.
    guard !isText(tag, in: directory), case .numbers(let numbers) = value(tag, in: directory)
    else { return nil }
    return numbers.first
  }

  /// Returns the bytes of a text up to its first NUL.
  func bytes(_ tag: Int, in directory: ExifDirectory) -> [UInt8]? {
    guard case .text(let bytes) = value(tag, in: directory) else { return nil }
    return Array(bytes.prefix { $0 != 0 })
  }
}
