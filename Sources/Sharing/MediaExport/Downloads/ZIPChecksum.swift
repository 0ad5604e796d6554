/// The CRC-32 of a ZIP's files, eight bytes at a time, in Swift: this process reaches no library of decoders.
///
/// Source: PKWARE's APPNOTE.TXT 6.3.10, section 4.4.7; Kounavis and Berry, "Novel Table Lookup-Based Algorithms for
/// High-Performance CRC Generation" (2008), slicing by 8.
struct ZIPChecksum {
  /// Eight tables of 256: what a byte leaves, with so many bytes behind it.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { rest, _ in (rest >> 1) ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    for index in 256..<(8 * 256) {
      let rest = tables[index - 256]
      tables.append((rest >> 8) ^ tables[Int(rest & 0xFF)])
    }
    return tables
  }()

  private var rest = UInt32.max

  /// The checksum of the bytes so far.
  var value: UInt32 { ~rest }

  /// Continues with these bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    Self.tables.withUnsafeBufferPointer { tables in
      var index = 0
      while index + 8 <= bytes.count {
        let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let word = next ^ UInt64(rest)
        rest = 0
        for place in 0..<8 {
          rest ^= tables[((7 - place) << 8) | Int((word >> UInt64(8 * place)) & 0xFF)]
        }
        index += 8
      }
      while index < bytes.count {
        rest = (rest >> 8) ^ tables[Int((rest ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
    }
  }
}
