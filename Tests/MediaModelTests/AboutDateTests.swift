import Testing

@testable import MediaModel

@Suite("Dates that a person states")
struct AboutDateTests {
  @Test(
    "A year, a month or a day is read, also an approximate one, and nothing that no calendar has",
    arguments: [
      ("1978", "1978 dates.about"), ("1978~", "1978 dates.about~"), ("1978-06", "1978-06 dates.about"),
      ("1978-06-05~", "1978-06-05 dates.about~"), ("1978-13", nil), ("1978-02-30", nil), ("0000", nil),
      ("", nil),
      ("~", nil), ("1978~~", nil), ("78", nil), ("1978-6", nil), ("1978-06-05T10:15:30", nil), ("19x8", nil),
    ] as [(String, String?)]
  )
  func reading(text: String, expected: String?) {
    let about = AboutDate(text)
    #expect(about.map { "\($0.date.local) \($0.date.tag)" } == expected)
    #expect(about == nil || about?.text == text)
  }
}
