import MediaModel

/// The beginning of an asset's localIdentifier, or all of it: 8 to 32 hexadecimal digits.
package struct IdentifierPrefix: Sendable, Hashable {
  /// The fewest digits that are taken for the beginning of an identifier.
  static let fewestDigits = 8
  private static let mostDigits = 32

  /// The digits from the left, and zeros behind them.
  private let high: UInt64
  private let low: UInt64
  /// The number of digits.
  private let count: Int

  /// Reads digits in any case, with or without hyphens; what follows a slash, as in PhotoKit's identifiers, does
  /// not count.
  ///
  /// - Returns: Nil for what cannot begin an identifier, or is too short to tell one.
  package init?(_ text: some Sequence<UInt8>) {
    var (high, low, count) = (UInt64(0), UInt64(0), 0)
    for byte in text {
      if byte == .hyphen { continue }
      if byte == .slash { break }
      guard let digit = Self.digit(byte), count < Self.mostDigits else { return nil }
      let shift = UInt64(60 - 4 * (count % 16))
      if count < 16 { high |= digit << shift } else { low |= digit << shift }
      count += 1
    }
    guard count >= Self.fewestDigits else { return nil }
    (self.high, self.low, self.count) = (high, low, count)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The first 8 digits, by which prefixes are in order.
  var group: UInt64 { high >> 32 }

  /// Whether another one begins with these digits.
  func begins(_ other: IdentifierPrefix) -> Bool {
    if other.count < count { return false }
    let highMask = ~UInt64(0) << UInt64(64 - 4 * min(count, 16))
    let lowMask = ~UInt64(0) << UInt64(64 - 4 * max(0, count - 16))
    return (high ^ other.high) & highMask == 0 && (low ^ other.low) & lowMask == 0
  }
}

extension IdentifierPrefix: CustomStringConvertible {
  /// The digits in lower case, with hyphens where identifiers have them.
  package var description: String {
    var text = ""
    for index in 0..<count {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      let half = index < 16 ? high : low
      text += String(half >> UInt64(60 - 4 * (index % 16)) & 15, radix: 16)
    }
    return text
  }
}
