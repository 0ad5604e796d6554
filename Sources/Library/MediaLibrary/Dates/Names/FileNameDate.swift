internal import MediaModel

/// Reads the date in a file's name, by ``FileNameTable``: the shapes that cameras, phones and programs write.
///
/// A date with a time is the local time of the device that named the file, without an offset, unless
/// the shape is one that its program writes in UTC. A name of no known shape has no date: numbers
/// that could be one are not searched for.
enum FileNameDate {
  /// Returns the date in a name, which are bytes with or without an extension; its tag is
  /// ``CaptureDate/nameTag``.
  static func date(of name: [UInt8]) -> CaptureDate? {
    // No shape is longer.
    let name = name.prefix(200)
    for shape in shapes {
      if let date = shape.date(of: name) { return date }
    }
    guard let text = ScreenshotName(name)?.suffix else { return nil }
    for shape in screenshotShapes {
      if let date = shape.date(of: text[...]) { return date }
    }
    return nil
  }

  private static let shapes = FileNameTable.rows.flatMap { row in
    row.shapes.map { Shape($0, isUTC: row.isUniversal) }
  }

  private static let screenshotShapes = FileNameTable.screenshotShapes.map {
    Shape($0, isFolded: true)
  }

  /// The shape of a name up to and including its date.
  private struct Shape {
    private enum Part {
      case literal(UInt8)
      case digits(Field, count: Int)
      /// A number of one or two digits.
      case hour
      /// Seconds since 1970 in 10 digits, or milliseconds in 13.
      case since1970(digits: Int)
      /// A run of digits, or of letters.
      case run(digits: Bool)
      /// Anything up to the literal that follows.
      case anything
      /// Some bytes without a digit, perhaps with the word for the half of a day.
      case gap
      case space
      case separator([UInt8])
    }

    private enum Field { case year, month, day, hour, minute, second, since1970, meridiem }

    private let parts: [Part]
    private let isUTC: Bool
    /// Whether the date is eight digits in a row, which may be another number.
    private let isCompact: Bool

    /// Reads the notation of ``FileNameTable/rows``. In folded names, those of ``ScreenshotName``, a space may
    /// stand between numbers too.
    init(_ text: String, isUTC: Bool = false, isFolded: Bool = false) {
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
      self.isUTC = isUTC
      isCompact = text.hasPrefix("{D}") || text.hasPrefix("{~}{D}")
    }

    private static func fields(isFolded: Bool) -> [String: [Part]] {
      let year = Part.digits(.year, count: 4)
      let (month, day) = (Part.digits(.month, count: 2), Part.digits(.day, count: 2))
      let hour = Part.digits(.hour, count: 2)
      let (minute, second) = (Part.digits(.minute, count: 2), Part.digits(.second, count: 2))
      let ofDate = Part.separator(Array((isFolded ? "-._ " : "-._").utf8))
      let ofTime = Part.separator(Array((isFolded ? "-._: " : "-._:").utf8))
      let time: [Part] = [.hour, ofTime, minute, ofTime, second]
      return [
        "D": [year, month, day], "D-": [year, ofDate, month, ofDate, day],
        "d-": [day, ofDate, month, ofDate, year], "m-": [month, ofDate, day, ofDate, year],
        "Y": [year], "M": [month], "DD": [day], "T": [hour, minute, second], "T-": time,
        "T.": time, "T_": time, "T:": time, "s": [.since1970(digits: 10)],
        "ms": [.since1970(digits: 13)], " ": [.space], "#": [.run(digits: true)],
        "L": [.run(digits: false)], "…": [.anything], "~": [.gap],
      ]
    }

    func date(of name: ArraySlice<UInt8>) -> CaptureDate? {
      var unread = name
      var values: [Field: Int] = [:]
      for (index, part) in parts.enumerated() {
        guard take(part, at: index, from: &unread, into: &values) else { return nil }
      }
      guard FileNameDate.isEnd(unread, afterTime: values[.second] != nil) else { return nil }
      return date(values, unread)
    }

    /// Takes a part off the front; returns whether it is there.
    private func take(
      _ part: Part,
      at index: Int,
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
      case .hour:
        let run = unread.prefix(2).prefix(while: \.isASCIIDigit)
        guard let number = FileNameDate.number(run, run.count), !run.isEmpty else { return false }
        unread = unread.dropFirst(run.count)
        values[.hour] = number
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
      case .anything:
        let word = literal(after: index)
        let starts = unread.indices.dropLast(max(0, word.count - 1))
        guard
          let start = starts.first(where: { [unread] in
            unread[$0...].prefix(word.count).elementsEqual(word) {
              $0.asciiLowercased == $1
            }
          })
        else { return false }
        unread = unread[start...]
      case .gap:
        let gap = unread.prefix(32).prefix { !$0.isASCIIDigit }
        unread = unread.dropFirst(gap.count)
        let meridiem = gap.first { ScreenshotName.Meridiem(rawValue: $0) != nil }
        values[.meridiem] = meridiem.map { Int($0) } ?? values[.meridiem]
      case .space:
        guard let length = FileNameDate.spaceLength(unread) else { return false }
        unread = unread.dropFirst(length)
      case .separator(let separators):
        guard let first = unread.popFirst() else { return false }
        return separators.contains(first)
      }
      return true
    }

    /// The letters that follow a part.
    private func literal(after index: Int) -> [UInt8] {
      var word: [UInt8] = []
      for part in parts.dropFirst(index + 1) {
        guard case .literal(let byte) = part else { break }
        word.append(byte)
      }
      return word
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
      guard let hour = FileNameDate.hour(hour, suffix, before: values[.meridiem]),
        let time = CivilDate.time(hour: hour, minute: minute, second: second)
      else { return nil }
      return CaptureDate(local: date + "T" + time, offsetMinutes: isUTC ? 0 : nil, tag: CaptureDate.nameTag)
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
  private static func hour(_ hour: Int, _ suffix: ArraySlice<UInt8>, before: Int?) -> Int? {
    if let before {
      let afternoon = Int(ScreenshotName.Meridiem.afternoon.rawValue)
      return CivilDate.hour(hour, isAfternoon: before == afternoon)
    }
    guard let space = spaceLength(suffix) else { return hour }
    let text = suffix.dropFirst(space).prefix(10).map(\.asciiLowercased)
    let word = meridiems.first { word, _ in
      let next = text.dropFirst(word.count).first ?? 0
      return text.starts(with: word) && !next.isASCIILetter && next < 0x80
    }
    return word.map { CivilDate.hour(hour, isAfternoon: $0.isAfternoon) } ?? hour
  }

  /// Returns whether a date may end here: digits may follow a time as its milliseconds, otherwise none.
  private static func isEnd(_ suffix: ArraySlice<UInt8>, afterTime: Bool) -> Bool {
    let digits = suffix.prefix(while: \.isASCIIDigit).count
    return digits == 0 || afterTime && digits == 3
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
