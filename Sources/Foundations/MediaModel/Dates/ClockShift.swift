/// By how much a clock was wrong: seconds that are added to what it said.
package enum ClockShift {
  /// Reads `+01:02:30`, `-26280:00`: a sign, hours of up to six digits, minutes, and seconds if there are
  /// some; nil for another form, and for 0.
  package static func seconds(_ text: String) -> Int? {
    let sign = text.utf8.first
    let parts = text.utf8.dropFirst()
      .split(separator: UInt8.colon, omittingEmptySubsequences: false)
    guard sign == UInt8(ascii: "+") || sign == .hyphen, (2...3).contains(parts.count),
      let hours = number(parts[0], 1...6),
      let minutes = number(parts[1], 2...2), minutes < 60
    else { return nil }
    var seconds = hours * 3600 + minutes * 60
    if parts.count == 3 {
      guard let secondsOfMinute = number(parts[2], 2...2), secondsOfMinute < 60 else { return nil }
      seconds += secondsOfMinute
    }
    if seconds == 0 { return nil }
    return sign == .hyphen ? -seconds : seconds
  }

  /// Writes what ``seconds(_:)`` reads, with seconds.
  package static func text(_ seconds: Int) -> String {
    let parts = [abs(seconds) / 3600, abs(seconds) / 60 % 60, abs(seconds) % 60]
    return (seconds < 0 ? "-" : "+")
      + parts.map { PaddedNumber.text($0, width: 2) }.joined(separator: ":")
  }

  private static func number(_ digits: Substring.UTF8View, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count),
      digits.allSatisfy(\.isASCIIDigit)
    else { return nil }
    return Int(Substring(digits))
  }
}

extension CaptureDate {
  /// What the tag of a date has that a shift of the clock corrected, behind where it came from.
  package static let shiftTag = "+shift"

  /// Returns the date of a clock that was wrong by some seconds; a day alone moves by whole days, and a year or a month,
  /// which no clock gave, stays.
  ///
  /// An offset from UTC stays, since a clock that is wrong is so in its place.
  package func shifted(by seconds: Int) -> CaptureDate {
    if isCoarse { return self }
    let whole = isDateOnly ? seconds / 86_400 * 86_400 : seconds
    guard whole != 0, let stated = CivilDate.seconds(local),
      let text = CivilDate.local(seconds: stated + whole)
    else { return self }
    var date = self
    date.local = String(text.prefix(local.utf8.count))
    date.tag += Self.shiftTag
    return date
  }
}
