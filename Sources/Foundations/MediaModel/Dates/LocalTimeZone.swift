/// A zone of the IANA time zone database: which offset from UTC its clocks have, or had.
///
/// Offsets are in minutes, east positive; one of a town's own mean time, which has seconds, is rounded.
///
/// Source: RFC 9636, the TZif format, versions 1 to 4.
package struct LocalTimeZone: Sendable, Hashable {
  /// The name, such as `Europe/Berlin`.
  package let name: String
  /// When the offset changes: seconds since 1970, ascending.
  private var transitions: [Int] = []
  /// The offset before the first transition, and behind each.
  private var offsets: [Int]

  /// The longest name in characters.
  package static let maximumNameLength = 255

  /// Reads a file of the database, whole; nil for what is no such file, or is cut.
  package init?(name: String, _ bytes: [UInt8]) {
    self.name = name
    guard var header = Header(bytes, at: 0) else { return nil }
    // What version 1 has comes again with times of eight bytes.
    if header.version >= UInt8(ascii: "2") {
      guard let next = Header(bytes, at: header.end) else { return nil }
      header = next
      header.timeSize = 8
    }
    guard header.end <= bytes.count, header.types > 0 else { return nil }
    let numbers = header.start + header.times * header.timeSize
    let types = numbers + header.times
    func offset(ofType type: Int) -> Int? {
      guard type < header.types else { return nil }
      return Self.minutes(Self.number(bytes, types + 6 * type, 4))
    }
    guard let first = offset(ofType: 0) else { return nil }
    offsets = [first]
    for index in 0..<header.times {
      let time = Self.number(bytes, header.start + index * header.timeSize, header.timeSize)
      guard let offset = offset(ofType: Int(bytes[numbers + index])) else { return nil }
      append(time, offset)
    }
    guard header.timeSize == 8, let rule = YearRule(bytes[header.end...]) else { return }
    extend(by: rule)
  }

  /// Returns the offset at a time in seconds since 1970.
  package func offset(at seconds: Int) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }

  /// Returns the offset that a local time has, whose seconds since 1970 are counted as if it were UTC.
  ///
  /// Of an hour that comes twice the first counts; an hour that is left out has the offset before it.
  package func offset(ofLocal seconds: Int) -> Int {
    let (before, after) = (offset(at: seconds - 86_400), offset(at: seconds + 86_400))
    let isAfter =
      offset(at: seconds - 60 * before) != before && offset(at: seconds - 60 * after) == after
    return isAfter ? after : before
  }

  /// Returns whether a text can be the name of a zone: words of `A-Z a-z 0-9 _ + -` with `/` between, and a
  /// capital letter first. Whether there is one, the database says.
  package static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    guard name.utf8.count <= maximumNameLength, let first = name.utf8.first,
      first.isASCIIUppercase
    else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isASCIIAlphanumeric || "_+-".utf8.contains($0) }
    }
  }

  private mutating func append(_ time: Int, _ offset: Int) {
    guard transitions.last.map({ $0 < time }) ?? true else { return }
    transitions.append(time)
    offsets.append(offset)
  }

  /// Adds the transitions that the rule for later years makes: no photograph is from behind 2100.
  private mutating func extend(by rule: YearRule) {
    guard let summer = rule.summer else {
      // A zone without transitions has the rule's offset always.
      if transitions.isEmpty { offsets = [rule.standard] }
      return
    }
    let last = transitions.last ?? 0
    for year in 1970...2100 {
      let changes = [
        (summer.begins.seconds(in: year) - 60 * rule.standard, summer.offset),
        (summer.ends.seconds(in: year) - 60 * summer.offset, rule.standard),
      ]
      for (time, offset) in changes.sorted(by: { $0.0 < $1.0 }) where time > last {
        append(time, offset)
      }
    }
  }

  private static func minutes(_ seconds: Int) -> Int { (seconds + (seconds < 0 ? -30 : 30)) / 60 }

  /// Returns a signed big-endian number of 4 or 8 bytes.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    let bits = bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
  }

  /// A header of the file with the block behind it.
  private struct Header {
    let version: UInt8
    /// The offset of the block.
    let start: Int
    let times: Int
    let types: Int
    /// Bytes of the block besides times and types.
    private let leaps: Int
    private let others: Int
    /// The size of a time in bytes.
    var timeSize = 4

    init?(_ bytes: [UInt8], at offset: Int) {
      guard offset + 44 <= bytes.count, bytes[offset...].starts(with: "TZif".utf8) else {
        return nil
      }
      let counts = (0..<6).map { LocalTimeZone.number(bytes, offset + 20 + 4 * $0, 4) }
      // The whole file is small.
      guard counts.allSatisfy({ (0...65_536).contains($0) }) else { return nil }
      version = bytes[offset + 4]
      start = offset + 44
      (leaps, times, types) = (counts[2], counts[3], counts[4])
      others = counts[0] + counts[1] + counts[5]
    }

    /// The offset of the first byte behind the block.
    var end: Int { start + times * (timeSize + 1) + types * 6 + leaps * (timeSize + 4) + others }
  }
}

