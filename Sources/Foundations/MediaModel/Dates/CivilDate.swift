/// Conversions between checked dates and seconds, in the proleptic Gregorian calendar and without
/// time zones.
package enum CivilDate {
  /// Returns the seconds since 1970 of `yyyy-MM-ddTHH:mm:ss`, taken as UTC; of `yyyy-MM-dd`, `yyyy-MM` and `yyyy` of
  /// their first moment. Nil for another form.
  package static func seconds(_ local: String) -> Int? {
    guard [4, 7, 10, 19].contains(local.utf8.count) else { return nil }
    let text = Array(CaptureDate.beginning(ofLocal: local).utf8)
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in text[range] {
        guard byte.isASCIIDigit else { return nil }
        value = 10 * value + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func isSeparator(_ character: Unicode.Scalar, at index: Int) -> Bool {
      text[index] == UInt8(ascii: character)
    }
    guard let year = number(0..<4), isSeparator("-", at: 4), let month = number(5..<7),
      isSeparator("-", at: 7), let day = number(8..<10)
    else { return nil }
    let days = Int(CalendarTime.days(year: Int64(year), month: Int64(month), day: Int64(day)))
    guard isSeparator("T", at: 10), let hour = number(11..<13), isSeparator(":", at: 13),
      let minute = number(14..<16), isSeparator(":", at: 16), let second = number(17..<19)
    else { return nil }
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Returns `yyyy-MM-ddTHH:mm:ss` of the seconds since 1970, taken as UTC; nil outside of the years 1 to
  /// 9999.
  package static func local(seconds: Int) -> String? {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    let time = CalendarTime(microsecondsSince1970: Int64(seconds) * 1_000_000).timestamp
    return String(time.prefix(19))
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

  /// Returns the hour of the day, 0 to 23, of a clock of twelve hours; nil for an hour that it does not
  /// have. Programs that count 24 hours write `13:26 PM` too, and `00:26 AM`.
  package static func hour(_ hour: Int, isAfternoon: Bool) -> Int? {
    switch hour {
    case 1...12: hour % 12 + (isAfternoon ? 12 : 0)
    case 13...23: isAfternoon ? hour : nil
    default: hour == 0 && !isAfternoon ? 0 : nil
    }
  }

  /// Returns the number of days of a month, 1 to 12, in the Gregorian calendar.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns `+02:00` from minutes east of UTC.
  package static func offset(minutes: Int) -> String {
    let magnitude = abs(minutes)
    return (minutes < 0 ? "-" : "+") + padded(magnitude / 60, 2) + ":" + padded(magnitude % 60, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    PaddedNumber.text(number, width: width)
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
