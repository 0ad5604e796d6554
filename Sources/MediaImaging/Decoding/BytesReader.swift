/// Reads numbers at offsets that may be outside the bytes.
struct BytesReader {
  let bytes: UnsafeRawBufferPointer

  func byte(at offset: Int) -> Int? {
    bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
  }

  /// Returns a big-endian number of up to 7 bytes; nil if the bytes end before.
  func big(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value = 0
    for index in 0..<count { value = value << 8 | Int(bytes[offset + index]) }
    return value
  }

  /// Returns a little-endian number of up to 7 bytes; nil if the bytes end before.
  func little(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value = 0
    for index in (0..<count).reversed() { value = value << 8 | Int(bytes[offset + index]) }
    return value
  }

  func text(at offset: Int, count: Int = 4) -> String? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
  }
}
