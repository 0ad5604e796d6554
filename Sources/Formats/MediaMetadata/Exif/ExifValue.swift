/// A value of an Exif entry, decoded by libexif.
package enum ExifValue {
  /// The bytes of an ASCII value, with its NULs.
  case text([UInt8])
  /// The values of a BYTE, SHORT or LONG entry.
  case numbers([Int])
  /// The values of a RATIONAL entry.
  case fractions([Fraction])
  /// The values of an SRATIONAL entry.
  case signedFractions([Fraction])

  /// A numerator and a denominator of 32 bits.
  package struct Fraction: Sendable, Hashable {
    /// The numerator.
    package var above: Int
    /// The denominator, which may be 0.
    package var below: Int

    /// The quotient; nil when the denominator is 0.
    var quotient: Double? {
      below == 0 ? nil : Double(above) / Double(below)
    }

    /// The quotient of a numerator of 32 bits that is read as a signed one; of a denominator of 0, the numerator.
    var signed: Double { Double(Int32(truncatingIfNeeded: above)) / Double(max(1, below)) }
  }
}
