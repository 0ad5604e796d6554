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

  /// The wall clock's time.
  package static var now: SaveTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return SaveTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  package static func < (lhs: SaveTime, rhs: SaveTime) -> Bool {
    lhs.microseconds < rhs.microseconds
  }

  /// `2026-11-21`
  package var date: String {
    let (year, month, day) = Self.civil(daysSince1970: Self.floor(microseconds, 86_400_000_000))
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// `014439.123456`
  package var time: String {
    let ofDay = microseconds - Self.floor(microseconds, 86_400_000_000) * 86_400_000_000
    let seconds = ofDay / 1_000_000
    return Self.padded(seconds / 3600, 2) + Self.padded(seconds / 60 % 60, 2)
      + Self.padded(seconds % 60, 2) + "." + Self.padded(ofDay % 1_000_000, 6)
  }

  /// `2026-11-21/014439.123456`
  package var folder: String { date + "/" + time }

  /// `2026-11-21T01:44:39.123456Z`, as RFC 3339 writes it.
  package var timestamp: String {
    let time = time
    let hours = time.prefix(2)
    let minutes = time.dropFirst(2).prefix(2)
    return "\(date)T\(hours):\(minutes):\(time.dropFirst(4))Z"
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }

  private static func padded(_ value: Int64, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Source: H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
  private static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
