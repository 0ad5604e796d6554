/// The numbers of ISO 21496-1 that define how a gain map brightens a picture.
///
/// Source: ISO 21496-1:2025 annex C; libultrahdr `gainmapmetadata.cpp`.
package struct GainMapNumbers: Hashable {
  private static let isMultichannel = 0x80
  private static let usesBaseColors = 0x40
  private static let isBackward = 0x04
  private static let hasCommonDenominator = 0x08
  /// Which of the five numbers of a channel are signed: minimum and maximum, but not gamma, and two offsets.
  private static let areSigned = [true, true, false, true, true]

  private let flags: Int
  /// The numbers in file order: headrooms, then minimum, maximum, gamma and offsets for each
  /// channel; each is a numerator with its denominator, or all follow one common denominator.
  private let numbers: [Int]

  /// Parses metadata of version 0; nil when `bytes` have another version or length. Fractions that could be texts
  /// are rounded to a millionth, those of a common denominator each with one of its own.
  package init?(_ bytes: [UInt8]) {
    let source = ByteSource(bytes)
    guard source.uint16(at: 0) == 0, let flags = source.uint8(at: 4) else { return nil }
    let count = Self.length(of: UInt8(flags)) / 4
    let isCommon = flags & Self.hasCommonDenominator != 0
    guard bytes.count == 5 + 4 * count else { return nil }
    var numbers = (0..<count).map { source.uint32(at: 5 + 4 * $0) ?? 0 }
    let kept = flags & (Self.isMultichannel | Self.usesBaseColors | Self.isBackward)
    // The first byte of a negative number is that of no letter.
    if isCommon, !numbers.contains(where: { ShortFraction.hasRoom(abs(Int(Int32(truncatingIfNeeded: $0)))) })
    {
      (self.flags, self.numbers) = (kept | Self.hasCommonDenominator, numbers)
      return
    }
    if isCommon { numbers = numbers.dropFirst().flatMap { [$0, numbers[0]] } }
    for index in stride(from: 0, to: numbers.count, by: 2) {
      let isSigned = index >= 4 && Self.areSigned[(index - 4) / 2 % 5]
      let above = isSigned ? Int(Int32(truncatingIfNeeded: numbers[index])) : numbers[index]
      let fraction = ShortFraction(above, numbers[index + 1])
      (numbers[index], numbers[index + 1]) = (fraction.above & 0xFFFF_FFFF, fraction.below)
    }
    (self.flags, self.numbers) = (kept, numbers)
  }

  /// Returns the length in bytes of the numbers behind these flags.
  static func length(of flags: UInt8) -> Int {
    let channels = Int(flags) & isMultichannel != 0 ? 3 : 1
    return Int(flags) & hasCommonDenominator != 0 ? 4 * (1 + 2 + 5 * channels) : 4 * (4 + 10 * channels)
  }

  /// The bytes of version 0, the defined flags, and the numbers.
  package var bytes: [UInt8] {
    [0, 0, 0, 0, UInt8(truncatingIfNeeded: flags)] + numbers.flatMap { $0.bytes(4) }
  }
}
