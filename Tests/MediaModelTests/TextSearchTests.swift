import MediaModel
import Testing

@Suite("Text search")
struct TextSearchTests {
  @Test(
    "The last place of a part is found, compared byte by byte",
    arguments: [
      ("a, b, c", ", ", 4), ("aaa", "aa", 1), ("abc", "abc", 0), ("é@é", "é", 3),
      ("ab", "abc", nil), ("", "a", nil), ("abc", "", nil), ("abc", "x", nil),
    ] as [(String, String, Int?)]
  )
  func last(text: String, part: String, start: Int?) {
    let range = text.lastRange(of: part)
    #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == start)
    if let range { #expect(text[range] == part) }
    #expect(text.holds(part) == (start != nil))
  }
}
