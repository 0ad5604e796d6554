/// Conversions between checked dates and seconds, in the proleptic Gregorian calendar and without
/// time zones.
package enum CivilDate {
  /// Returns the seconds since 1970 of `yyyy-MM-ddTHH:mm:ss` or `yyyy-MM-dd`, taken as UTC; nil for
  /// another form.
  ///
  /// Source: H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
  package static func seconds(_ local: String) -> Int? {
    let numbers = local.split { "-:T".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 6 || numbers.count == 3 else { return nil }
    // Years start in March, so that a leap day is the last day.
    let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
    let dayOfYear = (153 * ((numbers[1] + 9) % 12) + 2) / 5 + numbers[2] - 1
    let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    guard numbers.count == 6 else { return days * 86_400 }
    return days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
  }

  /// Returns `yyyy-MM-dd`, or nil when the day does not exist.
  package static func day(year: Int, month: Int, day: Int) -> String? {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...days(inMonth: month, of: year)).contains(day)
    else { return nil }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  /// Returns `HH:mm:ss`, or nil when there is no such time of day; leap seconds are rejected.
  package static func time(hour: Int, minute: Int, second: Int) -> String? {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    return padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

extension CivilDate {
  /// Returns `HH:mm:ss` of the six digits `HHmmss`; nil for anything else.
  package static func time(digits: some Sequence<UInt8>) -> String? {
    let digits = digits.map { Int($0) - 48 }
    guard digits.count == 6, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    return time(
      hour: digits[0] * 10 + digits[1],
      minute: digits[2] * 10 + digits[3],
      second: digits[4] * 10 + digits[5]
    )
  }
}
