/// The identifier of a new asset.
package enum LocalIdentifier {
  /// A random UUID in lower case, made from the kernel's random numbers alone.
  ///
  /// Foundation's UUID opens a device for them, which a confined process cannot, and then goes on
  /// with the same ones for every process. Source: RFC 9562, section 5.4; getrandom(2).
  package static func make() -> String {
    let (high, low) = RandomNumbers.with { ($0.next(), $0.next()) }
    let halves = [
      high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000,
    ]
    return String(unsafeUninitializedCapacity: 36) { text in
      var count = 0
      for (index, half) in halves.enumerated() {
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
          // Behind 8, 12, 16 and 20 digits.
          let isHyphen =
            index == 0 ? shift == 28 || shift == 12 : shift == 60 || shift == 44
          if isHyphen {
            text[count] = UInt8(ascii: "-")
            count += 1
          }
          let nibble = UInt8(truncatingIfNeeded: half >> shift) & 15
          text[count] =
            nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
          count += 1
        }
      }
      return count
    }
  }
}
