internal import MediaModel
internal import MediaSyntax

/// Writes a record's line: what ``MediaModel/JSONValue/serialized`` gives for the same object.
///
/// Its own, because a run has records by the hundred thousand: without a dictionary and an array for
/// each string, a line costs half.
enum CanonicalLine {
  /// Appends the object of these members and leaves them sorted; no key in it needs an escape.
  static func write(_ members: inout [AuditRecord.Member], to bytes: inout [UInt8]) {
    // For ASCII this is the order of the bytes.
    members.sort { $0.key < $1.key }
    var separator = UInt8(ascii: "{")
    for member in members {
      bytes.append(separator)
      separator = UInt8.comma
      writeKey(member.key, to: &bytes)
      write(member.value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func writeKey(_ key: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8.colon)
  }

  private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text) where isPlain(text):
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\""))
    case .array(let values) where !values.isEmpty:
      var separator = UInt8(ascii: "[")
      for value in values {
        bytes.append(separator)
        separator = UInt8.comma
        write(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members) where !members.isEmpty:
      var separator = UInt8(ascii: "{")
      for member in members.sorted(by: { $0.key < $1.key }) {
        bytes.append(separator)
        separator = UInt8.comma
        writeKey(member.key, to: &bytes)
        write(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    default:
      bytes.append(contentsOf: value.serialized)
    }
  }

  /// Whether no character of the text is escaped in JSON.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return false
      }
      return true
    } ?? false
  }
}
