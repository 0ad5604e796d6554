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
    values.caption = text(Space.dublinCore, "description", MetadataText.maximumLength)
    values.copyright = text(Space.dublinCore, "rights", MetadataText.maximumLength)
    values.creator = MetadataText.joined(properties[Space.dublinCore, "creator"])
    for name in DeviceText.all {
      for property in name.properties {
        values.take(name, text(property.namespace, property.name, MetadataText.maximumNameLength))
      }
    }
    values.rating = properties[Space.basic, "Rating"].first.flatMap(MetadataText.rating)
    let dates = [
      (Space.exif, "DateTimeOriginal"), (Space.photoshop, "DateCreated"),
      (Space.basic, "CreateDate"),
    ]
    values.creationDate =
      dates.lazy.compactMap { space, name in
        properties[space, name].first.flatMap(date)
      }.first
    values.location = location(properties)
    values.projection = XMPProjection(properties)
    return values
  }

  /// Parses a date; one without a time of day is rejected.
  private static func date(_ text: String) -> CaptureDate? {
    text.utf8.dropFirst(10).first == UInt8(ascii: "T") ? DateText.date(iso: text) : nil
  }

  /// Whether a packet states 0, 0, which programs write for an unknown place.
  static func isNowhere(_ properties: XMPProperties) -> Bool {
    position(properties).map { $0.latitude == 0 && $0.longitude == 0 } ?? false
  }

  /// Latitude and longitude in units of 10⁻⁷ degrees.
  private static func position(
    _ properties: XMPProperties
  ) -> (latitude: Int, longitude: Int)? {
    guard
      let latitude = properties[Space.exif, "GPSLatitude"].first
        .flatMap({ degrees($0, plus: "N", minus: "S") }),
      let longitude = properties[Space.exif, "GPSLongitude"].first
        .flatMap({ degrees($0, plus: "E", minus: "W") })
    else { return nil }
    return (latitude, longitude)
  }

  private static func location(_ properties: XMPProperties) -> Coordinate? {
    guard let (latitude, longitude) = position(properties) else { return nil }
    var altitude: Int?
    if let text = properties[Space.exif, "GPSAltitude"].first, let meters = rational(text),
      meters < 1e6
    {
      let isBelow = properties[Space.exif, "GPSAltitudeRef"].first == "1"
      altitude = Int(((isBelow ? -meters : meters) * 1000).rounded())
    }
    return Coordinate(latitude: latitude, longitude: longitude, altitudeMillimeters: altitude)
  }

  /// Parses `DDD,MM,SSk` or `DDD,MM.mmk` to units of 10⁻⁷ degrees.
  private static func degrees(_ text: String, plus: Character, minus: Character) -> Int? {
    guard text.utf8.count <= 32, let direction = text.last, direction == plus || direction == minus
    else { return nil }
    let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    var sum = 0.0
    for (part, size) in zip(parts, [1.0, 60.0, 3600.0]) {
      guard let value = decimal(part) else { return nil }
      sum += value / size
    }
    guard sum <= 180 else { return nil }
    let units = Int((sum * Double(Coordinate.unitsPerDegree)).rounded())
    return direction == minus ? -units : units
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
