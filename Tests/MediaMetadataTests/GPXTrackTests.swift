import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("GPX files")
struct GPXTrackTests {
  private func points(_ text: String) throws -> [TrackPoint] {
    try withSource(Array(text.utf8)) { try GPXTrack.points(of: $0) }
  }

  private func failure(_ text: String) -> MetadataError? {
    #expect(throws: MetadataError.self) { try points(text) }
  }

  @Test("Points of all tracks and segments are read, those without a time or a place are left out")
  func read() throws {
    let points = try points(
      """
      <?xml version="1.0"?><!-- a walk --><x:gpx xmlns:x="urn:x" version="1.1"><metadata>
      <time>2001-01-01T00:00:00Z</time></metadata><wpt lat="7" lon="7"><time>2019-07-04T08:15:30Z</time></wpt>
      <trk><trkseg><trkpt lat="48.8582222" lon="-2.2945"><ele>35</ele><time> 2019-07-04T08:15:30Z
      </time><extensions><time>2019-07-04T09:00:00Z</time></extensions></trkpt>
      <trkpt lat="1" lon="2"/><trkpt lat="91" lon="2"><time>2019-07-04T08:15:30Z</time></trkpt>
      <trkpt lat="0.0" lon="0"><time>2019-07-04T08:15:30Z</time></trkpt>
      <trkpt lat="north" lon="2"><time>2019-07-04T08:15:30Z</time></trkpt>
      <trkpt lat="1" lon="2"><time>yesterday</time></trkpt></trkseg><trkseg>
      <x:trkpt lon="2e0" lat="+1"><x:time>2019-07-04T10:15:30.25+02:00</x:time></x:trkpt>
      <trkpt lat="1" lon="2"><time>2019-07-04T08:15:31</time></trkpt></trkseg></trk></x:gpx>
      """
    )
    #expect(points.map(\.time) == [1_562_228_130_000, 1_562_228_130_250, 1_562_228_131_000])
    #expect(points.first?.place.latitude == 488_582_222)
    #expect(points.first?.place.longitude == -22_945_000)
    #expect(points.last?.place.longitude == 20_000_000)
  }

  @Test("What is no whole track is damaged")
  func damaged() throws {
    let point = "<trkpt lat='1' lon='2'><time>2019-07-04T08:15:30Z</time></trkpt>"
    #expect(try points("<gpx>\(point)</gpx>").count == 1)
    for text in [
      "", "text", "<gpx>", "<gpx>\(point)", "<gpx>\(point)</trk", "<kml>\(point)</kml>",
      "<gpx></gpx>", "<gpx><trkpt lat='1' lon='2'/></gpx>",
      "<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx>\(point)</gpx>", "<gpx>&a;\(point)</gpx>",
    ] { #expect(failure(text)?.code == .damaged, "\(text)") }
  }

  @Test("More points than the limit are over it")
  func limit() throws {
    let point = "<trkpt lat='1' lon='2'><time>2019-07-04T08:15:30Z</time></trkpt>"
    let count = Amount.of(0, all: GPXTrack.maximumPoints + 1)
    guard count > 0 else { return }
    let text = "<gpx>" + String(repeating: point, count: count) + "</gpx>"
    #expect(failure(text)?.code == .overLimit)
  }
}
