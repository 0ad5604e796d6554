internal import Glibc

/// An instant as a record says it: `2026-11-21T01:44:39.123456Z`.
///
/// Source: RFC 3339 section 5.6, always UTC, always six digits behind the point.
package struct AuditTime: Sendable, Hashable {
  /// Since 1970-01-01T00:00:00Z, without leap seconds.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The system's clock, which a person may set back: the log's order is `seq`, never `time`.
  package static var now: AuditTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return AuditTime(
      microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
    )
  }

  /// 27 characters for the years 0 to 9999.
  package var text: String {
    let second = microseconds.floorDivided(by: 1_000_000)
    let fraction = microseconds &- second &* 1_000_000
    let day = second.floorDivided(by: 86_400)
    let inDay = second &- day &* 86_400
    let (year, month, date) = Self.civil(day)
    return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(date, 2) + "T"
      + Self.padded(inDay / 3600, 2) + ":" + Self.padded(inDay / 60 % 60, 2) + ":"
      + Self.padded(inDay % 60, 2) + "." + Self.padded(fraction, 6) + "Z"
  }

  /// Year, month and day of a count of days since 1970-01-01, in the Gregorian calendar.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Eras of 400 years (146,097 days) that start on 1 March, so that a leap day is the last one.
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return digits.utf8.count >= width
      ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}

extension Int64 {
  /// The quotient rounded down, so that an instant before 1970 has a positive time of day.
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
