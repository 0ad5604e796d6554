import MediaContainers
import MediaModel

/// Reads the values that may be kept from a TIFF structure; every value is checked.
enum ExifValues {
  private typealias Tag = ExifTagNumber

  /// Returns the values in IFD0, its Exif and its GPS directory, each read once.
  static func read(_ block: TIFFBlock) -> KeptMetadata {
    var values = KeptMetadata()
    let image = entries(ofDirectoryAt: block.firstDirectory, of: block)
    values.make = text(image[Tag.make], of: block, limit: MetadataText.maximumNameLength)
    values.model = text(image[Tag.model], of: block, limit: MetadataText.maximumNameLength)
    values.caption = text(image[Tag.imageDescription], of: block)
    values.creator = text(image[Tag.artist], of: block)
    values.copyright = copyright(image[Tag.copyright], of: block)
    values.title = wideText(image[Tag.xpTitle], of: block)
    values.rating = image[Tag.rating].flatMap(block.number).flatMap {
      (0...5).contains($0) ? $0 : nil
    }
    var exif: [Int: TIFFEntry] = [:]
    if let offset = image[Tag.exifDirectory].flatMap(block.number), offset != block.firstDirectory {
      exif = entries(ofDirectoryAt: offset, of: block)
    }
    values.creationDate = creationDate(image: image, exif: exif, of: block)
    if let note = exif[Tag.makerNote]?.value {
      values.contentIdentifier = AppleMakerNote.contentIdentifier(of: block.source, in: note)
      values.brightness = AppleMakerNote.brightness(of: block.source, in: note)
    }
    if let offset = image[Tag.locationDirectory].flatMap(block.number),
      offset != block.firstDirectory
    {
      values.location = location(entries(ofDirectoryAt: offset, of: block), of: block)
    }
    return values
  }

  /// Returns the EXIF orientation in IFD0, 1 to 8, or nil.
  package static func orientation(_ block: TIFFBlock) -> Int? {
    entries(ofDirectoryAt: block.firstDirectory, of: block)[Tag.orientation].flatMap(block.number)
      .flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// Returns the first entry of each tag.
  private static func entries(
    ofDirectoryAt offset: Int,
    of block: TIFFBlock
  ) -> [Int: TIFFEntry] {
    var entries: [Int: TIFFEntry] = [:]
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      if entries[entry.tag] == nil { entries[entry.tag] = entry }
    }
    return entries
  }

  /// Returns an ASCII value, which may be UTF-8 or Latin-1. Exif 3.0 defines type 129 for UTF-8,
  /// but `TIFFBlock` has no size for it.
  private static func text(
    _ entry: TIFFEntry?,
    of block: TIFFBlock,
    limit: Int = MetadataText.maximumLength
  ) -> String? {
    bytes(entry, of: block).flatMap { MetadataText.checked($0, limit: limit) }
  }

  /// Returns the copyright notices of photographer and editor, which are separated by a NUL;
  /// either may be a space.
  private static func copyright(
    _ entry: TIFFEntry?,
    of block: TIFFBlock
  ) -> String? {
    guard let bytes = bytes(entry, of: block) else { return nil }
    let parts = bytes.split(separator: 0, maxSplits: 2).prefix(2).compactMap {
      MetadataText.checked($0)
    }
    return MetadataText.checked(parts.joined(separator: ", "))
  }

  private static func bytes(
    _ entry: TIFFEntry?,
    of block: TIFFBlock
  ) -> [UInt8]? {
    guard let entry, entry.type == 2 else { return nil }
    let limit = 8 * MetadataText.maximumLength
    return block.source.bytes(in: entry.value.prefix(limit), limit: limit)
  }

