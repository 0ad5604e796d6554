internal import Glibc

/// The name of the city at a place, and of what it lies in.
package struct PlaceName: Sendable, Hashable {
  package var city: String
  /// The name of the country's division that the city is in, or its code where nothing names it; nil without one.
  package var region: String?
  /// The two letters of the country in ISO 3166-1; nil without one.
  package var country: String?

  /// The longest name in bytes.
  package static let maximumLength = 200
  /// The longest code of a region in bytes.
  package static let maximumCodeLength = 20

  /// Creates a name.
  package init(city: String, region: String? = nil, country: String? = nil) {
    self.city = city
    self.region = region
    self.country = country
  }
}

/// An entry of a file of names of places.
package struct GazetteerEntry: Sendable, Hashable {
  /// At most ``PlaceName/maximumLength`` bytes.
  package var name: String
  /// Where a city is; nil for a division of a country, which names the region of its cities.
  package var place: MediaDescription.Place?
  /// Two capital letters, or none.
  package var country: String
  /// The code of the division within the country, at most ``PlaceName/maximumCodeLength`` bytes; empty without one.
  package var region: String

  /// Creates an entry.
  package init(
    name: String,
    place: MediaDescription.Place?,
    country: String,
    region: String
  ) {
    self.name = name
    self.place = place
    self.country = country
    self.region = region
  }
}

/// The names of cities, by their places.
package struct PlaceNames: Sendable {
  /// The longest file in bytes.
  package static let maximumBytes = 512 << 20
  /// The most entries: 32 bytes each beside the names that are longer than 15 bytes.
  package static let maximumCount = 1_000_000

  private struct City {
    var latitude: Int32
    var longitude: Int32
    /// The index of what it lies in.
    var area: Int32
    var name: String

    /// The strip of half a degree of latitude that it is in.
    var row: Int { PlaceNames.row(Int(latitude)) }
  }

  /// A division of a country.
  private struct Area {
    var country: String
    var code: String
    var name: String?
  }

  private static let unitsPerDegree = 10_000_000.0
  private static let turn = 3_600_000_000
  /// The distance in meters within which a city gives a place its name.
  private static let maximumDistance = 50_000.0
  /// The mean radius of the Earth in meters.
  ///
  /// Source: IUGG, Geodetic Reference System 1980, R1.
  private static let radius = 6_371_008.8
  /// Units in half a degree of latitude, which is more than ``maximumDistance``.
  private static let rowHeight = 5_000_000

  /// By their rows and then by longitude once they are sorted.
  private var cities: [City] = []
  private var areas: [Area] = []
  /// The index of each area, by its country and code.
  private var indices: [String: Int32] = [:]

  /// Creates an empty set of names.
  package init() {}

  /// The number of cities and regions.
  package private(set) var count = 0

  /// Adds entries; ``sort()`` follows behind the last.
  package mutating func add(_ entries: [GazetteerEntry]) {
    for entry in entries {
      count += 1
      let area = index(of: entry)
      guard let place = entry.place else {
        areas[Int(area)].name = entry.name
        continue
      }
      cities.append(
        City(
          latitude: Int32(clamping: place.latitude),
          longitude: Int32(clamping: place.longitude),
          area: area,
          name: entry.name
        )
      )
    }
  }

  private mutating func index(of entry: GazetteerEntry) -> Int32 {
    let key = entry.country + "." + entry.region
    if let index = indices[key] { return index }
    let index = Int32(clamping: areas.count)
    areas.append(Area(country: entry.country, code: entry.region))
    indices[key] = index
    return index
  }

  /// Orders the entries, so that they can be asked for.
  package mutating func sort() {
    indices = [:]
    cities.sort { ($0.row, $0.longitude) < ($1.row, $1.longitude) }
  }

  /// Returns the name of the city that is nearest to a place; nil without one within 50 km.
  package func name(at place: MediaDescription.Place) -> PlaceName? {
    var nearest: City?
    // Half of the chord, squared, on a sphere whose radius is 1; it grows with the distance.
    let half = sin(Self.maximumDistance / (2 * Self.radius))
    var least = half * half
    let width = Self.width(at: place.latitude)
    let row = Self.row(place.latitude)
    for row in (row - 1)...(row + 1) {
      // The places on both sides of the meridian of 180 degrees are near to each other.
      for shift in [0, -Self.turn, Self.turn] {
        let west = place.longitude + shift - width
        var index = firstIndex(in: row, from: west)
        while index < cities.count, cities[index].row == row,
          Int(cities[index].longitude) <= west + 2 * width
        {
          let chord = Self.chord(from: place, to: cities[index])
          if chord < least || chord == least && nearest == nil {
            (nearest, least) = (cities[index], chord)
          }
          index += 1
        }
      }
    }
    return nearest.map(name(of:))
  }

  private func name(of city: City) -> PlaceName {
    let area = areas[Int(city.area)]
    // Source: GeoNames, admin1Codes: 00 is that of no division.
    let region = area.name ?? (area.code.isEmpty || area.code == "00" ? nil : area.code)
    return PlaceName(city: city.name, region: region, country: area.country.isEmpty ? nil : area.country)
  }

  private static func row(_ latitude: Int) -> Int { (latitude + 900_000_000) / rowHeight }

  /// The units of longitude within which a place as near as ``maximumDistance`` lies.
  private static func width(at latitude: Int) -> Int {
    let parallel = cos(Double(latitude) / unitsPerDegree * .pi / 180)
    // Near a pole it may be anywhere; elsewhere a meridian is at most 3 % nearer than on the parallel.
    guard parallel > 0.02 else { return turn / 2 }
    let degrees = maximumDistance / radius * 180 / .pi
    return Int(1.05 * degrees / parallel * unitsPerDegree)
  }

  /// The index of the first city of a row that is not west of a longitude.
  private func firstIndex(in row: Int, from longitude: Int) -> Int {
    var (low, high) = (0, cities.count)
    while low < high {
      let middle = (low + high) / 2
      if (cities[middle].row, Int(cities[middle].longitude)) < (row, longitude) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// The square of half the chord between two places on a sphere whose radius is 1.
  ///
  /// Source: R. W. Sinnott, Virtues of the Haversine, Sky and Telescope 68 (1984).
  private static func chord(from place: MediaDescription.Place, to city: City) -> Double {
    func radians(_ units: Int) -> Double { Double(units) / unitsPerDegree * .pi / 180 }
    let north = sin(radians(Int(city.latitude) - place.latitude) / 2)
    let east = sin(radians(Int(city.longitude) - place.longitude) / 2)
    return north * north
      + cos(radians(place.latitude)) * cos(radians(Int(city.latitude))) * east * east
  }
}

extension Facts {
  /// Adds the name of the file's place.
  package func named(by names: PlaceNames) -> Facts {
    guard let place = description?.place, let name = names.name(at: place) else { return self }
    var facts = self
    facts.description?.placeName = name
    return facts
  }
}
