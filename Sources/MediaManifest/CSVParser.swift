/// One record of a comma-separated file.
struct CSVRecord {
  struct Field {
    var bytes: [UInt8]
    /// 1-based, in Unicode scalars, in the line where the field starts.
    var column: Int
  }

  /// 1-based, where the record starts.
  var line: Int
  /// At most one more than a row may have, so that a line of commas costs no memory.
  var fields: [Field] = []
  var fieldCount = 0
  /// What is wrong with its quotes.
  var issue: String?
  var startsWithByteOrderMark = false

  var isEmpty: Bool { fieldCount == 1 && fields[0].bytes.isEmpty }
}

/// Walks over the records of a comma-separated file, each byte once.
///
/// Source: RFC 4180, section 2; LF alone ends a line too.
struct CSVParser {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var isAtLineEnd: Bool {
    current == UInt8(ascii: "\n")
      || (current == UInt8(ascii: "\r") && bytes.count - index > 1
        && bytes[index + 1] == UInt8(ascii: "\n"))
  }

  private mutating func advance() {
    guard let byte = current else { return }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// The next record, or nil at the end.
  mutating func next() -> CSVRecord? {
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
      if record.fields.count < 4 {
        record.fields.append(CSVRecord.Field(bytes: content, column: column))
      }
      if current == UInt8(ascii: ",") {
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
    while let byte = current, byte != UInt8(ascii: ","), !isAtLineEnd {
      if byte == UInt8(ascii: "\"") {
        issue =
          "a double quote in a field that does not start with one; double it, and quote the "
          + "field"
      } else if byte == UInt8(ascii: "\r") {
        issue = "a carriage return that does not end the line"
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
        if current != nil, current != UInt8(ascii: ","), !isAtLineEnd {
          issue = "text behind the double quote that closes a field"
          _ = plain(&issue)
          issue = "text behind the double quote that closes a field"
        }
        return content
      }
    }
    issue = "a double quote that is never closed"
    return content
  }
}
