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

  @Test(
    "A flag that is true, or an object, tells the standing, also without a time; any other value says nothing",
    arguments: [
      (#""archived":true"#, [Standing.putAway]), (#""inLockedFolder":true"#, [.putAway]),
      (#""trashed":true,"archived":true"#, [.thrownAway, .putAway]),
      (#""googlePhotosOrigin":{"fromPartnerSharing":{}}"#, [.others]),
      (#""googlePhotosOrigin":{"fromPartnerSharing":true}"#, [.others]),
      (#""googlePhotosOrigin":{"mobileUpload":{"deviceType":"ANDROID_PHONE"}}"#, []),
      (#""googlePhotosOrigin":{"fromPartnerSharing":false},"fromPartnerSharing":{}"#, []),
      (#""googlePhotosOrigin":true,"archived":false,"trashed":null,"inLockedFolder":"true""#, []),
    ]
  )
  func standings(members: String, expected: [Standing]) throws {
    #expect(try description(members + #","photoTakenTime":{"timestamp":"1"}"#).standings == expected)
    #expect(try description(members).standings == expected)
  }

  @Test("A byte order mark in front hides nothing")
  func byteOrderMark() throws {
    let json = "\u{FEFF}{\"archived\":true}"
    try withSource(Array(json.utf8)) {
      let described = try SidecarReader.description(of: $0, format: .takeout)
      #expect(described.standings == [.putAway])
    }
  }

  @Test("People are those that have a name, each once; what is no list of them says nothing")
  func people() throws {
    func people(_ json: String) throws -> [String]? {
      try description(#""photoTakenTime":{"timestamp":"1"},"people":\#(json)"#).people
    }
    let named = #"[{"name":"Ann"},{"name":" Bo\u0007 "},{"name":"Ann"},{"name":""},{},7,"C"]"#
    #expect(try people(named) == ["Ann", "Bo"])
    #expect(try people("[]") == nil)
    #expect(try people(#"{"name":"Ann"}"#) == nil)
    let long = String(repeating: "é", count: 300)
    let many = (0..<200).map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
    #expect(try people(#"[{"name":"\#(long)"}]"#)?.first?.utf8.count == 200)
    #expect(try people("[\(many)]")?.count == 64)
  }
}
