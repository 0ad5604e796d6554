import MediaModel

/// One record of a comma-separated file.
package struct CSVRecord {
  package struct Field {
    package var bytes: [UInt8]
    /// 1-based, in Unicode scalars, in the line where the field starts.
    package var column: Int
  }

  /// The 1-based line where the record starts.
  package var line: Int
  /// The first fields, as many as the parser keeps; limits the memory of a line of commas.
  package var fields: [Field] = []
  package var fieldCount = 0
  /// An error in its quotes, for a person.
  package var issue: String?
  package var startsWithByteOrderMark = false

  package init(line: Int) {
    self.line = line
  }

  /// Whether the line is empty.
  package var isEmpty: Bool { fieldCount == 1 && fields[0].bytes.isEmpty }
}

/// Reads the records of a comma-separated file in one pass.
///
/// Source: RFC 4180, section 2; LF alone ends a line too.
package struct CSVParser {
  private let bytes: [UInt8]
  private let maximumFieldCount: Int
  private var index = 0
  private var line = 1
  private var column = 1

  /// Reads a file; of each record so many fields are kept.
  package init(_ bytes: [UInt8], maximumFieldCount: Int = 4) {
    self.bytes = bytes
    self.maximumFieldCount = maximumFieldCount
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var isAtLineEnd: Bool {
    current == .newline
      || (current == UInt8(ascii: "\r") && bytes.count - index > 1
        && bytes[index + 1] == .newline)
  }

  private mutating func advance() {
    guard let byte = current else { return }
    index += 1
    if byte == .newline {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// The next record, or nil at the end.
  package mutating func next() -> CSVRecord? {
    var record = CSVRecord(line: line)
    if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      record.startsWithByteOrderMark = true
    }
    guard current != nil else { return nil }
    while true {
      let column = column
      let content =
        current == UInt8(ascii: "\"") ? quoted(&record.issue) : plain(&record.issue)
      record.fieldCount += 1
      if record.fields.count < maximumFieldCount {
        record.fields.append(CSVRecord.Field(bytes: content, column: column))
      }
      if current == .comma {
        advance()
      } else {
        if current == UInt8(ascii: "\r") { advance() }
        advance()
        return record
      }
    }
  }

  private mutating func plain(_ issue: inout String?) -> [UInt8] {
    let start = index
    while let byte = current, byte != .comma, !isAtLineEnd {
      if byte == UInt8(ascii: "\"") {
        issue =
          "a field with a double quote has to be in double quotes, with that one doubled"
      } else if byte == UInt8(ascii: "\r") {
        issue = "a carriage return stands within a line"
      }
      advance()
    }
    return Array(bytes[start..<index])
  }

  private mutating func quoted(_ issue: inout String?) -> [UInt8] {
    advance()
    var content: [UInt8] = []
    while let byte = current {
      advance()
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      if current == UInt8(ascii: "\"") {
        content.append(byte)
        advance()
      } else {
        if current != nil, current != .comma, !isAtLineEnd {
          issue = "text stands behind the double quote that closes a field"
          _ = plain(&issue)
          issue = "text stands behind the double quote that closes a field"
        }
        return content
      }
    }
    issue = "a double quote is never closed"
    return content
  }
}
