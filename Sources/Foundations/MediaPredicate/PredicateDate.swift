internal import MediaModel

/// A date as a predicate has it.
///
/// Source: ISO 8601, extended format: `2026-11-21`, `2026-11-21T08:00`, `2026-11-21T08:00:00.5+01:00`.
struct PredicateDate: Sendable, Hashable {
  /// Local time as `yyyy-MM-ddTHH:mm:ss`, without a fraction of a second.
  var local: String
  /// Seconds of the local time since 1970, as if it were UTC.
  private var localSeconds: Int64
  /// Nanoseconds within the second.
  private var nanoseconds: Int64
  /// Minutes ahead of UTC; nil when the text has no offset.
  var offsetMinutes: Int64?

  /// Whether the text has a fraction of a second that is not zero.
  var hasFraction: Bool { nanoseconds != 0 }

  /// Whole seconds since 1970; a date without an offset counts as UTC.
  var instant: PredicateValue { .integer(localSeconds - 60 * (offsetMinutes ?? 0)) }

  /// The instant in nanoseconds since 1970; nil when 64 bits do not hold it.
  var nanosecondsSince1970: Int64? {
    let seconds = localSeconds - 60 * (offsetMinutes ?? 0)
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = product.addingReportingOverflow(nanoseconds)
    return overflow || second ? nil : sum
  }

  /// The instant in microseconds since 1970.
  private var microsecondsSince1970: Int64 {
    (localSeconds - 60 * (offsetMinutes ?? 0)) * 1_000_000 + nanoseconds / 1000
  }

  /// The instant as the catalogue writes one, `2026-11-21T01:44:39.123456Z`.
  var timestamp: String { CalendarTime(microsecondsSince1970: microsecondsSince1970).timestamp }

  /// Reads a date; nil for a text of another form, or a day or time that no calendar has.
  init?(_ text: String) {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
      reader.take("-"), let day = reader.digits(2), (1...12).contains(month),
      (1...CivilDate.days(inMonth: Int(month), of: Int(year))).contains(Int(day))
    else { return nil }
    var (hour, minute, second): (Int64, Int64, Int64) = (0, 0, 0)
    var fraction = ""
    if reader.take("T") || reader.take("t") || reader.take(" ") {
      guard let hours = reader.digits(2), reader.take(":"), let minutes = reader.digits(2),
        hours < 24, minutes < 60
      else { return nil }
      (hour, minute) = (hours, minutes)
      if reader.take(":") {
        guard let seconds = reader.digits(2), seconds < 60 else { return nil }
        second = seconds
        if reader.take(".") {
          guard let digits = reader.fraction() else { return nil }
          fraction = digits
        }
      }
      if reader.take("Z") || reader.take("z") {
        offsetMinutes = 0
      } else if let sign: Int64 = reader.take("+") ? 1 : reader.take("-") ? -1 : nil {
        guard let hours = reader.digits(2), hours < 24 else { return nil }
        let hasColon = reader.take(":")
        let minutes = reader.digits(2)
        guard minutes ?? 0 < 60, !hasColon || minutes != nil else { return nil }
        offsetMinutes = sign * (hours * 60 + (minutes ?? 0))
      }
    }
    guard reader.isAtEnd else { return nil }
    func padded(_ value: Int64, _ width: Int) -> String {
      PaddedNumber.text(Int(value), width: width)
    }
    local =
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    nanoseconds =
      Int64(fraction + String(repeating: "0", count: 9 - fraction.utf8.count)) ?? 0
    let days = CalendarTime.days(year: year, month: month, day: day)
    localSeconds = days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Seconds since 1970 of a local time as the catalogue has it, as if it were UTC; nil for another text.
  ///
  /// The day is checked against 31 only, as SQLite's strftime does it.
  static func seconds(ofStored local: String) -> Int64? {
    var reader = DigitReader(Array(local.utf8))
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
      reader.take("-"), let day = reader.digits(2), reader.take("T"),
      let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2),
      reader.take(":"), let second = reader.digits(2), reader.isAtEnd,
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CalendarTime.days(year: year, month: month, day: day)
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The local time of a date of which not all may be known: its first moment. A fraction of a second stays, which only
  /// values to sort by have.
  static func padded(stored local: String) -> String {
    local.utf8.count > 19 ? local : CaptureDate.beginning(ofLocal: local)
  }
}

/// Reads groups of digits.
private struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func digits(_ count: Int) -> Int64? {
    guard index + count <= bytes.count else { return nil }
    var value: Int64 = 0
    for byte in bytes[index..<(index + count)] {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    index += count
    return value
  }

  /// A fraction of one to nine digits.
  mutating func fraction() -> String? {
    let digits = bytes[index...].prefix { $0.isASCIIDigit }
    guard (1...9).contains(digits.count) else { return nil }
    index += digits.count
    return String(decoding: digits, as: UTF8.self)
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