  /// Returns a text that Windows writes in UTF-16, least significant byte first, as BYTE.
  private static func wideText(
    _ entry: TIFFEntry?,
    of block: TIFFBlock
  ) -> String? {
    let limit = 8 * MetadataText.maximumLength
    guard let entry, entry.type == 1,
      let bytes = block.source.bytes(in: entry.value.prefix(limit), limit: limit)
    else { return nil }
    var units: [UInt16] = []
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let unit = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
      if unit == 0 { break }
      units.append(unit)
    }
    return MetadataText.checked(String(decoding: units, as: UTF16.self))
  }

  private static func creationDate(
    image: [Int: TIFFEntry],
    exif: [Int: TIFFEntry],
    of block: TIFFBlock
  ) -> CaptureDate? {
    let dates = [
      (exif[Tag.dateTimeOriginal], exif[Tag.offsetTimeOriginal]),
      (exif[Tag.dateTimeDigitized], exif[Tag.offsetTimeDigitized]),
      (image[Tag.dateTime], exif[Tag.offsetTime]),
    ]
    for (date, offset) in dates {
      guard let text = bytes(date, of: block), let local = DateText.local(exif: text) else {
        continue
      }
      let minutes = bytes(offset, of: block).flatMap {
        DateText.offsetMinutes($0.prefix { $0 != 0 })
      }
      return CaptureDate(local: local, offsetMinutes: minutes, tag: KeptMetadata.dateTag)
    }
    return nil
  }

  private static func location(
    _ entries: [Int: TIFFEntry],
    of block: TIFFBlock
  ) -> Coordinate? {
    guard
      let latitude = degrees(entries[Tag.latitude], of: block),
      let north = sign(entries[Tag.latitudeReference], plus: "N", minus: "S", of: block),
      let longitude = degrees(entries[Tag.longitude], of: block),
      let east = sign(entries[Tag.longitudeReference], plus: "E", minus: "W", of: block)
    else { return nil }
    var altitude: Int?
    if let entry = entries[Tag.altitude], let metres = rational(entry, at: 0, of: block),
      metres < 1e6
    {
      let millimetres = Int((metres * 1000).rounded())
      let isBelow = entries[Tag.altitudeReference].flatMap(block.number) == 1
      altitude = isBelow ? -millimetres : millimetres
    }
    return Coordinate(
      latitude: latitude * north,
      longitude: longitude * east,
      altitudeMillimetres: altitude
    )
  }

  /// Returns the sign of a coordinate, or nil without a direction: half of all guesses would yield
  /// a wrong position.
  private static func sign(
    _ entry: TIFFEntry?,
    plus: Character,
    minus: Character,
    of block: TIFFBlock
  ) -> Int? {
    guard let byte = bytes(entry, of: block)?.first else { return nil }
    if byte == plus.asciiValue { return 1 }
    return byte == minus.asciiValue ? -1 : nil
  }

  /// Returns degrees, minutes and seconds in units of 10⁻⁷ degrees.
  private static func degrees(
    _ entry: TIFFEntry?,
    of block: TIFFBlock
  ) -> Int? {
    guard let entry, entry.count == 3, let degrees = rational(entry, at: 0, of: block) else {
      return nil
    }
    // Cameras write "0/0" for unknown seconds.
    let minutes = rational(entry, at: 1, of: block) ?? 0
    let seconds = rational(entry, at: 2, of: block) ?? 0
    let sum = degrees + minutes / 60 + seconds / 3600
    guard sum <= 180 else { return nil }
    return Int((sum * Double(Coordinate.unitsPerDegree)).rounded())
  }

  private static func rational(
    _ entry: TIFFEntry,
    at index: Int,
    of block: TIFFBlock
  ) -> Double? {
    guard entry.type == 5, index < entry.count,
      let above = block.source.uint32(
        at: entry.value.lowerBound + 8 * index,
        order: block.order
      ),
      let below = block.source.uint32(
        at: entry.value.lowerBound + 8 * index + 4,
        order: block.order
      ), below != 0
    else { return nil }
    return Double(above) / Double(below)
  }
}
