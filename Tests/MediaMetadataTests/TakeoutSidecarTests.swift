import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("What the JSON of Google Takeout says")
struct TakeoutSidecarTests {
  private func description(_ members: String) throws -> MediaDescription {
    try withSource(Array("{\"title\":\"a.jpg\",\(members)}".utf8)) {
      try SidecarReader.description(of: $0, format: .takeout)
    }
  }

  @Test(
    "The time is in seconds, negative before 1970; one beyond the calendar is marked",
    arguments: [
      ("1562233530", "2019-07-04T09:45:30"), ("-1", "1969-12-31T23:59:59"),
      ("-631152000", "1950-01-01T00:00:00"), ("-4544208001", "1825-12-31T23:59:59"),
      ("-62135596801", "0000-01-01"), ("99999999999999999", "0000-01-01"), ("0", nil),
    ] as [(String, String?)]
  )
  func time(text: String, expected: String?) throws {
    let described = try description(#""photoTakenTime":{"timestamp":"\#(text)"}"#)
    #expect(described.dates.map(\.local) == [expected].compactMap { $0 })
    #expect(described.dates.allSatisfy { $0.tag == "photoTakenTime" })
    #expect(described.subject == .picture("\(text) a.jpg"))
  }

  @Test(
    "An XMP sidecar says to which of several files it belongs",
    arguments: [("jpg", "jpg"), ("JPG", "jpg"), ("", nil), ("a longer text", nil), ("é", nil)]
      as [(String, String?)]
  )
  func owner(text: String, expected: String?) throws {
    let packet = """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description \
      xmlns:p='http://ns.adobe.com/photoshop/1.0/' p:SidecarForExtension='\(text)'/></r:RDF>
      """
    try withSource(Array(packet.utf8)) {
      let described = try SidecarReader.description(of: $0, format: .xmp)
      #expect(described.ownerExtension == expected)
    }
  }
}
