internal import MediaModel

/// Reads a line as ``MediaModel/JSONValue`` writes one, and nothing else: no spaces, keys ascending,
/// integers only, one way to escape each character, well-formed UTF-8.
///
/// So two different lines never mean the same, and hostile bytes end in nil: no trap, no recursion
/// deeper than 16, one pass.
///
/// Source: RFC 8785, without floating point.
struct CanonicalJSON {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  /// Whether the string that was read last has an escape.
  private var hasEscape = false

  private static let maximumDepth = 16

  /// Reads bytes that stay where they are as long as the reader is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The members of the object that all of `bytes` are; nil when they are anything else.
  ///
  /// `keys` are the members whose values are wanted, nil for all; the others are only checked.
  static func members(of bytes: [UInt8], keys: Set<String>? = nil) -> [String: JSONValue]? {
    bytes.withUnsafeBytes { bytes in
      var reader = CanonicalJSON(bytes)
      var members: [String: JSONValue] = [:]
      let isObject = reader.forEachMember { key, value in
        let name = String(decoding: bytes[key], as: UTF8.self)
        guard keys?.contains(name) ?? true else { return }
        members[name] = Self.value(of: UnsafeRawBufferPointer(rebasing: bytes[value]))
      }
      return isObject ? members : nil
    }
  }

  /// The value that all of `bytes` are; nil when they are none.
  static func value(of bytes: UnsafeRawBufferPointer) -> JSONValue? {
    var reader = CanonicalJSON(bytes)
    // A value within an object is one level down, and so is everything in it.
    guard let value = reader.value(depth: 1), reader.index == bytes.count else { return nil }
    return value
  }

  /// Whether all bytes are one object; `body` gets where each member's key stands, without its
  /// quotes, and where its value does.
  mutating func forEachMember(_ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void) -> Bool {
    object(depth: 0, member: body) && index == bytes.count
  }

  /// Calls `body` with where each element stands in the array that all bytes are.
  mutating func forEachElement(_ body: (Range<Int>) -> Void) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    if take(UInt8(ascii: "]")) { return index == bytes.count }
    repeat {
      let start = index
      guard skip(depth: 1) else { return false }
      body(start..<index)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) && index == bytes.count
  }

  private mutating func object(
    depth: Int,
    member: (_ key: Range<Int>, _ value: Range<Int>) -> Void
  ) -> Bool {
    guard depth < Self.maximumDepth, take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    var previous: Range<Int>?
    repeat {
      let start = index + 1
      guard string(into: nil), index > start else { return false }
      let key = start..<(index - 1)
      // Our keys need no escapes, so their bytes compare as they stand.
      guard !hasEscape else { return false }
      if let previous {
        guard precedes(previous, key) else { return false }
      }
      previous = key
      guard take(UInt8(ascii: ":")) else { return false }
      let valueStart = index
      guard skip(depth: depth + 1) else { return false }
      member(key, valueStart..<index)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  /// Whether one range of bytes sorts before another; equal ones do not.
  private func precedes(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    var one = first.lowerBound
    var other = second.lowerBound
    while one < first.upperBound, other < second.upperBound {
      if bytes[one] != bytes[other] { return bytes[one] < bytes[other] }
      one += 1
      other += 1
    }
    return first.count < second.count
  }

  /// Checks a value without making one, since most of a log is only checked.
  private mutating func skip(depth: Int) -> Bool {
    guard index < bytes.count, depth < Self.maximumDepth else { return false }
    switch bytes[index] {
    case UInt8(ascii: "{"): return object(depth: depth) { _, _ in }
    case UInt8(ascii: "["):
      index += 1
      if take(UInt8(ascii: "]")) { return true }
      repeat {
        guard skip(depth: depth + 1) else { return false }
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]"))
    case UInt8(ascii: "\""): return string(into: nil)
    case UInt8(ascii: "t"): return take("true")
    case UInt8(ascii: "f"): return take("false")
    case UInt8(ascii: "n"): return take("null")
    default: return integer() != nil
    }
  }

  private mutating func value(depth: Int) -> JSONValue? {
    guard index < bytes.count, depth < Self.maximumDepth else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      return objectValue(depth: depth)
    case UInt8(ascii: "["):
      index += 1
      var values: [JSONValue] = []
      if take(UInt8(ascii: "]")) { return .array(values) }
      repeat {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]")) ? .array(values) : nil
    case UInt8(ascii: "\""):
      let start = index + 1
      guard string(into: nil) else { return nil }
      guard hasEscape else {
        return .string(String(decoding: bytes[start..<(index - 1)], as: UTF8.self))
      }
      index = start - 1
      var decoded: [UInt8] = []
      guard string(into: { decoded.append($0) }) else { return nil }
      return .string(String(decoding: decoded, as: UTF8.self))
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return integer().map { .integer($0) }
    }
  }

  private mutating func objectValue(depth: Int) -> JSONValue? {
    guard depth < Self.maximumDepth, take(UInt8(ascii: "{")) else { return nil }
    var members: [String: JSONValue] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      let start = index + 1
      guard string(into: nil), index > start, !hasEscape else { return nil }
      let name = String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
      guard take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
      members[name] = value
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func integer() -> Int64? {
    let isNegative = take(UInt8(ascii: "-"))
    let start = index
    var value: Int64 = 0
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      let digit = Int64(bytes[index] - UInt8(ascii: "0"))
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !overflows, !overflowsToo else { return nil }
      value = sum
      index += 1
    }
    let count = index - start
    guard count > 0, bytes[start] != UInt8(ascii: "0") || (count == 1 && !isNegative) else {
      return nil
    }
    return value
  }

  private mutating func string(into append: ((UInt8) -> Void)?) -> Bool {
    guard take(UInt8(ascii: "\"")) else { return false }
    hasEscape = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        append?(byte)
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return true
      case UInt8(ascii: "\\"):
        hasEscape = true
        index += 1
        guard let character = escape() else { return false }
        append?(character)
      default:
        let length = UTF8Sequence.length(
          in: Array(bytes[index..<min(index + 4, bytes.count)]),
          at: 0
        )
        guard byte >= 0x80, length > 0 else { return false }
        for byte in bytes[index..<(index + length)] { append?(byte) }
        index += length
      }
    }
    return false
  }

  /// The one escape that each character has: the short one, else `\u00` and lowercase digits.
  private mutating func escape() -> UInt8? {
    guard index < bytes.count else { return nil }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return letter
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count else { return nil }
      let digits = bytes[index..<(index + 4)]
      index += 4
      for value in 0 as UInt8..<0x20 where ![0x08, 0x09, 0x0A, 0x0C, 0x0D].contains(value) {
        let high: UInt8 = value < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
        let low = value & 15
        let expected = [
          UInt8(ascii: "0"), UInt8(ascii: "0"), high,
          low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10,
        ]
        if digits.elementsEqual(expected) { return value }
      }
      return nil
    default: return nil
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] {
      return false
    }
    index += word.utf8CodeUnitCount
    return true
  }
}
