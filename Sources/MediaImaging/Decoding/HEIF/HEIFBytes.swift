/// Reads the numbers and boxes of a file that may be truncated.
///
/// Source: ISO/IEC 14496-12 section 4.2 (boxes).
struct HEIFBytes {
  /// A box without its header.
  struct Box {
    /// The four-character code, with the first character in the highest byte.
    var type: UInt32
    /// The offset of the type.
    var typeOffset: Int
    var body: Range<Int>
  }

  let bytes: UnsafeRawBufferPointer

  var all: Range<Int> { 0..<bytes.count }

  /// Returns a big-endian number of 0 to 8 bytes; nil if it is outside the range or exceeds Int.
  func number(at offset: Int, count: Int, in range: Range<Int>) -> Int? {
    guard offset >= range.lowerBound, count <= range.upperBound - offset else { return nil }
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(bytes[offset + index]) }
    return Int(exactly: value)
  }

  /// Visits the boxes of a range, at most 4,096, until `body` returns false.
  ///
  /// - Returns: False if a box does not fit in the range.
  func forEachBox(in range: Range<Int>, _ body: (Box) -> Bool) -> Bool {
    var offset = range.lowerBound
    for _ in 0..<4096 {
      guard offset < range.upperBound else { return true }
      guard var length = number(at: offset, count: 4, in: range),
        let type = number(at: offset + 4, count: 4, in: range)
      else { return false }
      var header = 8
      if length == 1 {
        guard let long = number(at: offset + 8, count: 8, in: range) else { return false }
        length = long
        header = 16
      } else if length == 0 {
        length = range.upperBound - offset
      }
      guard length >= header, length <= range.upperBound - offset else { return false }
      let box = Box(
        type: UInt32(type),
        typeOffset: offset + 4,
        body: (offset + header)..<(offset + length)
      )
      if !body(box) { return true }
      offset += length
    }
    return false
  }

  /// Returns the four-character code of four ASCII characters.
  static func code(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }
}