/// The rule for all years behind the last transition of a zone, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2024, Base Definitions 8.3, `TZ`; RFC 9636, section 3.3.1, hours from -167 to 167.
private struct YearRule {
  /// A day and a time of each year.
  struct Day {
    let month: Int
    /// 1 to 5; 5 is the last.
    let week: Int
    /// 0 is Sunday.
    let weekday: Int
    /// Seconds since midnight.
    let time: Int

    /// Returns the seconds from 1970 to that local time of a year, as if it were UTC.
    func seconds(in year: Int) -> Int {
      let first = Int(CalendarTime.days(year: Int64(year), month: Int64(month), day: 1))
      let next = month == 12 ? (year + 1, 1) : (year, month + 1)
      let end = Int(CalendarTime.days(year: Int64(next.0), month: Int64(next.1), day: 1))
      // 1970-01-01 was a Thursday.
      let offset = (weekday - (first + 4) % 7 + 7) % 7
      var day = first + offset + 7 * (week - 1)
      if day >= end { day -= 7 }
      return day * 86_400 + time
    }
  }

  /// The offset from UTC in minutes outside of the summer time.
  private(set) var standard = 0
  /// The offset in the summer time, which begins by local time outside of it, and ends by its own.
  private(set) var summer: (offset: Int, begins: Day, ends: Day)?

  private var text: ArraySlice<UInt8>

  /// Reads the rule between two line feeds; nil for none, and for days that are not of the form
  /// `M3.5.0`, which no zone has.
  init?(_ bytes: ArraySlice<UInt8>) {
    text = bytes
    guard take("\n"), skipName(), let west = time() else { return nil }
    standard = -west / 60
    guard skipName() else {
      if text.first == .newline { return }
      return nil
    }
    var offset = standard + 60
    if text.first != .comma {
      guard let west = time() else { return nil }
      offset = -west / 60
    }
    guard let begins = day(), let ends = day() else { return nil }
    summer = (offset, begins, ends)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard text.first == UInt8(ascii: character) else { return false }
    text.removeFirst()
    return true
  }

  /// Skips `CET`, or `<+0330>`.
  private mutating func skipName() -> Bool {
    if take("<") {
      text = text.drop { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    let unread = text.drop { $0.isASCIILetter }
    defer { text = unread }
    return unread.count < text.count
  }

  private mutating func number() -> Int? {
    let digits = text.prefix(3).prefix { $0.isASCIIDigit }
    text = text.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Reads `-3:30` in seconds.
  private mutating func time() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var seconds = number().map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let part = number() else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads `,M3.5.0/2`.
  private mutating func day() -> Day? {
    guard take(","), take("M"), let month = number(), (1...12).contains(month), take("."),
      let week = number(), (1...5).contains(week), take("."), let weekday = number(),
      (0...6).contains(weekday)
    else { return nil }
    var seconds = 7200
    if take("/") {
      guard let other = time() else { return nil }
      seconds = other
    }
    return Day(month: month, week: week, weekday: weekday, time: seconds)
  }
}
