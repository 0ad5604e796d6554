/// Bytes that a parser looks at: a mapping of a file, or what an edit list would make of it.
///
/// A parser written against this can look at its own output without that output existing anywhere.
/// Nothing here traps: what lies outside is absent.
package protocol ByteSource {
  /// How many bytes there are.
  var length: Int { get }

  /// Calls `body` once with the bytes that follow one another in memory from `offset` on.
  ///
  /// The run is empty outside `0 ..< length` and otherwise holds at least one byte; where it ends
  /// the next one may begin. The pointer is valid until `body` returns.
  func withRun<Result>(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

/// Which byte of a number comes first.
enum ByteOrder {
  case big
  case little
}

extension ByteSource {
  /// The byte at `offset`, or nil outside.
  func byte(at offset: Int) -> UInt8? {
    withRun(from: offset) { $0.first }
  }

  /// The number that `count` bytes (at most 8) at `offset` make, or nil when they are not all there.
  func unsigned(at offset: Int, count: Int, order: ByteOrder = .big) -> UInt64? {
    guard offset >= 0, count >= 0, count <= 8, offset <= length, length - offset >= count else {
      return nil
    }
    let whole: UInt64? = withRun(from: offset) { run in
      guard run.count >= count else { return nil }
      var value: UInt64 = 0
      for index in 0..<count { value = value << 8 | UInt64(run[index]) }
      return value
    }
    var value: UInt64 = 0
    if let whole {
      value = whole
    } else {
      for index in 0..<count {
        guard let byte = byte(at: offset + index) else { return nil }
        value = value << 8 | UInt64(byte)
      }
    }
    return order == .big ? value : value.byteSwapped >> UInt64((8 - count) * 8)
  }

  func uint8(at offset: Int) -> Int? {
    byte(at: offset).map { Int($0) }
  }

  func uint16(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 2, order: order).map { Int($0) }
  }

  func uint32(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 4, order: order).map { Int($0) }
  }

  /// A 64-bit number that fits a length or an offset, or nil.
  func uint64(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 8, order: order).flatMap { Int(exactly: $0) }
  }

  /// A copy of `range`, or nil when it is not all there or longer than `limit` bytes.
  func bytes(in range: Range<Int>, limit: Int) -> [UInt8]? {
    guard range.lowerBound >= 0, range.upperBound <= length, range.count <= limit else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count {
      let missing = range.count - bytes.count
      let before = bytes.count
      withRun(from: range.lowerBound + bytes.count) { bytes.append(contentsOf: $0.prefix(missing)) }
      guard bytes.count > before else { return nil }
    }
    return bytes
  }

  /// Whether these bytes stand at `offset`.
  func holds(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= length, length - offset >= expected.count else { return false }
    var position = offset
    for wanted in expected {
      guard byte(at: position) == wanted else { return false }
      position += 1
    }
    return true
  }

  func holds(_ text: String, at offset: Int) -> Bool {
    holds(text.utf8, at: offset)
  }
}
