import MediaModel

/// Reads the dates in texts of other shapes than Exif's and ISO's: with names of months, and those of some cameras.
///
/// A date in numbers begins with its year: nobody can tell day and month of 07/08/2023 apart.
///
/// Source: RFC 1123 section 5.2.14 and RFC 822 section 5, for PNG's `Creation Time`; `asctime` of C, as most cameras
/// write IDIT; exiftool `RIFF.pm`, ConvertRIFFDate, for those of Casio and Konica.
enum WrittenDate {
  private static let maximumLength = 64
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  /// The minutes east of UTC of zones whose names have one meaning in a date.
  private static let zones = [
    "gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
    "mdt": -360, "pst": -480, "pdt": -420,
  ]

  /// Returns the dates that a text states, as ``DateText/dates(_:tag:)`` does.
  static func dates(_ text: String, tag: String) -> [CaptureDate] {
    let text = String(text.prefix { $0 != "\0" }.prefix(maximumLength))
    var words = Words()
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == "\0" }) {
      words.take(word)
    }
    return words.month == nil ? DateText.dates(inNumbers(text), tag: tag) : words.dates(tag)
  }

  /// Returns `2001/1/27 1:42PM` for `2001/ 1/27  1:42PM`, `2005/11/28 09:19` for `2005/11/28/ 09:19`, and a text
  /// without the space before its offset.
  private static func inNumbers(_ text: String) -> String {
    var result: [UInt8] = []
    var slashes = 0
    var hasTime = false
    let bytes = Array(text.utf8.drop { $0 == .space }.prefix { $0 != .newline && $0 != 0x0D })
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch byte {
      case .slash where slashes == 2: result.append(.space)
      case .space where result.last == .slash || result.last == .colon: continue
      case .space where hasTime && (next == UInt8(ascii: "+") || next == .hyphen): continue
      default:
        if byte == .slash { slashes += 1 }
        hasTime = hasTime || byte == .colon && result.contains { $0 == .space || $0 == UInt8(ascii: "T") }
        result.append(byte)
      }
    }
    while result.last == .space { result.removeLast() }
    return String(decoding: result, as: UTF8.self)
  }

  /// What the words of a text say.
  private struct Words {
    var month: Int?
    /// The numbers before the month, and behind it.
    private var before: [Substring] = []
    private var after: [Substring] = []
    private var time: Time?
    /// Whether a word has no meaning here, or one that another has already.
    private var isForeign = false

    private struct Time {
      var hour: Int
      var minute: Int
      var second: Int
      var offset: Int?
    }

    mutating func take(_ word: Substring) {
      guard let first = word.utf8.first else { return }
      if first.isASCIIDigit, word.utf8.contains(.colon) {
        takeTime(word)
      } else if time != nil, first == UInt8(ascii: "+") || first == .hyphen {
        time?.offset = DateText.offsetMinutes(Array(word.utf8)[...])
      } else {
        for part in word.split(whereSeparator: { "-/.()".contains($0) }) { takePart(part) }
      }
    }

    private mutating func takePart(_ part: Substring) {
      if part.utf8.allSatisfy(\.isASCIIDigit) {
        if month == nil { before.append(part) } else { after.append(part) }
        return
      }
      let word = part.lowercased()
      let isLong = word.utf8.count >= 3
      if isLong, let number = EnglishMonth.number(beginningWith: word) {
        isForeign = isForeign || month != nil
        month = number
      } else if word == "am" || word == "pm" {
        takeHalf(isAfternoon: word == "pm")
      } else if let offset = zones[word], time != nil {
        if time?.offset == nil { time?.offset = offset }
      } else if !isLong || !weekdays.contains(where: { $0.hasPrefix(word) }) {
        // A zone whose name has more than one meaning.
        let isZone =
          time != nil && 3...5 ~= part.utf8.count
          && part.utf8.allSatisfy(\.isASCIIUppercase)
        isForeign = isForeign || !isZone
      }
    }

    private mutating func takeTime(_ word: Substring) {
      let digits = word.prefix { $0.isASCII && $0.isNumber || $0 == ":" }
      let numbers = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard time == nil, 2...3 ~= numbers.count, let hour = numbers[0], let minute = numbers[1],
        let second = numbers.count == 3 ? numbers[2] : 0
      else {
        isForeign = true
        return
      }
      time = Time(hour: hour, minute: minute, second: second)
      let suffix = Array(word.utf8.dropFirst(digits.utf8.count).drop { $0 == .dot || $0.isASCIIDigit })
      time?.offset = DateText.offsetMinutes(suffix[...])
      let half = String(decoding: suffix, as: UTF8.self).lowercased()
      if half == "am" || half == "pm" { takeHalf(isAfternoon: half == "pm") }
    }

    private mutating func takeHalf(isAfternoon: Bool) {
      guard let hour = time?.hour, let ofDay = CivilDate.hour(hour, isAfternoon: isAfternoon) else {
        isForeign = true
        return
      }
      time?.hour = ofDay
    }

    func dates(_ tag: String) -> [CaptureDate] {
      guard !isForeign, let month, let (year, dayNumber) = yearAndDay else { return [] }
      guard let day = CivilDate.day(year: year, month: month, day: dayNumber) else {
        return [.impossible(tag: tag)]
      }
      let alone = CaptureDate(local: day, offsetMinutes: nil, tag: tag)
      guard let time else { return [alone] }
      let second = DateText.withoutLeapSecond(time.second)
      guard let clock = CivilDate.time(hour: time.hour, minute: time.minute, second: second) else {
        return [alone, .impossible(tag: tag)]
      }
      return [CaptureDate(local: day + "T" + clock, offsetMinutes: time.offset, tag: tag)]
    }

    /// The year, which has four digits, and the day; of RFC 822 the day, the month and two digits of the year.
    private var yearAndDay: (year: Int, day: Int)? {
      let numbers = before + after
      guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.count <= 4 }) else { return nil }
      let years = numbers.filter { $0.utf8.count == 4 }
      if years.count == 1, let day = numbers.first(where: { $0.utf8.count <= 2 }) {
        return Int(years[0]).flatMap { year in Int(day).map { (year, $0) } }
      }
      guard years.isEmpty, before.count == 1, after[0].utf8.count == 2, let day = Int(before[0]),
        let year = Int(after[0])
      else { return nil }
      return (year < 50 ? 2000 + year : 1900 + year, day)
    }
  }
}
