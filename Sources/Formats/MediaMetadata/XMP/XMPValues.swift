import MediaModel

/// Reads the values that may be kept from an XMP packet.
///
/// Source: Adobe XMP specification part 2 (Dublin Core, XMP basic, EXIF and TIFF schemas); MWG
/// guidelines 2.0 section 5.
package enum XMPValues {
  private typealias Space = XMPNamespace

  /// Returns the values of a packet.
  package static func read(_ packet: [UInt8]) -> KeptMetadata {
    read(XMPProperties(packet))
  }

  /// Returns the values of parsed properties.
  package static func read(_ properties: XMPProperties) -> KeptMetadata {
    var values = KeptMetadata()
    let text = { (space: String, name: String, limit: Int) in
      properties[space, name].first.flatMap { MetadataText.checked($0, limit: limit) }
    }
    values.title = text(Space.dublinCore, "title", MetadataText.maximumLength)
    values.caption =
      text(Space.dublinCore, "description", MetadataText.maximumLength)
      ?? text(Space.tiff, "ImageDescription", MetadataText.maximumLength)
      ?? text(Space.exif, "UserComment", MetadataText.maximumLength)
      .flatMap { UserComment.isOfPerson($0) ? $0 : nil }
    values.copyright = text(Space.dublinCore, "rights", MetadataText.maximumLength)
    values.creator = MetadataText.joined(properties[Space.dublinCore, "creator"])
    for name in DeviceText.all {
      for property in name.properties {
        values.take(name, text(property.namespace, property.name, MetadataText.maximumNameLength))
      }
    }
    values.rating =
      properties[Space.basic, "Rating"].first.flatMap(MetadataText.rating) ?? percent(properties)
    values.take(CaptureDate.best(of: dates(properties)))
    values.location = location(properties)
    values.projection = XMPProjection(properties)
    return values
  }

  /// Returns the dates that a packet states.
  static func dates(_ properties: XMPProperties) -> [CaptureDate] {
    [
      (Space.exif, "DateTimeOriginal"), (Space.photoshop, "DateCreated"), (Space.basic, "CreateDate"),
      (Space.exif, "DateTimeDigitized"),
    ].flatMap { space, name in
      properties[space, name].first.map { DateText.dates($0, tag: Space.prefix(space) + ":" + name) } ?? []
    }
  }

  /// Returns the rating that Windows writes in percent.
  private static func percent(_ properties: XMPProperties) -> Int? {
    let percents = Space.microsoft.lazy.compactMap { properties[$0, "Rating"].first.flatMap { Int($0) } }
    return percents.first.flatMap { MetadataText.stars(percent: $0) }
  }

  /// Returns the position; nil where none is stated, or not in a form that is understood.
  static func location(_ properties: XMPProperties) -> Coordinate? {
    guard let north = coordinate("GPSLatitude", of: properties, plus: "n", minus: "s"),
      let east = coordinate("GPSLongitude", of: properties, plus: "e", minus: "w"),
      north.hasDirection == east.hasDirection
    else { return nil }
    let (latitude, longitude) = (north.units, east.units)
    var altitude: Int?
    if let text = properties[Space.exif, "GPSAltitude"].first, let meters = rational(text),
      meters < 1e6
    {
      let isBelow = properties[Space.exif, "GPSAltitudeRef"].first == "1"
      altitude = Int(((isBelow ? -meters : meters) * 1000).rounded())
    }
    return Coordinate(latitude: latitude, longitude: longitude, altitudeMillimeters: altitude)
  }

  /// Parses `DDD,MM,SSk` or `DDD,MM.mmk`, which are XMP's own forms, degrees with a point and a direction in a property
  /// of its own, as Apple writes them, or with a sign alone, as icloudpd does.
  ///
  /// - Returns: Units of 10⁻⁷ degrees, and whether a direction was stated; nil for one that contradicts the sign.
  private static func coordinate(
    _ name: String,
    of properties: XMPProperties,
    plus: Character,
    minus: Character
  ) -> (units: Int, hasDirection: Bool)? {
    guard let text = properties[Space.exif, name].first, text.utf8.count <= 32 else { return nil }
    var number = trimmed(text)
    var direction = properties[Space.exif, name + "Ref"].first.flatMap { trimmed($0).first }
    if let last = number.last, last.isLetter {
      direction = last
      number = trimmed(number.dropLast())
    }
    let isNegative = number.first == "-"
    if isNegative || number.first == "+" { number.removeFirst() }
    let parts = number.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var sum = 0.0
    for (part, size) in zip(parts, [1.0, 60.0, 3600.0]) {
      guard let value = decimal(part) else { return nil }
      sum += value / size
    }
    guard sum <= 180 else { return nil }
    let units = Int((sum * Double(Coordinate.unitsPerDegree)).rounded())
    switch direction?.lowercased() {
    case nil: return parts.count == 1 ? (isNegative ? -units : units, false) : nil
    case String(plus): return isNegative ? nil : (units, true)
    case String(minus): return (-units, true)
    default: return nil
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return Substring(end.map { start[...$0] } ?? start.prefix(0))
  }

  /// Parses digits with at most one point; a sign, an exponent and infinity are rejected.
  private static func decimal(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else {
      return nil
    }
    return Double(text)
  }

  /// Parses a fraction such as `1234/10`.
  private static func rational(_ text: String) -> Double? {
    let parts = text.prefix(64).split(separator: "/", omittingEmptySubsequences: false)
    guard let above = parts.first.flatMap(decimal) else { return nil }
    guard parts.count == 2 else { return parts.count == 1 ? above : nil }
    guard let below = decimal(parts[1]), below > 0 else { return nil }
    return above / below
  }
}
