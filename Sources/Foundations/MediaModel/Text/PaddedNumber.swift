/// Numbers in digits of a fixed width.
package enum PaddedNumber {
  /// Returns the decimal digits of a number that is not negative, with zeros in front up to `width`.
  package static func text(_ number: Int, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
