/// The CRC-32 checksum that PNG chunks use.
///
/// Source: PNG (3rd edition) annex D; eight bytes per step, as in zlib's crc32.c.
package struct CRC32: RunningChecksum {

  /// Creates the checksum of no bytes.
  package init() {}
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
      tables[index] = value
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables[index] = tables[Int(before & 0xFF)] ^ (before >> 8)
    }
    return tables
  }()

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of all bytes added so far.
  package var value: UInt32 { state ^ 0xFFFF_FFFF }

  /// Adds `bytes` to the checksum.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    Self.tables.withUnsafeBufferPointer { tables in
      var index = 0
      while bytes.count - index >= 8 {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        crc = 0
        for step in 0..<8 {
          crc ^= tables[(7 - step) * 256 + Int((mixed >> UInt64(8 * step)) & 0xFF)]
        }
        index += 8
      }
      while index < bytes.count {
        crc = tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc >> 8)
        index += 1
      }
    }
    state = crc
  }
}
