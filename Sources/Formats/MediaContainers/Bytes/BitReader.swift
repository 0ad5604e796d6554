/// Reads and clears bits of a few bytes, from the most significant bit of the first byte.
package struct BitReader {
  private let bytes: [UInt8]
  /// The number of bits that were read.
  package private(set) var position: Int

  /// Starts at a bit of `bytes`.
  package init(_ bytes: [UInt8], at position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// Reads a number of `count` bits; nil when some are missing.
  package mutating func read(_ count: Int) -> Int? {
    guard count >= 0, bytes.count * 8 - position >= count else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> (7 - UInt8(position % 8)) & 1)
      position += 1
    }
    return value
  }

  /// Passes over `count` bits; false when some are missing.
  package mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, bytes.count * 8 - position >= count else { return false }
    position += count
    return true
  }

  /// Passes over the rest of a byte that was begun.
  package mutating func align() {
    position = (position + 7) / 8 * 8
  }

  /// Sets the bits of `range` to zero.
  package static func clear(_ bytes: inout [UInt8], _ range: Range<Int>) {
    for position in range { bytes[position / 8] &= ~(1 << (7 - UInt8(position % 8))) }
  }

  /// Writes `text` over the bits from `position` on, which are zero.
  package static func write(_ text: [UInt8], over bytes: inout [UInt8], at position: Int) {
    for (index, byte) in text.enumerated() {
      let bit = position + 8 * index
      bytes[bit / 8] |= byte >> UInt8(bit % 8)
      if bit % 8 > 0 { bytes[bit / 8 + 1] |= byte << (8 - UInt8(bit % 8)) }
    }
  }
}
