import MediaModel

/// Parses, checks and writes the dates in files.
enum DateText {
  /// Returns `yyyy-MM-ddTHH:mm:ss` from Exif's `yyyy:MM:dd HH:mm:ss`, or nil when a field is out
  /// of range; a leap second is the second before it.
  ///
  /// Source: Exif 2.32 section 4.6.4, DateTime.
  static func local(exif bytes: [UInt8]) -> String? {
    guard bytes.count >= 19 else { return nil }
    for (index, allowed) in [(4, ":-/."), (7, ":-/."), (10, " T"), (13, ":"), (16, ":")]
    where !allowed.utf8.contains(bytes[index]) {
      return nil
    }
    let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes[$0]) }
    var numbers: [Int] = []
    for field in fields {
      guard let field else { return nil }
      numbers.append(field)
    }
    return local(
      year: numbers[0],
      month: numbers[1],
      day: numbers[2],
      hour: numbers[3],
      minute: numbers[4],
      second: numbers[5]
    )
  }

  /// Returns the dates that an Exif text of any shape states, under a tag.
  ///
  /// Beside Exif's own shape, programs write a day alone, a time without seconds, numbers without a
  /// leading zero and a clock of twelve hours. A day or a time that does not exist is
  /// ``CaptureDate/impossible(tag:)``, behind the day if that exists. Zeros and spaces, which cameras write
  /// for an unknown date, and a text that is no date are none.
  ///
  /// - Returns: At most two dates, without offsets.
  ///
  /// Source: Exif 2.32 section 4.6.4, DateTime, for the shape; files in public bug reports for the others.
  static func dates(exif bytes: [UInt8], tag: String) -> [CaptureDate] {
    var unread = bytes.prefix { $0 != 0 }
    guard let year = digits(&unread, 4...4), separator(&unread, ":-/."),
      let month = digits(&unread, 1...2), separator(&unread, ":-/."),
      let day = digits(&unread, 1...2), !unread.prefix(1).contains(where: \.isASCIIDigit),
      year != 0 || month != 0 || day != 0
    else { return [] }
    guard let date = CivilDate.day(year: year, month: month, day: day) else {
      return [.impossible(tag: tag)]
    }
    let alone = CaptureDate(local: date, offsetMinutes: nil, tag: tag)
    guard unread.contains(where: \.isASCIIDigit) else { return [alone] }
    guard separator(&unread, " T"), let time = Self.time(exif: unread) else {
      return [alone, .impossible(tag: tag)]
    }
    return [CaptureDate(local: date + "T" + time, offsetMinutes: nil, tag: tag)]
  }

  /// Returns `HH:mm:ss` of `HH:mm[:ss]` with what may follow; `AM` or `PM` counts.
  private static func time(exif bytes: ArraySlice<UInt8>) -> String? {
    var unread = bytes.drop { $0 == .space }
    guard var hour = digits(&unread, 1...2), separator(&unread, ":"),
      let minute = digits(&unread, 1...2)
    else { return nil }
    var second = 0
    if separator(&unread, ":") {
      guard let number = digits(&unread, 1...2) else { return nil }
      second = number
    }
    let letters = unread.drop { !$0.isASCIILetter }.prefix(while: \.isASCIILetter).map { $0 | 0x20 }
    if letters == Array("am".utf8) || letters == Array("pm".utf8) {
      guard let ofDay = CivilDate.hour(hour, isAfternoon: letters[0] == UInt8(ascii: "p")) else {
        return nil
      }
      hour = ofDay
    }
    return CivilDate.time(hour: hour, minute: minute, second: withoutLeapSecond(second))
  }

  /// A leap second, for which times have no place, is the second before it.
  private static func withoutLeapSecond(_ second: Int) -> Int { second == 60 ? 59 : second }

  /// Takes a number of as many digits as `counts` allows off the front.
  private static func digits(_ unread: inout ArraySlice<UInt8>, _ counts: ClosedRange<Int>) -> Int? {
    let run = unread.prefix(counts.upperBound).prefix(while: \.isASCIIDigit)
    guard run.count >= counts.lowerBound, let value = number(run) else { return nil }
    unread = unread.dropFirst(run.count)
    return value
  }

  /// Takes a character off the front, if it is one of those.
  private static func separator(_ unread: inout ArraySlice<UInt8>, _ characters: String) -> Bool {
    guard let first = unread.first, characters.utf8.contains(first) else { return false }
    unread = unread.dropFirst()
    return true
  }

  /// Parses a date with its time of day; a date without one is rejected.
  ///
  /// - Parameter text: `yyyy-MM-ddTHH:mm[:ss[.fraction]][offset]`; some programs write a space for
  ///   the T.
  /// - Returns: Nil when a field is out of range.
  ///
  /// Source: ISO 8601-1; XMP part 1 section 8.2.1.2, Date; ID3v2.4 section 4 (timestamps).
  static func date(iso text: String) -> CaptureDate? {
    var bytes = Array(text.utf8.prefix(64))
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T") || bytes[10] == .space else {
      return nil
    }
    if bytes.count == 16 || bytes[16] != .colon {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
    }
    guard let local = Self.local(exif: bytes) else { return nil }
    var suffix = bytes[19...]
    if suffix.first == .dot {
      suffix = suffix.dropFirst().drop { $0.isASCIIDigit }
    }
    return CaptureDate(local: local, offsetMinutes: offsetMinutes(suffix), tag: KeptMetadata.dateTag)
  }

  /// Returns minutes east of UTC from `+02:00`, `+0200`, `-03` or `Z`; nil beyond 15 hours.
  ///
  /// Source: Exif 2.32 section 4.6.5, OffsetTime.
  static func offsetMinutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    var text = bytes
    while text.last == 0x20 || text.last == 0 { text.removeLast() }
    if text.elementsEqual("Z".utf8) { return 0 }
    guard let sign = text.popFirst(), sign == UInt8(ascii: "+") || sign == .hyphen else {
      return nil
    }
    var digits = Array(text)
    if digits.count == 5, digits[2] == .colon { digits.remove(at: 2) }
    if digits.count == 2 { digits += "00".utf8 }
    guard digits.count == 4, let hours = number(digits[0..<2]), let minutes = number(digits[2..<4]),
      minutes < 60, hours * 60 + minutes <= 15 * 60
    else { return nil }
    let total = hours * 60 + minutes
    return sign == .hyphen ? -total : total
  }

  /// Returns Exif's `yyyy:MM:dd HH:mm:ss` from the checked form.
  static func exif(local: String) -> String {
    let bytes = local.utf8.enumerated().map { index, byte in
      switch index {
      case 4, 7: UInt8.colon
      case 10: UInt8.space
      default: byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the checked form from seconds since 1970 in UTC, which are negative before; nil for 0, which
  /// stands for an unknown time, and outside of the years 1 to 9999.
  static func local(secondsSince1970 seconds: Int) -> String? {
    seconds == 0 ? nil : CivilDate.local(seconds: seconds)
  }

  private static func local(
    year: Int,
    month: Int,
    day: Int,
    hour: Int,
    minute: Int,
    second: Int
  ) -> String? {
    guard let date = CivilDate.day(year: year, month: month, day: day),
      let time = CivilDate.time(hour: hour, minute: minute, second: withoutLeapSecond(second))
    else { return nil }
    return date + "T" + time
  }

  /// Returns the dates that a text states: what ``date(_:tag:)`` parses, otherwise what ``dates(exif:tag:)``
  /// finds, so that a date that cannot be is marked.
  static func dates(_ text: String, tag: String) -> [CaptureDate] {
    date(text, tag: tag).map { [$0] } ?? dates(exif: Array(text.utf8.prefix(64)), tag: tag)
  }

  /// Parses a date that may have no time of day: `yyyy-MM-dd`, also with Exif's colons or without
  /// separators, or what ``date(iso:)`` parses.
  ///
  /// - Returns: A date with the given tag; nil when a field is out of range or the day is missing.
  static func date(_ text: String, tag: String) -> CaptureDate? {
    if var date = date(iso: text) {
      date.tag = tag
      return date
    }
    let bytes = text.utf8.prefix(64).filter { !"-:".utf8.contains($0) }
    guard text.utf8.count <= 10, bytes.count == 8, let year = number(bytes[0..<4]),
      let month = number(bytes[4..<6]), let day = number(bytes[6..<8]),
      let local = CivilDate.day(year: year, month: month, day: day)
    else { return nil }
    return CaptureDate(local: local, offsetMinutes: nil, tag: tag)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard digit.isASCIIDigit else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
