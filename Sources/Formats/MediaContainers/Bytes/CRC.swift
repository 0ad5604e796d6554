/// A cyclic redundancy check of at most 32 bits that starts from 0, computed eight bytes per step.
package struct CRC {
  /// The checksum of an Ogg page.
  ///
  /// Source: RFC 3533 section 6.
  package static let oggPage = CRC(polynomial: 0x04C1_1DB7, width: 32)
  /// The checksum of a FLAC frame.
  ///
  /// Source: RFC 9639 section 9.3.
  package static let flacFrame = CRC(polynomial: 0x8005, width: 16)
  /// The checksum of a FLAC frame's header.
  ///
  /// Source: RFC 9639 section 9.1.8.
  static let flacHeader = CRC(polynomial: 0x07, width: 8)
  /// The checksums in LAME's extension of an MP3, lowest bit first.
  ///
  /// Source: LAME's VbrTag.c, crc16_lookup.
  package static let lame = CRC(lowestFirst: 0xA001)

  /// Eight tables; table `n` is the contribution of a byte followed by `n` zero bytes.
  private let tables: [UInt32]
  /// The number of bits, or nil when the lowest bit of a byte enters first.
  private let width: UInt32?
  /// The checksum with the byte that is shifted out first on top.
  private var state: UInt32 = 0

  private init(polynomial: UInt32, width: UInt32) {
    let aligned = polynomial << (32 - width)
    self.width = width
    tables = Self.tables { byte in
      (0..<8).reduce(UInt32(byte) << 24) { sum, _ in
        sum >> 31 == 1 ? sum << 1 ^ aligned : sum << 1
      }
    }
  }

  private init(lowestFirst polynomial: UInt32) {
    width = nil
    tables = Self.tables { byte in
      (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ polynomial : sum >> 1 }
        .byteSwapped
    }
  }

  private static func tables(_ first: (Int) -> UInt32) -> [UInt32] {
    var tables = (0..<256).map(first)
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before << 8 ^ tables[Int(before >> 24)])
    }
    return tables
  }

  /// The checksum of all bytes added so far.
  package var value: UInt32 { width.map { state >> (32 - $0) } ?? state.byteSwapped }

  /// Adds `bytes` to the checksum.
  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  /// Adds the bytes of `range`, which lies within the source.
  package mutating func add(_ range: Range<Int>, of source: ByteSource) {
    source.forEachRun(in: range) { add($0) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = state
    tables.withUnsafeBufferPointer { tables in
      var index = 0
      while bytes.count - index >= 8 {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let mixed = word ^ UInt64(sum) << 32
        sum = 0
        for step in 0..<8 {
          sum ^= tables[step * 256 + Int((mixed >> UInt64(8 * step)) & 0xFF)]
        }
        index += 8
      }
      while index < bytes.count {
        sum = sum << 8 ^ tables[Int(UInt8(sum >> 24) ^ bytes[index])]
        index += 1
      }
    }
    state = sum
  }
}
