import MediaModel
import MediaPicking
import Testing

@testable import MediaWeb

@Suite("The date of an item on a page")
struct ShownItemTests {
  @Test(
    "The time when it was taken comes first, and may be before 1970",
    arguments: [
      (0, "January 1970", "Thu, Jan 1"), (-1, "December 1969", "Wed, Dec 31"),
      (-604_800, "December 1969", "Thu, Dec 25"), (-631_152_000, "January 1950", "Sun, Jan 1"),
      (1_530_000_000, "June 2018", "Tue, Jun 26"),
    ] as [(Int64, String, String)]
  )
  func taken(seconds: Int64, month: String, day: String) {
    var candidate = PickCandidate(files: [ItemPath(bytes: [97])], modified: 1_000_000_000)
    candidate.taken = seconds * 1_000_000_000
    #expect(candidate.month == month)
    #expect(candidate.day == day)
  }

  @Test("No time breaks a page", arguments: [Int64.min, -1, 1, .max])
  func extremes(taken: Int64) {
    var candidate = PickCandidate(files: [ItemPath(bytes: [97])])
    candidate.taken = taken
    #expect(candidate.day?.isEmpty == false && !candidate.month.isEmpty)
  }
}
