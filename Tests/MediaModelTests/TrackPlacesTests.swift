import MediaModel
import Testing

@Suite("Places of GPS tracks")
struct TrackPlacesTests {
  private static func point(_ second: Int, _ latitude: Int, _ longitude: Int) throws -> TrackPoint {
    let place = try #require(MediaDescription.Place(latitude: latitude, longitude: longitude))
    return TrackPoint(time: Int64(second) * 1000, place: place)
  }

  private static func places(_ points: [(Int, Int, Int)], gap: Int = 60) throws -> TrackPlaces {
    TrackPlaces(try points.map { try point($0.0, $0.1, $0.2) }, maximumGap: gap)
  }

  @Test(
    "Between two points a place is on their line, else that of the nearer one within the gap",
    arguments: [
      (1000, "10 20"), (1025, "35 70"), (1100, "110 220"), (1160, "110 220"), (1161, "-"),
      (940, "10 20"), (939, "-"), (2000, "500 600"), (2060, "500 600"), (2061, "-"),
      (2121, "-"), (2140, "900 0"), (2200, "900 0"),
    ] as [(Int, String)]
  )
  func line(second: Int, expected: String) throws {
    // The points need not be in order; the last two are more than twice the gap apart.
    let places = try Self.places([
      (2200, 900, 0), (1100, 110, 220), (1000, 10, 20), (2000, 500, 600),
    ])
    let place = places.place(at: second)
    #expect(place.map { "\($0.latitude) \($0.longitude)" } ?? "-" == expected)
  }

  @Test("The line between two points crosses the meridian of 180 degrees where that is shorter")
  func meridian() throws {
    let places = try Self.places([(0, 1, 1_799_999_990), (100, 1, -1_799_999_990)])
    #expect(places.place(at: 25)?.longitude == 1_799_999_995)
    #expect(places.place(at: 75)?.longitude == -1_799_999_995)
    let back = try Self.places([(0, 1, -1_799_999_990), (100, 1, 1_799_999_990)])
    #expect(back.place(at: 25)?.longitude == -1_799_999_995)
  }

  @Test("Points of one time, of none, and with a gap of 0 are no trouble")
  func edges() throws {
    let same = try Self.places([(10, 1, 1), (10, 2, 2)], gap: 0)
    #expect(same.place(at: 10) != nil && same.place(at: 11) == nil)
    #expect(TrackPlaces([], maximumGap: 60).place(at: 0) == nil)
    let ends = try [TrackPoint.times.lowerBound, TrackPoint.times.upperBound].map { time in
      TrackPoint(time: time, place: try Self.point(0, 1, 1).place)
    }
    #expect(TrackPlaces(ends, maximumGap: 3600).place(at: 0) == nil)
  }

  @Test("Only a moment has a place: a date with an offset, of a file that says none")
  func facts() throws {
    let places = try Self.places([(1_562_228_130, 1, 2)])
    func place(
      _ local: String,
      _ offset: Int?,
      own: MediaDescription.Place? = nil
    ) -> MediaDescription? {
      var facts = Facts(format: .jpeg)
      facts.creationDate = CaptureDate(local: local, offsetMinutes: offset, tag: "x")
      facts.description = MediaDescription()
      facts.description?.place = own
      return facts.located(by: places).description
    }
    #expect(place("2019-07-04T10:15:30", 120)?.place?.longitude == 2)
    #expect(place("2019-07-04T10:15:30", 120)?.placeTag == "gpx")
    #expect(place("2019-07-04T08:15:30", 0)?.place?.longitude == 2)
    #expect(place("2019-07-04T10:15:30", nil)?.place == nil)
    #expect(place("2019-07-04T10:15:30", 60)?.placeTag == nil)
    #expect(place("2019-07-04", nil)?.place == nil)
    let own = MediaDescription.Place(latitude: 7, longitude: 7)
    #expect(place("2019-07-04T10:15:30", 120, own: own)?.place == own)
    #expect(place("2019-07-04T10:15:30", 120, own: own)?.placeTag == nil)
    // A place that is not understood is one.
    var stated = Facts(format: .jpeg)
    stated.creationDate = CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: 120, tag: "x")
    stated.description = MediaDescription()
    stated.description?.placeTag = TrackPlaces.statedTag
    #expect(stated.located(by: places) == stated)
    // Facts without a description are not completed.
    var bare = Facts(format: .jpeg)
    bare.creationDate = CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: 120, tag: "x")
    #expect(bare.located(by: places) == bare)
  }
}
