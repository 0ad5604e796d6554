internal import Glibc

/// When an asset was saved, in UTC: the name of its folder.
///
/// `2026-11-21/014439.123456` below `Originals`; no two assets of a library share one.
package struct SaveTime: Sendable, Hashable, Comparable, Codable {
  /// Since 1970-01-01 00:00 UTC.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The wall clock's time; the last one that there is, where the clock is beyond it.
  package static var now: SaveTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000)
    return SaveTime(microseconds: overflows ? .max : seconds + Int64(time.tv_nsec) / 1000)
  }

  /// The years in which this program writes: a year later names have five digits, and a time may be moved a little
  /// behind another one.
  package static let years: ClosedRange<Int64> = 1970...9998

  /// The year in UTC.
  package var year: Int64 { calendar.year }

  package static func < (lhs: SaveTime, rhs: SaveTime) -> Bool {
    lhs.microseconds < rhs.microseconds
  }

  /// The time that ``folder`` wrote; nil for any other text.
  package init?(folder: some StringProtocol) {
    let digits = folder.utf8.filter { $0.isASCIIDigit }
    guard digits.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> Int64 {
      digits[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let days = CalendarTime.days(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    let minutes = (days * 24 + number(8..<10)) * 60 + number(10..<12)
    microseconds = (minutes * 60 + number(12..<14)) * 1_000_000 + number(14..<20)
    // Only what is written in the same way is the name of a folder.
    guard self.folder == folder else { return nil }
  }

  /// Reads a ``timestamp``; nil for any other text.
  package init?(timestamp: String) {
    let time = timestamp.dropFirst(11).dropLast().filter { $0 != ":" }
    self.init(folder: "\(timestamp.prefix(10))/\(time)")
    guard self.timestamp == timestamp else { return nil }
  }

  private var calendar: CalendarTime { CalendarTime(microsecondsSince1970: microseconds) }

  /// `2026-11-21`
  package var date: String { calendar.date }

  /// `014439.123456`
  package var time: String { calendar.time(separator: "") }

  /// `2026-11-21/014439.123456`
  package var folder: String { date + "/" + time }

  /// `2026-11-21T01:44:39.123456Z`, as RFC 3339 writes it.
  package var timestamp: String { calendar.timestamp }
}
