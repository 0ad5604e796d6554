internal import MediaModel

/// A WGS 84 position on Earth, in whole numbers so that a written value reads back unchanged.
package struct Coordinate: Sendable, Hashable {
  /// The units per degree: one unit is 1.1 cm on the ground.
  package static let unitsPerDegree = 10_000_000

  /// The latitude in units of 10⁻⁷ degrees, north positive, between -90 and 90 degrees.
  package private(set) var latitude: Int
  /// The longitude in units of 10⁻⁷ degrees, east positive, between -180 and 180 degrees.
  package private(set) var longitude: Int
  /// The altitude in millimeters above sea level, from 12 km below to 100 km above; nil when
  /// unknown.
  package private(set) var altitudeMillimeters: Int?

  /// Creates a position from latitude, longitude and altitude in the units of the properties.
  ///
  /// - Returns: Nil for a latitude or longitude out of range, and for 0, 0, which cameras and programs write
  ///   for an unknown place; an altitude out of range becomes nil.
  package init?(latitude: Int, longitude: Int, altitudeMillimeters: Int? = nil) {
    guard abs(latitude) <= 90 * Self.unitsPerDegree, abs(longitude) <= 180 * Self.unitsPerDegree,
      latitude != 0 || longitude != 0
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitudeMillimeters = altitudeMillimeters.flatMap {
      (-12_000_000...100_000_000).contains($0) ? $0 : nil
    }
  }

  /// The nearest point of the grid of 0.1 degrees, about 11 km, without altitude; nil where that is 0, 0.
  package var coarse: Coordinate? {
    typealias Place = MediaDescription.Place
    return Coordinate(latitude: Place.coarse(latitude), longitude: Place.coarse(longitude))
  }
}
