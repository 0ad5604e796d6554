internal import MediaModel

/// Steps through the bytes of a text, counts lines and columns, and collects issues.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var index = 0
  private(set) var position = TextPosition.start
  private(set) var issues: [SyntaxIssue] = []
  /// The JSON path of the value that is read, for issues.
  var path = JSONPath.root
  /// Set when further reading would only find consequences of what was reported.
  var isStopped = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  func byte(ahead distance: Int) -> UInt8? {
    bytes.count - index > distance ? bytes[index + distance] : nil
  }

  /// Steps over one byte. LF, CR and CR LF each end a line; the bytes that continue a UTF-8
  /// sequence do not count as a column.
  mutating func advance() {
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    let next = current
    if byte == .newline || (byte == UInt8(ascii: "\r") && next != .newline) {
      position = TextPosition(line: position.line + 1, column: 1)
    } else if let next, next & 0xC0 == 0x80 {
      // The last byte of the sequence counts the column.
    } else {
      position.column += 1
    }
  }

  mutating func advance(by count: Int) {
    for _ in 0..<count { advance() }
  }

  /// Steps back over ASCII bytes of the same line.
  mutating func stepBack(by count: Int) {
    let count = min(count, index, position.column - 1)
    index -= count
    position.column -= count
  }

  /// Steps over a byte order mark, which takes no column.
  mutating func skipByteOrderMark() {
    index = min(3, bytes.count)
  }

  mutating func report(
    _ code: SyntaxIssue.Code,
    _ message: String,
    at position: TextPosition? = nil,
    path: String? = nil,
    suggestion: String? = nil
  ) {
    guard issues.count < SyntaxIssue.maximumCount else {
      isStopped = true
      return
    }
    issues.append(
      SyntaxIssue(
        position: position ?? self.position,
        path: path ?? self.path,
        code: code,
        message: message,
        suggestion: suggestion
      )
    )
  }

  /// Steps over white space and over comments, each of which is an issue.
  mutating func skipBlank() {
    while let byte = current {
      switch byte {
      case UInt8.space, UInt8(ascii: "\t"), UInt8.newline, UInt8(ascii: "\r"):
        advance()
      case UInt8.slash where self.byte(ahead: 1) == .slash, UInt8(ascii: "#"):
        report(.comment, "JSON has no comments; remove this one")
        while let byte = current, byte != .newline, byte != UInt8(ascii: "\r") {
          advance()
        }
      case UInt8.slash where self.byte(ahead: 1) == UInt8(ascii: "*"):
        report(.comment, "JSON has no comments; remove this one")
        advance(by: 2)
        while current != nil,
          !(current == UInt8(ascii: "*") && self.byte(ahead: 1) == .slash)
        {
          advance()
        }
        advance(by: 2)
      default: return
      }
    }
  }

  /// The current character, for a message.
  var currentCharacter: String {
    let length = UTF8Sequence.length(in: bytes, at: index)
    guard length > 0 else {
      guard let byte = current else { return "the end of the text" }
      return "the byte 0x" + String(byte, radix: 16, uppercase: true)
    }
    return Spelling.quoted(String(decoding: bytes[index..<(index + length)], as: UTF8.self))
  }
}
