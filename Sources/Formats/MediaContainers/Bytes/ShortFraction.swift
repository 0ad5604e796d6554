/// A fraction of two numbers of 32 bits whose denominator has no room for letters.
///
/// A denominator from 0 to 536,870,911 stays: the first of its four bytes is less than that of a
/// letter or a space; unless its halves are two letters of UTF-16. Another fraction is reduced or, where
/// that is not enough, rounded to a millionth. Both numbers of any length would have room for texts.
package struct ShortFraction {
  /// The numerator.
  package var above: Int
  /// The denominator, from 0 on.
  package var below: Int

  /// Writes a fraction anew; its denominator may be negative.
  package init(_ above: Int, _ below: Int) {
    (self.above, self.below) = (above, below)
    guard Self.hasRoom(below) else { return }
    var (divisor, remainder) = (abs(above), abs(below))
    while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    self.above = (below < 0 ? -1 : 1) * above / divisor
    self.below = abs(below) / divisor
    guard Self.hasRoom(self.below) else { return }
    let unit = 1_000_000
    let rounded = (abs(self.above) * unit + self.below / 2) / self.below
    (self.above, self.below) = (self.above < 0 ? -rounded : rounded, unit)
  }

  /// Returns whether the bytes of a number can be four letters, or two of UTF-16.
  package static func hasRoom(_ number: Int) -> Bool {
    guard (0..<(1 << 29)).contains(number) else { return true }
    return number & 0xFF00_FF00 == 0 && number >> 16 >= 0x20 && number & 0xFF >= 0x20
  }
}
