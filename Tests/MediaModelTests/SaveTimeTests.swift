import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Save time")
struct SaveTimeTests {
  /// Year ends, leap days, ends of centuries, midnight and its neighbors, and many between.
  private static let seconds: [Int64] = {
    var seconds: [Int64] = [0, 1, 59, 60, 3599, 3600, 86_399, 86_400]
    for year in 1970...2110 {
      let days = Int64((year - 1970) * 365 + (year - 1969) / 4 - (year >= 2101 ? 1 : 0))
      for day in [0, 1, 31, 58, 59, 60, 364, 365] {
        for offset: Int64 in [-1, 0, 43_210] {
          seconds.append((days + Int64(day)) * 86_400 + offset)
        }
      }
    }
    return seconds.filter { $0 >= 0 }
  }()

  @Test("Date and time are what date(1) says in UTC", .enabled(if: Tool.exists("date"), "no date"))
  func sameAsDate() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/seconds"
    try Data(Self.seconds.map { "@\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    let dates = try Tool.run(
      "date",
      ["-u", "-f", path, "+%Y-%m-%d/%H%M%S.123456 %Y-%m-%dT%H:%M:%S.123456Z"]
    )
    let ours = Self.seconds.map { second in
      let time = SaveTime(microseconds: second * 1_000_000 + 123_456)
      return "\(time.folder) \(time.timestamp)"
    }
    #expect(dates.status == 0, "\(dates.error)")
    #expect(dates.output.split(separator: "\n").map(String.init) == ours)
  }

  @Test("Microseconds have six digits, and the order of names is the order of times")
  func microseconds() {
    var last = ""
    for microseconds: Int64 in [0, 1, 9, 10, 99_999, 100_000, 999_999, 1_000_000, 86_399_999_999] {
      let folder = SaveTime(microseconds: microseconds).folder
      #expect(folder.count == "2026-11-21/014439.123456".count)
      #expect(folder > last)
      last = folder
    }
    #expect(SaveTime(microseconds: 1).folder == "1970-01-01/000000.000001")
  }

  @Test("A clock before 1970 gives a date all the same")
  func before1970() {
    #expect(SaveTime(microseconds: -1).folder == "1969-12-31/235959.999999")
    #expect(SaveTime(microseconds: -86_400_000_000).folder == "1969-12-31/000000.000000")
  }

  @Test("Now is now")
  func now() {
    let before = Date().timeIntervalSince1970
    let now = Double(SaveTime.now.microseconds) / 1_000_000
    #expect(now > before - 1 && now < Date().timeIntervalSince1970 + 1)
  }
}
