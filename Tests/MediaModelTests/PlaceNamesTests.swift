import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Names of places")
struct PlaceNamesTests {
  private static func place(_ latitude: Double, _ longitude: Double) throws
    -> MediaDescription.Place
  {
    try #require(
      MediaDescription.Place(
        latitude: Int((latitude * 10_000_000).rounded()),
        longitude: Int((longitude * 10_000_000).rounded())
      )
    )
  }

  private static func names(_ entries: [GazetteerEntry]) -> PlaceNames {
    var names = PlaceNames()
    // Entries come in parts.
    for entry in entries { names.add([entry]) }
    names.sort()
    return names
  }

  private static func city(_ name: String, _ latitude: Double, _ longitude: Double) throws
    -> GazetteerEntry
  {
    let place = try place(latitude, longitude)
    return GazetteerEntry(name: name, place: place, country: "FR", region: "A8")
  }

  @Test("A place has the name of the nearest city, of its region and country")
  func nearest() throws {
    let paris = try Self.city("Paris", 48.85341, 2.3488)
    let versailles = try Self.city("Versailles", 48.80359, 2.13424)
    let tower = try Self.place(48.858222, 2.2945)
    let region = GazetteerEntry(name: "Île-de-France", place: nil, country: "FR", region: "A8")
    let other = GazetteerEntry(name: "Amapá", place: nil, country: "BR", region: "A8")
    #expect(
      Self.names([versailles, paris, other, region]).name(at: tower)
        == PlaceName(city: "Paris", region: "Île-de-France", country: "FR")
    )
    // Without its name a region is told by its code; 00 is that of none.
    let named = Self.names([paris, versailles])
    #expect(named.name(at: tower) == PlaceName(city: "Paris", region: "A8", country: "FR"))
    #expect(named.name(at: try Self.place(48.8, 2.1))?.city == "Versailles")
    for code in ["", "00"] {
      var entry = paris
      (entry.region, entry.country) = (code, "")
      #expect(Self.names([entry]).name(at: tower) == PlaceName(city: "Paris"))
    }
    #expect(Self.names([]).name(at: tower) == nil)
  }

  @Test(
    "A city gives its name to what is within 50 km, also over a pole and the meridian of 180 degrees"
  )
  func distance() throws {
    let names = Self.names([
      try Self.city("a", 10, 20), try Self.city("b", 60, -179.9), try Self.city("c", -89.8, 100),
      try Self.city("d", 70, 20),
    ])
    // A degree of a great circle is 111.195 km.
    let cases: [(Double, Double, String?)] = [
      (10.449, 20, "a"), (10.451, 20, nil), (9.551, 20, "a"), (9.549, 20, nil),
      (10, 20.456, "a"), (10, 20.458, nil), (60, 179.3, "b"), (60, 179.1, nil),
      (-89.8, -80, "c"), (-89.76, -80, "c"), (-89.7, -80, nil), (-90, 0, "c"),
      (70.3, 20.9, "d"), (70, 21.3, "d"), (70, 21.4, nil),
    ]
    for (latitude, longitude, name) in cases {
      let placeName = names.name(at: try Self.place(latitude, longitude))
      #expect(placeName?.city == name, "\(latitude) \(longitude)")
    }
  }

  @Test("Of many cities the one with the shortest way is found, as by comparing all")
  func all() throws {
    var random = SeededGenerator()
    func units(_ limit: Int) -> Int { Int(random.next() % UInt64(2 * limit)) - limit }
    for (north, east) in [(900_000_000, 1_800_000_000), (30_000_000, 40_000_000)] {
      let entries = try (0..<400).map { number in
        let (latitude, longitude) = (units(north), units(east))
        let place = try #require(MediaDescription.Place(latitude: latitude, longitude: longitude))
        return GazetteerEntry(name: "\(number)", place: place, country: "", region: "")
      }
      let names = Self.names(entries)
      for _ in 0..<200 {
        let (latitude, longitude) = (units(north), units(east))
        let place = try #require(MediaDescription.Place(latitude: latitude, longitude: longitude))
        let angles = entries.map { (Self.angle(place, $0.place ?? place), $0.name) }
        let nearest = try #require(angles.min { $0.0 < $1.0 })
        let expected = nearest.0 * 6371.0088 <= 50 ? nearest.1 : nil
        #expect(names.name(at: place)?.city == expected, "\(place)")
      }
    }
  }

  /// The angle between two places as seen from the middle of the Earth, by their vectors.
  private static func angle(
    _ first: MediaDescription.Place,
    _ second: MediaDescription.Place
  ) -> Double {
    func vector(_ place: MediaDescription.Place) -> (Double, Double, Double) {
      let (north, east) = (
        Double(place.latitude) * .pi / 1.8e9, Double(place.longitude) * .pi / 1.8e9
      )
      return (cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }
    let (a, b) = (vector(first), vector(second))
    let cross = (
      a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0
    )
    let sine = (cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot()
    return atan2(sine, a.0 * b.0 + a.1 * b.1 + a.2 * b.2)
  }

  @Test("A file's name of a place is that of its own place")
  func facts() throws {
    let names = Self.names([try Self.city("a", 10, 20)])
    var facts = Facts(format: .jpeg)
    #expect(facts.named(by: names).description == nil)
    facts.description = MediaDescription()
    #expect(facts.named(by: names).description?.placeName == nil)
    facts.description?.place = try Self.place(10.1, 20)
    #expect(facts.named(by: names).description?.placeName?.city == "a")
    facts.description?.place = try Self.place(11, 20)
    #expect(facts.named(by: names).description?.placeName == nil)
  }
}
