import MediaModel
import MediaPredicate
import MediaTestSupport
import Testing

@Suite("Predicates are parsed")
struct PredicateParsingTests {
  /// Values of one item; a key that is not there is not known.
  private static let item: [String: PredicateValue] = [
    "localIdentifier": .text("a-1"), "mediaType": .integer(1), "mediaSubtypes": .integer(4 | 8),
    "creationDate": .text("2019-07-04T10:15:30"), "creationDateOffsetMinutes": .integer(120),
    "modificationDate": .integer(1_562_228_130_500_000_000),
    "addedDate": .text("2026-11-21T01:44:39.123456Z"), "duration": .real(2.5),
    "pixelWidth": .integer(4000), "pixelHeight": .integer(3000), "isFavorite": .integer(1),
    "rating": .integer(4), "caption": .text("Über den Wolken"),
    "keywords": .list(["Sea", "Été"]), "people": .list(["Ann", "Bo"]),
    "city": .text("Zürich"), "country": .text("CH"),
    "label": .text("Harbour at dawn"), "format": .text("jpeg"),
    "path": .text("trip/IMG_1.jpg"), "name": .text("IMG_1.jpg"), "size": .integer(1000),
    "source": .text("library"),
  ]

  @Test("Each fact that is a key has its word among the keys, once")
  func facts() {
    let facts = FactColumn.all.filter(\.column.isKey)
    for fact in facts {
      #expect(PredicateKey(rawValue: fact.column.word)?.fact?.column.name == fact.column.name)
    }
    let keys = PredicateKey.allCases
    #expect(Set(keys).count == keys.count && keys.filter { $0.fact != nil }.count == facts.count)
    #expect(keys.first == .localIdentifier && PredicateKey(rawValue: "lens") == nil)
  }

  private func isTrue(_ text: String) throws -> Bool {
    try FetchPredicate(text).matches { Self.item[$0.rawValue] ?? .null }
  }

  @Test(
    "What NSPredicate's format says of an item",
    arguments: [
      "mediaType == image", "mediaType = 1", "mediaType == \"image\"", "1 == mediaType",
      "mediaType != video", "mediaType <> 2", "NOT mediaType == video", "! (mediaType == video)",
      "(mediaSubtypes & 4) != 0", "mediaSubtypes & photoScreenshot == 4",
      "(photoLive & mediaSubtypes) != 0", "((mediaSubtypes & 4)) != 0",
      "(mediaSubtypes & (photoPanorama | photoLive)) == 8", "(mediaSubtypes & photoPanorama) == 0",
      "mediaSubtypes == 12", "mediaType == image AND duration > 2", "duration => 2.5",
      "duration =< 2.5", "duration > -1", "mediaType == video || duration BETWEEN {2, 3}",
      "mediaType == video OR mediaType == audio OR mediaType == image",
      "mediaType == image and not (mediaType == video or rating < 4)",
      "mediaType == video AND rating == 4 OR rating == 4", "pixelWidth > pixelHeight",
      "mediaType IN {image, video}", "format IN {'heic', 'jpeg'}", "NOT (format IN {'heic'})",
      "creationDate > 2019-07-04", "creationDate >= \"2019-07-04T10:15:30\"",
      "creationDate < '2019-07-04T10:15:31.00'", "2019-07-05 > creationDate",
      "creationDate == 2019-07-04T08:15:30Z", "creationDate == \"2019-07-04T10:15:30+02:00\"",
      "creationDate BETWEEN {2019-07-04, 2019-07-05}",
      "creationDate IN {2019-07-04T08:15:30Z, 2020-01-01T00:00:00Z}",
      "modificationDate == 2019-07-04T08:15:30.5Z", "modificationDate > 2019-07-04",
      "addedDate > 2026-11-21T01:44:39.123Z", "addedDate < 2026-11-21T01:44:40Z",
      "isFavorite == YES", "favorite == true", "isFavorite != NO", "favorite == 1",
      "hidden == NO", "isHidden == false", "camera == NULL", "camera == nil", "caption != NULL",
      "camera != \"Acme\"", "latitude == NULL", "label CONTAINS \"dawn\"",
      "label BEGINSWITH \"Harbour\"", "label ENDSWITH \"dawn\"", "label LIKE \"H*d?wn\"",
      "label LIKE \"Harbour at dawn\"", "label CONTAINS[c] \"DAWN\"",
      "caption CONTAINS[cd] \"uber\"",
      "caption CONTAINS[d] \"Uber\"", "caption ==[cd] \"uber den wolken\"",
      "NOT caption CONTAINS[c] \"uber\"", "label LIKE[c] \"harbour*\"", "keywords CONTAINS \"Sea\"",
      "\"Sea\" IN keywords", "keywords CONTAINS[cd] \"ete\"", "ANY keywords == \"Sea\"",
      "ANY keywords BEGINSWITH[c] \"s\"", "SOME keywords LIKE \"S?a\"",
      "NOT keywords CONTAINS \"sea\"", "ANY people == \"Ann\"", "NOT (ANY people == \"ann\")",
      "city LIKE[cd] 'zuri?h' AND region == NULL", "country IN {'CH', 'FR'}",
      "path BEGINSWITH \"trip/\" && name ENDSWITH '.jpg'",
      "size < 1001", "TRUEPREDICATE", "NOT FALSEPREDICATE",
      "label == 'Harbour\\u0020at dawn' OR 1 == mediaType",
      "label != 'it\\'s'", "  mediaType==1  ",
    ]
  )
  func isMet(text: String) throws {
    #expect(try isTrue(text), "\(text)")
    #expect(try !isTrue("NOT (\(text))"), "\(text)")
  }

