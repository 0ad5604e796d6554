internal import MediaModel

/// Reads the date in a file's name, by ``DateBehindWord``, then by ``FileNameTable``.
///
/// A date with a time is the local time of the device that named the file, without an offset, unless the name is
/// one that its program writes in UTC. A day alone is one only in a known shape.
enum FileNameDate {
  /// Returns the date in a name, which are bytes with or without an extension; its tag is
  /// ``CaptureDate/nameTag``.
  static func date(of name: [UInt8]) -> CaptureDate? {
    // No shape is longer.
    let name = name.prefix(200)
    // `4 Jul 2019` has the fewest digits: nearly all names that cameras give end here.
    let digits = name.count(where: \.isASCIIDigit)
    guard digits >= 5 || name.contains(where: beginsDigit) else { return nil }
    if digits >= 9 || name.contains(where: beginsDigit), let date = DateBehindWord.date(of: name) {
      return date
    }
    for shape in shapes {
      if let date = shape.date(of: name) { return date }
    }
    guard let text = ScreenshotName(name)?.suffix else { return nil }
    for shape in screenshotShapes {
      if let date = shape.date(of: text[...]) { return date }
    }
    return nil
  }

  /// Whether a byte begins characters of scripts that have digits of their own. Source: Unicode, general category Nd.
  private static func beginsDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xD9, 0xDB, 0xDF...0xE1, 0xEA, 0xEF...0xF0: true
    default: false
    }
  }

  private static let shapes = FileNameTable.rows.flatMap { row in row.shapes.map { Shape($0) } }

  private static let screenshotShapes = FileNameTable.screenshotShapes.map {
    Shape($0, isFolded: true)
  }

  /// The shape of a name up to and including its date.
  private struct Shape {
    private enum Part {
      case literal(UInt8)
      case digits(Field, count: Int)
      /// A number of one or two digits.
      case shortNumber(Field)
      /// The year of this century in two digits.
      case yearOfCentury
      /// A month's name in English, or its first three letters.
      case monthName
      /// Seconds since 1970 in 10 digits, or milliseconds in 13.
      case since1970(digits: Int)
      /// A run of digits, or of letters.
      case run(digits: Bool)
      /// Some bytes without a digit.
      case gap
      case space
      case separator([UInt8])
    }

    private enum Field { case year, month, day, hour, minute, second, since1970 }

    private let parts: [Part]
    /// Whether the date is eight digits in a row, which may be another number.
    private let isCompact: Bool

    /// Reads the notation of ``FileNameTable/rows``. In folded names, those of ``ScreenshotName``, a space may
    /// stand between numbers too.
    init(_ text: String, isFolded: Bool = false) {
      let fields = Self.fields(isFolded: isFolded)
      var parts: [Part] = []
      var field: String?
      for scalar in text.unicodeScalars {
        switch scalar {
        case "{": field = ""
        case "}":
          parts += fields[field ?? ""] ?? []
          field = nil
        default:
          if field == nil {
            parts += String(scalar).utf8.map { Part.literal($0.asciiLowercased) }
          } else {
            field?.unicodeScalars.append(scalar)
          }
        }
      }
      self.parts = parts
      isCompact = text.contains("{D}")
    }

    private static func fields(isFolded: Bool) -> [String: [Part]] {
      let year = Part.digits(.year, count: 4)
      let (month, day) = (Part.digits(.month, count: 2), Part.digits(.day, count: 2))
      let (hour, minute) = (Part.digits(.hour, count: 2), Part.digits(.minute, count: 2))
      let second = Part.digits(.second, count: 2)
      let ofDate = Part.separator(Array((isFolded ? "-._ " : "-._").utf8))
      let ofTime = Part.separator(Array("-._:".utf8))
      let time: [Part] = [.shortNumber(.hour), ofTime, minute, ofTime, second]
      return [
        "D": [year, month, day], "D-": [year, ofDate, month, ofDate, day],
        "y-": [.yearOfCentury, ofDate, month, ofDate, day],
        "d-": [day, ofDate, month, ofDate, year], "m-": [month, ofDate, day, ofDate, year],
        "Y": [year], "M": [month], "DD": [day], "Mon": [.monthName], "d": [.shortNumber(.day)],
        "T": [hour, minute, second], "T-": time, "T_": time, "s": [.since1970(digits: 10)],
        "ms": [.since1970(digits: 13)], " ": [.space], "#": [.run(digits: true)],
        "L": [.run(digits: false)], "~": [.gap],
      ]
    }

    func date(of name: ArraySlice<UInt8>) -> CaptureDate? {
      if case .literal(let byte)? = parts.first, name.first?.asciiLowercased != byte { return nil }
      var unread = name
      var values: [Field: Int] = [:]
      for part in parts {
        guard take(part, from: &unread, into: &values) else { return nil }
      }
      guard FileNameDate.isEnd(unread, afterTime: values[.second] != nil) else { return nil }
      return date(values, unread)
    }

    /// Takes a part off the front; returns whether it is there.
    private func take(
      _ part: Part,
      from unread: inout ArraySlice<UInt8>,
      into values: inout [Field: Int]
    ) -> Bool {
      switch part {
      case .literal(let byte):
        guard let first = unread.popFirst() else { return false }
        return first.asciiLowercased == byte
      case .digits(let field, let count):
        guard let number = FileNameDate.number(unread.prefix(count), count) else { return false }
        unread = unread.dropFirst(count)
        values[field] = number
      case .shortNumber(let field):
        let run = unread.prefix(2).prefix(while: \.isASCIIDigit)
        guard let number = FileNameDate.number(run, run.count), !run.isEmpty else { return false }
        unread = unread.dropFirst(run.count)
        values[field] = number
      case .yearOfCentury:
        guard let number = FileNameDate.number(unread.prefix(2), 2) else { return false }
        unread = unread.dropFirst(2)
        values[.year] = 2000 + number
      case .monthName:
        let word = unread.prefix(while: \.isASCIILetter)
        unread = unread.dropFirst(word.count)
        values[.month] = EnglishMonth.number(of: word)
        return values[.month] != nil
      case .since1970(let digits):
        // A number that begins with 0 is no time: it would be before September 2001.
        guard unread.first != UInt8(ascii: "0"),
          let number = FileNameDate.number(unread.prefix(digits), digits)
        else { return false }
        unread = unread.dropFirst(digits)
        values[.since1970] = digits == 13 ? number / 1000 : number
      case .run(let digits):
        let run = unread.prefix { digits ? $0.isASCIIDigit : $0.isASCIILetter }
        unread = unread.dropFirst(run.count)
        return !run.isEmpty
      case .gap:
        unread = unread.dropFirst(unread.prefix(32).prefix { !$0.isASCIIDigit }.count)
      case .space:
        guard let length = FileNameDate.spaceLength(unread) else { return false }
        unread = unread.dropFirst(length)
      case .separator(let separators):
        guard let first = unread.popFirst() else { return false }
        return separators.contains(first)
      }
      return true
    }

    private func date(_ values: [Field: Int], _ suffix: ArraySlice<UInt8>) -> CaptureDate? {
      if let seconds = values[.since1970] {
        return CivilDate.local(seconds: seconds).map {
          CaptureDate(local: $0, offsetMinutes: 0, tag: CaptureDate.nameTag)
        }
      }
      guard let year = values[.year], let month = values[.month], let day = values[.day],
        !isCompact || year >= 1990,
        let date = CivilDate.day(year: year, month: month, day: day)
      else { return nil }
      guard let hour = values[.hour], let minute = values[.minute], let second = values[.second]
      else { return CaptureDate(local: date, offsetMinutes: nil, tag: CaptureDate.nameTag) }
      guard let hour = FileNameDate.hour(hour, suffix, before: nil),
        let time = CivilDate.time(hour: hour, minute: minute, second: second)
      else { return nil }
      return CaptureDate(local: date + "T" + time, offsetMinutes: nil, tag: CaptureDate.nameTag)
    }
  }

  /// Words behind a time of twelve hours.
  ///
  /// Source: Unicode CLDR, dayPeriods of en, es, el and ar.
  private static let meridiems: [(word: [UInt8], isAfternoon: Bool)] = [
    (Array("am".utf8), false), (Array("pm".utf8), true), (Array("a.m.".utf8), false),
    (Array("p.m.".utf8), true), (Array("a. m.".utf8), false), (Array("p. m.".utf8), true),
    (Array("π.μ.".utf8), false), (Array("μ.μ.".utf8), true), (Array("πμ".utf8), false),
    (Array("μμ".utf8), true), (Array("ص".utf8), false), (Array("م".utf8), true),
  ]

  /// Returns the hour of a day of 24 hours; macOS writes `9.05.07 PM` with a narrow space. The word before the
  /// time is a ``ScreenshotName/Meridiem``, or nil.
  static func hour(_ hour: Int, _ suffix: ArraySlice<UInt8>, before: Int?) -> Int? {
    if let before {
      let afternoon = Int(ScreenshotName.Meridiem.afternoon.rawValue)
      return CivilDate.hour(hour, isAfternoon: before == afternoon)
    }
    let text = suffix.dropFirst(spaceLength(suffix) ?? 0).prefix(10).map(\.asciiLowercased)
    let word = meridiems.first { word, _ in
      let next = text.dropFirst(word.count).first ?? 0
      return text.starts(with: word) && !next.isASCIILetter && next < 0x80
    }
    // A word that the hour contradicts is another, as in `131530 am Rhein`.
    return word.flatMap { CivilDate.hour(hour, isAfternoon: $0.isAfternoon) } ?? hour
  }

  /// Returns whether a date may end here: digits may follow a time as its milliseconds, otherwise none. Behind a
  /// day they are no identifier of Facebook's, no UUID, and no digest.
  private static func isEnd(_ suffix: ArraySlice<UInt8>, afterTime: Bool) -> Bool {
    let digits = suffix.prefix(while: \.isASCIIDigit).count
    if afterTime { return digits == 0 || digits == 3 }
    let token = suffix.prefix(16).prefix(while: \.isASCIIAlphanumeric)
    if token.count == 16, token.contains(where: \.isASCIIDigit) { return false }
    let groups = suffix.prefix(28).split(separator: .hyphen, omittingEmptySubsequences: false)
    return digits == 0 && suffix.dropFirst().prefix(while: \.isASCIIDigit).count < 12
      && !(suffix.first == .hyphen && groups.map(\.count) == [0, 4, 4, 4, 12])
  }

  /// Returns the length of a space, a no-break space, a narrow one, or of an underscore.
  private static func spaceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.first == 0x20 || bytes.first == .underscore { return 1 }
    if bytes.starts(with: [0xC2, 0xA0]) { return 2 }
    return bytes.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> Int? {
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
