/// A 16-bit checksum over the polynomial 0x8005, computed eight bytes per step.
///
/// Source: RFC 9639 section 9.3 (FLAC frames, highest bit first); LAME's VbrTag.c, crc16_lookup
/// (the same polynomial, lowest bit first).
package struct CRC16: RunningChecksum {
  /// The order in which the bits of a byte enter the checksum.
  package enum BitOrder {
    case highestFirst
    case lowestFirst
  }

  private static let highest = tables { byte in
    (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
  }
  private static let lowest = tables { byte in
    (0..<8).reduce(UInt16(byte)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xA001 : sum >> 1 }
      .byteSwapped
  }

  /// The state, stored with the byte that is shifted out first on top, so that both orders share
  /// their steps.
  private var state: UInt16 = 0
  private let tables: [UInt16]
  private let order: BitOrder

  /// Creates the checksum of no bytes.
  package init(_ order: BitOrder) {
    self.order = order
    tables = order == .highestFirst ? Self.highest : Self.lowest
  }

  /// The checksum of all bytes added so far.
  package var value: UInt16 { order == .highestFirst ? state : state.byteSwapped }

  /// Adds `bytes` to the checksum.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = state
    tables.withUnsafeBufferPointer { tables in
      var index = 0
      while bytes.count - index >= 8 {
        var next = tables[7 * 256 + Int(UInt8(sum >> 8) ^ bytes[index])]
        next ^= tables[6 * 256 + Int(UInt8(sum & 0xFF) ^ bytes[index + 1])]
        for step in 2..<8 { next ^= tables[(7 - step) * 256 + Int(bytes[index + step])] }
        sum = next
        index += 8
      }
      while index < bytes.count {
        sum = sum << 8 ^ tables[Int(UInt8(sum >> 8) ^ bytes[index])]
        index += 1
      }
    }
    state = sum
  }

  /// Returns eight tables; table `n` is the contribution of a byte followed by `n` zero bytes.
  private static func tables(_ first: (Int) -> UInt16) -> [UInt16] {
    var tables = (0..<256).map(first)
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before << 8 ^ tables[Int(before >> 8)])
    }
    return tables
  }
}
