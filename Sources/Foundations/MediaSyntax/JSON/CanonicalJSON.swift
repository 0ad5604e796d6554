internal import MediaModel

/// Reads JSON as ``JSONValue`` writes it, and nothing else: no spaces, keys ascending,
/// integers only, one way to escape each character, well-formed UTF-8.
///
/// Therefore two different texts never mean the same. Hostile bytes give nil: no trap, no recursion
/// deeper than 16, one pass.
///
/// Source: RFC 8785, without floating point.
package struct CanonicalJSON {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  /// Whether the last string that was read has an escape.
  private var hasEscape = false

  private static let maximumDepth = 16

  /// - Parameter bytes: They must stay valid and unchanged as long as the reader is used.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The members of a text that is one object; nil for anything else.
  ///
  /// `keys` names the members whose values are returned, nil for all; the others are only checked.
  package static func members(of bytes: [UInt8], keys: Set<String>? = nil) -> [String: JSONValue]? {
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

  /// The value of a text that is one value; nil for anything else.
  package static func value(of bytes: UnsafeRawBufferPointer) -> JSONValue? {
    var reader = CanonicalJSON(bytes)
    // A value within an object is one level down, and so is everything in it.
    guard let value = reader.value(depth: 1, builds: true), reader.index == bytes.count else {
      return nil
    }
    return value
  }

  /// Whether all bytes are one object; `body` gets the ranges of each member's key, without its
  /// quotes, and of its value.
  package mutating func forEachMember(
    _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void
  ) -> Bool {
    let isObject = object(depth: 0) { reader, key in
      let start = reader.index
      guard reader.value(depth: 1, builds: false) != nil else { return false }
      body(key, start..<reader.index)
      return true
    }
    return isObject && index == bytes.count
  }

  /// Whether all bytes are one array; `body` gets the range of each element.
  package mutating func forEachElement(_ body: (Range<Int>) -> Void) -> Bool {
    let isArray = array { reader in
      let start = reader.index
      guard reader.value(depth: 1, builds: false) != nil else { return false }
      body(start..<reader.index)
      return true
    }
    return isArray && index == bytes.count
  }

  private mutating func object(
    depth: Int,
    member: (_ reader: inout CanonicalJSON, _ key: Range<Int>) -> Bool
  ) -> Bool {
    guard depth < Self.maximumDepth, take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    var previous: Range<Int>?
    repeat {
      let start = index + 1
      guard string(into: nil), index > start else { return false }
      let key = start..<(index - 1)
      // Our keys need no escapes, so their bytes compare as they are.
      guard !hasEscape else { return false }
      if let previous {
        guard precedes(previous, key) else { return false }
      }
      previous = key
      guard take(UInt8.colon), member(&self, key) else { return false }
    } while take(UInt8.comma)
    return take(UInt8(ascii: "}"))
  }

  private mutating func array(element: (_ reader: inout CanonicalJSON) -> Bool) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard element(&self) else { return false }
    } while take(UInt8.comma)
    return take(UInt8(ascii: "]"))
  }

  /// Whether one range of bytes sorts before another; equal ones do not.
  private func precedes(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    var index = first.lowerBound
    var other = second.lowerBound
    while index < first.upperBound, other < second.upperBound {
      if bytes[index] != bytes[other] { return bytes[index] < bytes[other] }
      index += 1
      other += 1
    }
    return first.count < second.count
  }

  /// Reads a value; most of a log is only checked, so that `builds` false makes no text, no array
  /// and no dictionary, and returns an empty value of the same kind.
  private mutating func value(depth: Int, builds: Bool) -> JSONValue? {
    guard index < bytes.count, depth < Self.maximumDepth else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      let isObject = object(depth: depth) { reader, key in
        guard let value = reader.value(depth: depth + 1, builds: builds) else { return false }
        if builds { members[String(decoding: reader.bytes[key], as: UTF8.self)] = value }
        return true
      }
      return isObject ? .object(members) : nil
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      let isArray = array { reader in
        guard let value = reader.value(depth: depth + 1, builds: builds) else { return false }
        if builds { values.append(value) }
        return true
      }
      return isArray ? .array(values) : nil
    case UInt8(ascii: "\""):
      let start = index + 1
      guard string(into: nil) else { return nil }
      guard builds else { return .string("") }
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

  private mutating func integer() -> Int64? {
    let isNegative = take(UInt8.hyphen)
    let start = index
    var value: Int64 = 0
    while index < bytes.count, bytes[index].isASCIIDigit {
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
    while true {
      if append == nil { skipPlain() }
      guard index < bytes.count else { return false }
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
        let length = UTF8Sequence.length(in: Array(bytes[index..<min(index + 4, bytes.count)]), at: 0)
        guard byte >= 0x80, length > 0 else { return false }
        for byte in bytes[index..<(index + length)] { append?(byte) }
        index += length
      }
    }
  }

  /// Goes on, eight bytes at a time, to the next one that ends a string, begins an escape or is no printable
  /// ASCII, or to where fewer than eight bytes are left.
  private mutating func skipPlain() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    while bytes.count - index >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      // The high bit of each byte that is meant; above the first of them also of others.
      let special =
        (word | ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes)
          | ((backslashes &- ones) & ~backslashes)) & (ones << 7)
      if special != 0 {
        index += special.trailingZeroBitCount / 8
        return
      }
      index += 8
    }
  }

  /// The character of an escape. Each has one spelling: the short one, else `\u00` and lower case.
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
      guard take("00"), bytes.count - index >= 2, let high = Hexadecimal.value(of: bytes[index]),
        let low = Hexadecimal.value(of: bytes[index + 1]),
        !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[index + 1])
      else { return nil }
      index += 2
      let value = high << 4 | low
      return value < 0x20 && ![0x08, 0x09, 0x0A, 0x0C, 0x0D].contains(value) ? value : nil
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
