/// The identifier of a new asset.
package enum LocalIdentifier {
  /// A random UUID in lower case, made from the kernel's random numbers alone.
  ///
  /// Foundation's UUID opens a device for them, which a confined process cannot, and then goes on
  /// with the same ones for every process. Source: RFC 9562, section 5.4; getrandom(2).
  package static func make() -> String {
    let (high, low) = RandomNumbers.with { ($0.next(), $0.next()) }
    let digits =
      digits(of: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000)
      + digits(of: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func digits(of value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
