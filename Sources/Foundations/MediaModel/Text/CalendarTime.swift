/// The date and time of day of an instant in UTC, in the Gregorian calendar.
package struct CalendarTime: Sendable, Hashable {
  /// The year; may be 0 or negative.
  package let year: Int64
  /// The month, 1 to 12.
  package let month: Int64
  /// The day of the month, 1 to 31.
  package let day: Int64
  /// The microseconds since midnight, 0 to 86,399,999,999.
  package let microsecondOfDay: Int64

  /// Converts an instant to its date and time of day.
  ///
  /// - Parameter microseconds: The time in microseconds since 1970-01-01T00:00:00Z, without leap
  ///   seconds.
  ///
  /// Source: H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
  package init(microsecondsSince1970 microseconds: Int64) {
    let days = Self.floor(microseconds, 86_400_000_000)
    // Use wrapping arithmetic: the day of the earliest instant begins before that instant.
    microsecondOfDay = microseconds &- days &* 86_400_000_000
    // Count in eras of 400 years (146,097 days) that start on 1 March, so that a leap day is the
    // last day.
    let shifted = days + 719_468
    let era = Self.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Returns the days from 1970-01-01 to a date of the Gregorian calendar, in a year from 0 on.
  ///
  /// Source: H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floor(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date as `2026-11-21`.
  package var date: String {
    Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
  }

  /// Returns the time as `01:44:39.123456`, with `separator` between hours, minutes and seconds.
  package func time(separator: String) -> String {
    let second = microsecondOfDay / 1_000_000
    return Self.padded(second / 3600, 2) + separator + Self.padded(second / 60 % 60, 2) + separator
      + Self.padded(second % 60, 2) + "." + Self.padded(microsecondOfDay % 1_000_000, 6)
  }

  /// The date and time as `2026-11-21T01:44:39.123456Z`: 27 characters for the years 0 to 9999.
  ///
  /// Source: RFC 3339 section 5.6, always UTC, always six digits behind the point.
  package var timestamp: String { date + "T" + time(separator: ":") + "Z" }

  /// Divides and rounds down, so that an instant before 1970 has a positive time of day.
  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    PaddedNumber.text(Int(value), width: width)
  }
}
