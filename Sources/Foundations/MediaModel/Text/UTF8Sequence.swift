/// Finds well-formed UTF-8 sequences.
package enum UTF8Sequence {
  /// Returns the length in bytes of the well-formed sequence at `index`, or 0 if there is none.
  ///
  /// Source: Unicode 15, table 3-7.
  package static func length(in bytes: [UInt8], at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[index] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return 0 }
    for byte in bytes[(index + 2)..<max(index + 2, index + length)] where byte & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}
