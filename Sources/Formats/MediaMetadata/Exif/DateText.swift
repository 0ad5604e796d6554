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
  /// Beside Exif's own shape, programs write a year, a month or a day alone, a time without seconds, numbers with a space
  /// or nothing for a leading zero, a clock of twelve hours, a fraction of a second, and the offset from UTC behind the
  /// time. Spaces and, of a month and a day, zeros stand for what is not known. A day or a time that does not exist is
  /// ``CaptureDate/impossible(tag:)``, behind the day if that exists. Zeros and spaces, which cameras write
  /// for an unknown date, and a text that is no date are none.
  ///
  /// - Returns: At most two dates.
  ///
  /// Source: Exif 2.32 section 4.6.4, DateTime, for the shape; files in public bug reports for the others.
  static func dates(exif bytes: [UInt8], tag: String) -> [CaptureDate] {
    var unread = bytes.prefix { $0 != 0 }.drop { $0 == .space }
    guard let year = digits(&unread, 4...4), isEmpty(unread) || separator(&unread, ":-/.") else { return [] }
    let month = field(&unread)
    guard isEmpty(unread) || separator(&unread, ":-/.") else { return [] }
    let day = field(&unread)
    guard let month, let day, !unread.prefix(1).contains(where: \.isASCIIDigit),
      year != 0 || month != 0 || day != 0
    else { return [] }
    let alone = CaptureDate(year: year, month: month, day: day, tag: tag)
    guard let alone else { return [.impossible(tag: tag)] }
    if alone.isCoarse { return unread.contains(where: \.isASCIILetter) ? [] : [alone] }
    guard unread.contains(where: \.isASCIIDigit) else { return [alone] }
    guard separator(&unread, " T"), let date = alone.at(clock: unread) else {
      return [alone, .impossible(tag: tag)]
    }
    return [date]
  }

  /// Takes a month or a day off the front: 0 where spaces, zeros or nothing stand for it, nil where something else does.
  private static func field(_ unread: inout ArraySlice<UInt8>) -> Int? {
    if isEmpty(unread) {
      unread = []
      return 0
    }
    let spaces = unread.prefix(2).prefix { $0 == .space }
    unread = unread.dropFirst(spaces.count)
    return spaces.count == 2 ? 0 : digits(&unread, 1...2)
  }

  private static func isEmpty(_ unread: ArraySlice<UInt8>) -> Bool { unread.allSatisfy { $0 == .space } }

  /// A leap second, for which times have no place, is the second before it.
  static func withoutLeapSecond(_ second: Int) -> Int { second == 60 ? 59 : second }

  /// Takes a number of as many digits as `counts` allows off the front.
  fileprivate static func digits(_ unread: inout ArraySlice<UInt8>, _ counts: ClosedRange<Int>) -> Int? {
    let run = unread.prefix(counts.upperBound).prefix(while: \.isASCIIDigit)
    guard run.count >= counts.lowerBound, let value = number(run) else { return nil }
    unread = unread.dropFirst(run.count)
    return value
  }

  /// Takes a character off the front, if it is one of those.
  fileprivate static func separator(_ unread: inout ArraySlice<UInt8>, _ characters: String) -> Bool {
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
    let hasSeconds = bytes.count > 16 && bytes[16] == .colon
    if !hasSeconds { bytes.insert(contentsOf: ":00".utf8, at: 16) }
    guard let local = Self.local(exif: bytes) else { return nil }
    var suffix = bytes[19...]
    var date = CaptureDate(local: local, offsetMinutes: nil, tag: KeptMetadata.dateTag)
    let fraction = takeFraction(&suffix)
    if meridiem(suffix) != nil { return nil }
    date.take(precision: hasSeconds ? nil : DatePrecision.minute.rawValue, fraction: fraction)
    date.offsetMinutes = offsetMinutes(suffix)
    return date
  }

  /// Returns whether `PM`, and not `AM`, follows a time; nil where neither does.
  fileprivate static func meridiem(_ unread: ArraySlice<UInt8>) -> Bool? {
    let letters = unread.drop { !$0.isASCIILetter }.prefix(while: \.isASCIILetter).map { $0 | 0x20 }
    return letters == Array("am".utf8) ? false : letters == Array("pm".utf8) ? true : nil
  }

  /// Takes a point or a comma with the digits behind it off the front.
  fileprivate static func takeFraction(_ unread: inout ArraySlice<UInt8>) -> String? {
    guard separator(&unread, ".,") else { return nil }
    let digits = unread.prefix(while: \.isASCIIDigit)
    unread = unread[digits.endIndex...]
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns minutes east of UTC from `+02:00`, `+0200`, `-03`, `Z`, `UTC` or `GMT`; nil beyond 15 hours.
  ///
  /// Source: Exif 2.32 section 4.6.5, OffsetTime.
  static func offsetMinutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    var text = bytes.drop { $0 == .space }
    while text.last == 0x20 || text.last == 0 { text.removeLast() }
    if ["Z", "UTC", "GMT"].contains(where: { text.elementsEqual($0.utf8) }) { return 0 }
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

  /// Returns Exif's `yyyy:MM:dd HH:mm:ss`, with spaces for what is not known.
  ///
  /// Source: Exif 2.32 section 4.6.4, DateTime.
  static func exif(_ date: CaptureDate) -> String {
    let stated = Array(date.local.utf8.prefix(date.hasSeconds ? 19 : 16))
    let bytes = "    :  :     :  :  ".utf8.enumerated().map { index, blank in
      blank == .space && index != 10 && index < stated.count ? stated[index] : blank
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

  /// Parses a date that may have no time of day: `yyyy`, `yyyy-MM` or `yyyy-MM-dd`, also with Exif's colons or, with all
  /// three, without separators, or what ``date(iso:)`` parses. Zeros stand for a month and a day that are not known.
  ///
  /// - Returns: A date with the given tag; nil when a field is out of range or the year is missing.
  static func date(_ text: String, tag: String) -> CaptureDate? {
    if var date = date(iso: text) {
      date.tag = tag
      return date
    }
    let bytes = text.utf8.prefix(64)
    let fields = bytes.split(omittingEmptySubsequences: false) { "-:".utf8.contains($0) }.map(Array.init)
    let counts = fields.map(\.count)
    let parts: [ArraySlice<UInt8>] =
      counts == [8] ? [fields[0][..<4], fields[0][4..<6], fields[0][6...]] : fields.map { $0[...] }
    guard counts == [8] || [4, 2, 2].starts(with: counts) && !counts.isEmpty else { return nil }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count else { return nil }
    return CaptureDate(
      year: numbers[0],
      month: numbers.count > 1 ? numbers[1] : 0,
      day: numbers.count > 2 ? numbers[2] : 0,
      tag: tag
    )
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

extension CaptureDate {
  /// A date of which a month or a day that is 0 is not known; nil for one that does not exist, or whose day alone is
  /// known.
  fileprivate init?(year: Int, month: Int, day: Int, tag: String) {
    guard month != 0 || day == 0,
      let first = CivilDate.day(year: year, month: max(month, 1), day: max(day, 1))
    else { return nil }
    let count = month == 0 ? 4 : day == 0 ? 7 : 10
    self.init(local: String(first.prefix(count)), offsetMinutes: nil, tag: tag)
  }

  /// Returns the day at `HH:mm[:ss[.fraction]]` with what may follow: `AM`, `PM`, or an offset from UTC. The day alone
  /// where spaces stand for the hour or the minute; nil for no time of day.
  func at(clock bytes: ArraySlice<UInt8>) -> CaptureDate? {
    var unread = bytes.drop { $0 == .space }
    if unread.first == .colon { return self }
    guard var hour = DateText.digits(&unread, 1...2), DateText.separator(&unread, ":") else { return nil }
    unread = unread.drop { $0 == .space }
    if unread.isEmpty || unread.first == .colon { return self }
    guard let minute = DateText.digits(&unread, 1...2) else { return nil }
    var date = self
    var second: Int?
    var fraction: String?
    if DateText.separator(&unread, ":") {
      unread = unread.drop { $0 == .space }
      second = DateText.digits(&unread, 1...2)
      if second == nil, !unread.isEmpty { return nil }
      fraction = DateText.takeFraction(&unread)
    }
    if let isAfternoon = DateText.meridiem(unread) {
      guard let ofDay = CivilDate.hour(hour, isAfternoon: isAfternoon) else { return nil }
      hour = ofDay
    }
    let seconds = DateText.withoutLeapSecond(second ?? 0)
    guard let time = CivilDate.time(hour: hour, minute: minute, second: seconds) else { return nil }
    date.local += "T" + time
    date.take(precision: second == nil ? DatePrecision.minute.rawValue : nil, fraction: fraction)
    date.offsetMinutes = DateText.offsetMinutes(unread.drop { $0 == .space })
    return date
  }

  /// Returns the day at a time of IPTC, `HHmmss±HHmm`, which programs write as `HH:mm:ss±HH:mm` too; nil for another
  /// text.
  ///
  /// Source: IPTC-NAA Information Interchange Model 4.2, dataset 2:60.
  func at(iptc time: [UInt8]) -> CaptureDate? {
    guard precision == .day else { return nil }
    if time.prefix(3).contains(.colon) { return at(clock: time[...]).flatMap { $0.isDateOnly ? nil : $0 } }
    guard time.count >= 6, let clock = CivilDate.time(digits: time.prefix(6)) else { return nil }
    var date = self
    date.local += "T" + clock
    date.offsetMinutes = DateText.offsetMinutes(time[6...])
    return date
  }
}
