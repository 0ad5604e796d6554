/// The identifier of a new asset.
package enum LocalIdentifier {
  /// A random UUID in lower case, made from the kernel's random numbers alone.
  ///
  /// Foundation's UUID opens a device for them, which a confined process cannot, and then goes on
  /// with the same ones for every process. Source: RFC 9562, section 5.4; getrandom(2).
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = digits(of: high) + digits(of: low)
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
