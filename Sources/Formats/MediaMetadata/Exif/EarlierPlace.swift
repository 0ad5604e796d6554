package import MediaModel

/// What qualifies the place that a file has, and would contradict another one that is written beside it: its directions,
/// its height, how it was measured, and the place that the camera looked at. The time of a fix and the direction of the
/// camera stay.
///
/// Source: Exif 2.32 section 4.6.6; Adobe XMP specification part 2, section 1.2.7.4; exiftool `DJI.pm`.
package enum EarlierPlace {
  /// The tags of a GPS directory: the altitude; from satellites to precision; from the datum to the area, with the
  /// place that the camera looked at; and the correction and the error.
  package static let tags = Set([5, 6, 30, 31]).union(8...11).union(18...28)
  /// The directions, which XMP has in the coordinates themselves.
  private static let directions = Set(
    ["LatitudeRef", "LongitudeRef"].map { XMPName(XMPNamespace.exif, "GPS" + $0) }
  )
  private static let properties = directions.union(
    tags.map { XMPName(XMPNamespace.exif, ExifTagNames.name($0, isLocation: true)) }
      + ["GpsLatitude", "GpsLongitude", "GpsLongtitude", "AbsoluteAltitude", "RelativeAltitude"].map {
        XMPName("http://www.dji.com/drone-dji/1.0/", $0)
      }
  )
  /// The keys of QuickTime beside that of the position.
  static let keys = Set(
    ["accuracy.horizontal", "name", "body", "note", "role", "date"].map {
      "com.apple.quicktime.location." + $0
    }
  )

  /// Whether a place is the one that is written, to about 11 m: then what qualifies it stays.
  package static func isSame(_ earlier: Coordinate?, as place: MediaDescription.Place) -> Bool {
    guard let earlier else { return false }
    return abs(earlier.latitude - place.latitude) <= 1000 && abs(earlier.longitude - place.longitude) <= 1000
  }

  /// Returns the properties of a packet that contradict a place.
  package static func properties(of packet: [UInt8], beside place: MediaDescription.Place) -> Set<XMPName> {
    isSame(XMPValues.location(XMPProperties(packet)), as: place) ? directions : properties
  }
}
