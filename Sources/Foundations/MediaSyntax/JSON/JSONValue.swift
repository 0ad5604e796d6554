internal import MediaModel

/// A JSON value as logs and reports write it: without floating point, with keys sorted by their
/// bytes.
package enum JSONValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with three digits behind the point; used in reports, never in a log.
  case decimal(thousandths: Int64)
  /// A number of degrees with at most seven digits behind the point, which is a centimeter; never in a log either.
  case degrees(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
  /// A value as ``serialized`` writes it.
  case written([UInt8])

  /// Creates a string.
  package init(stringLiteral value: String) { self = .string(value) }
  /// Creates a Boolean.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; of equal keys the last one counts.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// Creates an integer.
  package init(_ value: Int) { self = .integer(Int64(value)) }
  /// Creates a string.
  package init(_ value: String) { self = .string(value) }
  /// Creates a string, or null for nil.
  package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
  /// Creates an integer, or null for nil.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }

  /// The value as one line of UTF-8 without spaces, in the canonical form of RFC 8785 for the
  /// values used here.
  package var serialized: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The same value where a person may look at it: a character that a terminal or an editor does not show as itself, such
  /// as a bidirectional control or a tag, is `\u` and digits. Joiners stay, since emoji and Persian have them.
  ///
  /// It is not canonical: what somebody else has to write byte for byte is ``serialized``.
  package var displayed: [UInt8] {
    let bytes = serialized
    guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if EscapedText.isPrintable(scalar) || scalar.properties.isJoinControl {
        result.append(contentsOf: scalar.utf8)
      } else {
        for unit in scalar.utf16 {
          let digits = Hexadecimal.text([UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)])
          result.append(contentsOf: "\\u\(digits)".utf8)
        }
      }
    }
    return result
  }

  /// Appends what ``serialized`` is.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .decimal(let thousandths):
      let magnitude = thousandths.magnitude
      let fraction = String(1000 + magnitude % 1000).dropFirst()
      bytes.append(contentsOf: "\(thousandths < 0 ? "-" : "")\(magnitude / 1000).\(fraction)".utf8)
    case .degrees(let value):
      let units = value.isNaN ? 0 : Int64((min(max(value, -360), 360) * 1e7).rounded())
      var fraction = String(10_000_000 + units.magnitude % 10_000_000).dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      bytes.append(contentsOf: "\(units < 0 ? "-" : "")\(units.magnitude / 10_000_000)".utf8)
      if !fraction.isEmpty { bytes.append(contentsOf: ".\(fraction)".utf8) }
    case .string(let value): JSONString.append(value, to: &bytes)
    case .written(let value): bytes.append(contentsOf: value)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8.comma) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { Self.precedes($0.key, $1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8.comma) }
        JSONString.append(member.key, to: &bytes)
        bytes.append(UInt8.colon)
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Whether a key sorts before another by their bytes.
  private static func precedes(_ key: String, _ other: String) -> Bool {
    let order = key.utf8.withContiguousStorageIfAvailable { key in
      other.utf8.withContiguousStorageIfAvailable { key.lexicographicallyPrecedes($0) }
    }
    if case .some(.some(let order)) = order { return order }
    return key.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
