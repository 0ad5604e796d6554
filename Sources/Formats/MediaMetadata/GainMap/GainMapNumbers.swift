import MediaContainers

/// The numbers of ISO 21496-1 that define how a gain map brightens a picture.
///
/// Source: ISO 21496-1:2025 annex C; libultrahdr `gainmapmetadata.cpp`.
package struct GainMapNumbers: Hashable {
  private static let isMultichannel = 0x80
  private static let usesBaseColors = 0x40
  private static let isBackward = 0x04
  private static let hasCommonDenominator = 0x08

  private let flags: Int
  /// The numbers in file order: headrooms, then minimum, maximum, gamma and offsets for each
  /// channel; each is a numerator with its denominator, or all follow one common denominator.
  private let numbers: [Int]

  /// Parses metadata of version 0; nil when `bytes` have another version or length.
  package init?(_ bytes: [UInt8]) {
    let source = ByteSource(bytes)
    guard source.uint16(at: 0) == 0, let flags = source.uint8(at: 4) else { return nil }
    self.flags =
      flags
      & (Self.isMultichannel | Self.usesBaseColors | Self.isBackward | Self.hasCommonDenominator)
    let channels = flags & Self.isMultichannel != 0 ? 3 : 1
    let isCommon = flags & Self.hasCommonDenominator != 0
    let count = isCommon ? 1 + 2 + 5 * channels : 4 + 10 * channels
    guard bytes.count == 5 + 4 * count else { return nil }
    var numbers: [Int] = []
    for index in 0..<count {
      guard let number = source.uint32(at: 5 + 4 * index) else { return nil }
      numbers.append(number)
    }
    self.numbers = numbers
  }

  /// The bytes of version 0, the defined flags, and the numbers.
  package var bytes: [UInt8] {
    [0, 0, 0, 0, UInt8(truncatingIfNeeded: flags)] + numbers.flatMap { $0.bytes(4) }
  }
}
