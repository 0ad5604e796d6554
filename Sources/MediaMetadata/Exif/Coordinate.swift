/// A place on Earth, WGS 84, in whole numbers so that what is written reads back the same.
package struct Coordinate: Sendable, Hashable {
  /// Units in one degree: one is 1.1 cm on the ground.
  package static let unitsPerDegree = 10_000_000

  /// 10⁻⁷ degrees, north positive, at most 90 degrees either way.
  package private(set) var latitude: Int
  /// 10⁻⁷ degrees, east positive, at most 180 degrees either way.
  package private(set) var longitude: Int
  /// Millimetres above the sea, 12 km below to 100 km above; nil when unknown.
  package private(set) var altitudeMillimetres: Int?

  /// - Returns: Nil for a latitude or longitude out of range; an altitude out of range is unknown.
  package init?(latitude: Int, longitude: Int, altitudeMillimetres: Int? = nil) {
    guard abs(latitude) <= 90 * Self.unitsPerDegree, abs(longitude) <= 180 * Self.unitsPerDegree
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitudeMillimetres = altitudeMillimetres.flatMap {
      (-12_000_000...100_000_000).contains($0) ? $0 : nil
    }
  }

  /// The nearest point of the grid of 0.1 degrees, about 11 km, without altitude.
  package var coarse: Coordinate {
    var coarse = self
    coarse.latitude = Self.rounded(latitude)
    coarse.longitude = Self.rounded(longitude)
    coarse.altitudeMillimetres = nil
    return coarse
  }

  /// Half a step goes away from zero; both bounds lie on the grid.
  private static func rounded(_ value: Int) -> Int {
    let step = unitsPerDegree / 10
    let half = value < 0 ? -step / 2 : step / 2
    return (value + half) / step * step
  }
}
