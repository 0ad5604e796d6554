internal import MediaModel

/// Emphasis on a terminal, or none.
///
/// Source: ECMA-48 section 8.3.117, SGR.
struct TextStyle {
  let isColored: Bool

  func strong(_ text: String) -> String { styled(text, "1") }
  func warning(_ text: String) -> String { styled(text, "33") }
  func failure(_ text: String) -> String { styled(text, "31") }

  private func styled(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Numbers as a person reads them.
enum Quantity {
  /// A number with a comma between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  static func text(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A rate: one digit behind the point below ten, none above.
  static func rate(tenths: Int) -> String {
    let tenths = max(0, tenths)
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : grouped(tenths / 10)
  }

  /// The sum, or the nearest number that there is: counts come from files that may be forged.
  static func sum<Number: FixedWidthInteger>(_ one: Number, _ other: Number) -> Number {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

/// Spans of time as a person reads them.
enum Duration {
  /// `0.8 s`, `42.5 s`, `3 min 20 s`, `2 h 5 min`.
  static func text(_ milliseconds: Int) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds).\(milliseconds % 1000 / 100) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(Quantity.grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
  }

  /// `0:08`, `12:40`, `1:02:03`.
  static func clock(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    if seconds >= 3600 { return "\(seconds / 3600):\(minutes)" }
    return minutes.hasPrefix("0") ? String(minutes.dropFirst()) : minutes
  }
}
