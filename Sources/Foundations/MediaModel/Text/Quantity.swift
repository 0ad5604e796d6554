/// Numbers as a person reads them.
package enum Quantity {
  /// A number with a comma between thousands.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A number and what it counts: `1 file`, `2 files`, with the plural `2 batches`.
  package static func text(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A number, what it counts, and the verb of both: `1 file was`, `2 files were`.
  package static func text(
    _ number: Int,
    _ noun: String,
    _ singular: String,
    _ plural: String
  ) -> String {
    text(number, noun) + " " + (number == 1 ? singular : plural)
  }

  /// Names in one sentence: `a`, `a and b`, `a, b and c`.
  package static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A rate: one digit behind the point below ten, none above.
  package static func rate(tenths: Int) -> String {
    let tenths = max(0, tenths)
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : grouped(tenths / 10)
  }

  /// Seconds as a clock shows them: `0:08`, `12:40`, `1:02:03`.
  package static func clock(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    if seconds >= 3600 { return "\(seconds / 3600):\(minutes)" }
    return minutes.hasPrefix("0") ? String(minutes.dropFirst()) : minutes
  }

  /// The sum, or the nearest number that there is: counts come from files that may be forged.
  package static func sum<Number: FixedWidthInteger>(_ number: Number, _ other: Number) -> Number {
    let (sum, overflow) = number.addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