  @Test(
    "What is not known equals NULL alone",
    arguments: [
      "camera == \"\"", "camera < \"z\"", "camera > \"\"", "camera IN {\"a\"}", "latitude < 1",
      "latitude BETWEEN {-90, 90}", "camera CONTAINS \"\"", "burstIdentifier != NULL",
      "latitude == longitude AND latitude < longitude", "isHidden == YES",
    ]
  )
  func unknown(text: String) throws {
    #expect(try !isTrue(text), "\(text)")
  }

  @Test(
    "A mistake has its column, and the nearest key",
    arguments: [
      ("", 1, nil), ("creatonDate > 2019-01-01", 1, "creationDate"),
      ("mediaType == vidoe", 14, "video"),
      ("(mediaSubtypes & photoScrenshot) != 0", 18, "photoScreenshot"),
      ("creationDate < 2019-07-04T10:15:30.5", 16, nil),
      ("creationDate IN {2019-07-04T10:15:30Z, 2019-07-04T10:15:30.25Z}", 40, nil),
      ("mediaType == image AND favorit == YES", 24, "favorite"),
      ("label CONTAIN \"a\"", 7, "CONTAINS"),
      ("label == dawn", 10, nil), ("label == \"dawn", 10, nil), ("label == 5", 10, nil),
      ("duration > \"long\"", 12, nil), ("creationDate > yesterday", 16, nil),
      ("creationDate > 2019-02-30", 16, nil), ("creationDate > 5", 16, nil),
      ("mediaType == image)", 19, nil), ("(mediaType == image", 20, nil), ("mediaType", 10, nil),
      ("label MATCHES \".*\"", 7, nil), ("label == %@", 10, nil), ("label == $name", 10, nil),
      ("5 == 5", 3, nil), ("SELF == 5", 1, nil), ("duration BETWEEN {1}", 10, nil),
      ("duration BETWEEN 1", 18, nil), ("keywords == \"a\"", 10, nil),
      ("ANY label == \"a\"", 5, nil),
      ("isFavorite > NO", 12, nil), ("label CONTAINS[x] \"a\"", 16, nil),
      ("camera < NULL", 10, nil),
      ("duration == 99999999999999999999", 13, nil), ("duration & 4 == 0", 1, nil),
      ("creationDate BETWEEN {2019-01-01, 2019-01-02T00:00:00Z}", 35, nil),
      ("mediaType == image mediaType", 20, nil), ("label == \u{201C}a\u{201D}", 10, nil),
      ("label > pixelWidth", 9, nil), ("isFavorite", 11, nil), ("duration == 4x", 14, nil),
    ]
  )
  func mistakes(text: String, column: Int, suggestion: String?) {
    let issue = #expect(throws: PredicateIssue.self, "\(text)") { try FetchPredicate(text) }
    #expect(issue?.column == column, "\(text): \(issue.map(String.init(describing:)) ?? "")")
    if let suggestion { #expect(issue?.suggestion == suggestion, "\(text)") }
  }

  @Test("Length, depth and number of comparisons are bounded, and what is just within them is read")
  func bounds() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "mediaType == 1" + String(repeating: ")", count: depth)
    }
    #expect(try isTrue(nested(32)))
    #expect(throws: PredicateIssue.self) { try FetchPredicate(nested(33)) }
    #expect(throws: PredicateIssue.self) { try FetchPredicate(nested(2000)) }
    #expect(throws: PredicateIssue.self) {
      try FetchPredicate(String(repeating: "NOT ", count: 1000) + "mediaType == 1")
    }
    #expect(throws: PredicateIssue.self) {
      try FetchPredicate("mediaSubtypes & " + String(repeating: "(", count: 1000) + "1")
    }
    func list(_ count: Int) -> String {
      "rating IN {" + (0..<count).map(String.init).joined(separator: ",") + "}"
    }
    #expect(try isTrue(list(511)))
    #expect(throws: PredicateIssue.self) { try FetchPredicate(list(512)) }
    let long = "label == \"" + String(repeating: "a", count: 5000) + "\""
    let issue = #expect(throws: PredicateIssue.self) { try FetchPredicate(long) }
    #expect(issue?.column == 4097)
  }

  @Test("Any bytes are a predicate or one mistake within the text")
  func anything() {
    var random = SeededGenerator()
    let pieces = [
      "mediaType", "mediaSubtypes", "creationDate", "label", "keywords", "isFavorite", "==", "!=",
      "<", ">=", "&", "|", "(", ")", "{", "}", ",", "[cd]", "AND", "OR", "NOT", "ANY", "IN",
      "BETWEEN", "CONTAINS", "LIKE", "NULL", "YES", "1", "-2.5", "2019-07-04", "\"a\"", "'", "\"",
      "photoLive", "image", "\\", "%", "\u{301}", "é", "0000-", "9", ".", "\0", "\u{1F600}", "SELF",
    ]
    for _ in 0..<20_000 {
      let text: String
      if random.chance(0.3) {
        let bytes = (0..<Int(random.next() % 40)).map { _ in
          UInt8(truncatingIfNeeded: random.next())
        }
        text = String(decoding: bytes, as: UTF8.self)
      } else {
        let parts = (0..<Int(random.next() % 12)).map { _ in random.pick(pieces) }
        text = parts.joined(separator: random.chance(0.8) ? " " : "")
      }
      do {
        let predicate = try FetchPredicate(text)
        let result = predicate.matches { Self.item[$0.rawValue] ?? .null }
        #expect(predicate.matches { Self.item[$0.rawValue] ?? .null } == result)
      } catch {
        #expect((1...(text.unicodeScalars.count + 1)).contains(error.column), "\(text): \(error)")
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test("A predicate of listed keys needs no open file")
  func listed() throws {
    #expect(try FetchPredicate("path BEGINSWITH \"a/\" AND size > 5").isListed)
    #expect(try FetchPredicate("modificationDate > 2019-01-01 OR name LIKE '*.jpg'").isListed)
    #expect(try !FetchPredicate("path BEGINSWITH \"a/\" AND rating > 3").isListed)
    #expect(
      try FetchPredicate("NOT (duration > 1 OR ANY keywords == 'a')").keys == [
        .duration, .keywords,
      ]
    )
  }

  @Test("Sort descriptors are read, and what is not known is last in both directions")
  func sorting() throws {
    #expect(try FetchSortDescriptor("creationDate").ascending)
    #expect(try !FetchSortDescriptor("creationDate:descending").ascending)
    #expect(try FetchSortDescriptor("rating:descending").text == "rating:descending")
    for (text, column) in [("creatonDate", 1), ("keywords", 1), ("rating:down", 8), ("", 1)] {
      let issue = #expect(throws: PredicateIssue.self) { try FetchSortDescriptor(text) }
      #expect(issue?.column == column, "\(text)")
    }
    #expect(
      #expect(throws: PredicateIssue.self) { try FetchSortDescriptor("creatonDate") }?.suggestion
        == "creationDate"
    )
    for ascending in [true, false] {
      let rating = try FetchSortDescriptor("rating" + (ascending ? "" : ":descending"))
      #expect((rating.order(.integer(1), .integer(2)) < 0) == ascending)
      #expect(rating.order(.integer(1), .null) < 0)
      #expect(rating.order(.null, .integer(1)) > 0)
      #expect(rating.order(.null, .null) == 0)
    }
    // A date alone is the beginning of its day.
    let date = FetchSortDescriptor(.creationDate, ascending: true)
    #expect(date.order(.text("2019-07-04"), .text("2019-07-04T00:00:01")) < 0)
    #expect(date.order(.text("2019-07-04"), .text("2019-07-03T23:59:59")) > 0)
  }
}
