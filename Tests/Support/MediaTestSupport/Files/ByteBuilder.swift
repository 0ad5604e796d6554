// Parts of files for tests, written without the code under test.

/// The lowest `count` bytes of a number, the highest first.
package func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

/// The lowest `count` bytes of a number, the lowest first.
package func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A box of an ISO base media file: its length in bytes with these eight, its type of four Latin-1
/// letters, and its parts.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package func isoBox(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let body = Array(parts.joined())
  return big(8 + body.count) + letters(type) + body
}

/// A box whose first four bytes are a version and 24 bits of flags.
package func isoFullBox(
  _ type: String,
  version: UInt8 = 0,
  flags: Int = 0,
  _ parts: [UInt8]...
) -> [UInt8] {
  isoBox(type, [version] + big(flags, 3), Array(parts.joined()))
}

/// A chunk of RIFF: its type of four letters, the length of its data in bytes, little-endian, and
/// the data; behind an odd number of bytes stands `padding`, which the length does not count.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, chapter 2.
package func riffChunk(_ type: String, _ data: [UInt8], padding: UInt8 = 0) -> [UInt8] {
  letters(type) + little(data.count) + data + (data.count % 2 == 1 ? [padding] : [])
}

/// A chunk of IFF, as AIFF has it: that of RIFF with a big-endian length.
///
/// Source: Electronic Arts, EA IFF 85.
package func iffChunk(_ type: String, _ data: [UInt8], padding: UInt8 = 0) -> [UInt8] {
  letters(type) + big(data.count) + data + (data.count % 2 == 1 ? [padding] : [])
}

/// A chunk of PNG: the length of its data in bytes, its type of four letters, the data, and the
/// CRC-32 of type and data.
///
/// Source: PNG specification section 5.3.
package func pngChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
  let content = letters(type) + data
  return big(data.count) + content + big(Int(crc32(content)))
}

/// CRC-32 as PNG and zip have it. Source: PNG specification, annex D.
package func crc32(_ bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBufferPointer { bytes in
    remainders.withUnsafeBufferPointer { remainders in
      var value = UInt32.max
      for byte in bytes {
        value = remainders[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
      }
      return value ^ .max
    }
  }
}

/// The remainder of each byte divided by the polynomial of CRC-32.
private let remainders: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { value, _ in
    value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
  }
}

/// Each letter as its Latin-1 byte: types of QuickTime may begin with ©.
private func letters(_ type: String) -> [UInt8] {
  type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}
