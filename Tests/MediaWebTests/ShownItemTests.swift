import MediaModel
import MediaPicking
import Testing

@testable import MediaWeb

@Suite("The date of an item on a page")
struct ShownItemTests {
  @Test(
    "The time when it was taken comes first, and may be before 1970",
    arguments: [
      (0, "1970-01", "1970-01-01"), (-1, "1969-12", "1969-12-31"), (-604_800, "1969-12", "1969-12-25"),
      (-631_152_000, "1950-01", "1950-01-01"), (1_530_000_000, "2018-06", "2018-06-26"),
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
    #expect(candidate.day?.isEmpty == false && candidate.month?.isEmpty == false)
  }
}
