/// The smallest unit of a date that is known.
package enum DatePrecision: String, CaseIterable, Sendable, Hashable {
  case year, month, day, minute, second, fraction
}

extension CaptureDate {
  /// The smallest unit that is known.
  package var precision: DatePrecision {
    switch local.utf8.count {
    case 4: .year
    case 7: .month
    case 10: .day
    default: fraction != nil ? .fraction : hasSeconds ? .second : .minute
    }
  }

  /// Whether it has no time of day.
  package var isDateOnly: Bool { local.utf8.count < 19 }

  /// Whether it has no day: a year, or a month.
  package var isCoarse: Bool { local.utf8.count < 10 }

  /// Whether another date lies in the interval that this one leaves open, and is not the same.
  package func isRefined(by other: CaptureDate) -> Bool {
    other.local.utf8.count > local.utf8.count && other.local.hasPrefix(local)
  }

  /// The first moment of the interval, as `yyyy-MM-ddTHH:mm:ss`.
  package var beginning: String { Self.beginning(ofLocal: local) }

  /// The first moment of a ``local``, as `yyyy-MM-ddTHH:mm:ss`.
  package static func beginning(ofLocal local: String) -> String {
    let missing = "0001-01-01T00:00:00".utf8.dropFirst(local.utf8.count)
    return String(decoding: (Array(local.utf8) + missing).prefix(19), as: UTF8.self)
  }

  /// What dates are sorted by, as text: the first moment, with the fraction of a second.
  package var sortText: String { beginning + (fraction.map { "." + $0 } ?? "") }

  /// The date as XMP and ISO 8601 have it, with what is known of it alone: `1978`, `2019-07-04T10:15`,
  /// `2019-07-04T10:15:30.25+02:00`.
  package var text: String {
    let stated = String(local.prefix(hasSeconds ? 19 : 16)) + (fraction.map { "." + $0 } ?? "")
    return stated + (isDateOnly ? "" : offsetMinutes.map(CivilDate.offset) ?? "")
  }

  /// Takes what a catalogue or another process says of the precision; what is of another form, or of a date without a
  /// time of day, is none.
  package mutating func take(precision: String?, fraction: String?) {
    hasSeconds = isDateOnly || precision != DatePrecision.minute.rawValue
    self.fraction = isDateOnly || !hasSeconds ? nil : fraction.flatMap { Self.fraction(Array($0.utf8)) }
  }

  /// Returns the date with the precision and the fraction of a second of another one.
  package func asPrecise(as other: CaptureDate) -> CaptureDate {
    var date = self
    (date.hasSeconds, date.fraction) = (other.hasSeconds, other.fraction)
    return date
  }

  /// Returns the digits of a fraction in its checked form; nil unless there are digits and nothing else. Those beyond
  /// nanoseconds are cut.
  package static func fraction(_ digits: some Collection<UInt8>) -> String? {
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    var significant = Array(digits.prefix(maximumFractionLength))
    while significant.count > 1, significant.last == UInt8(ascii: "0") { significant.removeLast() }
    return String(decoding: significant, as: UTF8.self)
  }

  /// The time in nanoseconds since 1970-01-01T00:00:00Z, without the fraction of a second; one without an offset counts
  /// as UTC, since nothing says where it was, and one without a time as the first moment. Nil outside of the years 1678
  /// to 2261.
  package var nanosecondsSince1970: Int64? {
    guard let seconds = CivilDate.seconds(local), let year = Int(local.prefix(4)),
      (1678...2261).contains(year)
    else { return nil }
    return Int64(seconds - 60 * (offsetMinutes ?? 0)) * 1_000_000_000
  }

  /// The local time in nanoseconds since 1970 as if it were UTC, with the fraction of a second; nil outside of the years
  /// 1678 to 2261.
  package var localNanoseconds: Int64? {
    var local = self
    local.offsetMinutes = nil
    let nanoseconds = fraction.flatMap { digits in
      Int64(digits + String(repeating: "0", count: Self.maximumFractionLength - digits.utf8.count))
    }
    return local.nanosecondsSince1970.map { $0 + (nanoseconds ?? 0) }
  }
}
