import MediaModel

/// Reads a JSON text into a tree with the position of every key and value, and goes on after an
/// error wherever the rest can still be understood.
///
/// The parser is stricter than most: a repeated key, a byte order mark, a comment and U+0000 are
/// errors, because readers disagree about them, and a manifest must mean the same to all.
///
/// Source: RFC 8259.
package struct JSONParser {
  /// 16 MiB.
  static let maximumByteCount = 16 << 20
  /// The nesting depth of objects and lists.
  static let maximumDepth = 64
  /// Limits the memory of the tree, which takes far more than the text.
  static let maximumValueCount = 1_000_000

  var scanner: JSONScanner
  private var depth = 0
  private var valueCount = 0

  private init(_ bytes: [UInt8]) {
    scanner = JSONScanner(bytes)
  }

  /// The tree of a text, and the errors in it.
  package struct Result {
    /// Nil when nothing could be read.
    package var root: JSONNode?
    package var issues: [SyntaxIssue]
    /// Whether reading stopped before the end, so that keys may be missing in the tree.
    package var isPartial: Bool
  }

  /// Parses a whole text; of a text with errors the tree has what could be understood.
  package static func parse(_ bytes: [UInt8]) -> Result {
    var parser = JSONParser(bytes)
    let root = parser.root()
    return Result(root: root, issues: parser.scanner.issues, isPartial: parser.scanner.isStopped)
  }

  private mutating func root() -> JSONNode? {
    guard scanner.bytes.count <= Self.maximumByteCount else {
      scanner.report(.tooLarge, "the file is larger than 16 MiB")
      return nil
    }
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      scanner.report(.byteOrderMark, "the file starts with a byte order mark; save it as UTF-8 without one")
      scanner.skipByteOrderMark()
    } else if scanner.bytes.starts(with: [0xFE, 0xFF]) || scanner.bytes.starts(with: [0xFF, 0xFE]) {
      scanner.report(.invalidUTF8, "the file is UTF-16; save it as UTF-8")
      return nil
    }
    scanner.skipBlank()
    guard scanner.current != nil else {
      scanner.report(.syntax, "the file is empty; one JSON object is expected")
      return nil
    }
    let node = value()
    scanner.skipBlank()
    if !scanner.isStopped, scanner.current != nil {
      scanner.report(.syntax, "nothing may follow the JSON object, but \(scanner.currentCharacter) does")
    }
    return node
  }

  private mutating func value() -> JSONNode {
    let start = scanner.index
    var node = self.node()
    node.range = start..<max(start, scanner.index)
    return node
  }

  private mutating func node() -> JSONNode {
    let start = scanner.position
    let damaged = JSONNode(position: start, value: .damaged)
    valueCount += 1
    guard valueCount <= Self.maximumValueCount else {
      scanner.report(.tooManyValues, "more than \(Self.maximumValueCount) values")
      scanner.isStopped = true
      return damaged
    }
    guard let byte = scanner.current else {
      scanner.report(.syntax, "the text ends where a value is expected")
      scanner.isStopped = true
      return damaged
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.maximumDepth else {
        scanner.report(.tooDeep, "nested more than \(Self.maximumDepth) deep")
        scanner.isStopped = true
        return damaged
      }
      depth += 1
      defer { depth -= 1 }
      return JSONNode(
        position: start,
        value: byte == UInt8(ascii: "{") ? .object(members()) : .array(elements())
      )
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return JSONNode(position: start, value: string().map(JSONNode.Value.string) ?? .damaged)
    case UInt8.hyphen, UInt8(ascii: "+"), UInt8.dot,
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return number()
    case _ where byte.isASCIILetter:
      return JSONNode(position: start, value: word())
    case UInt8.comma, UInt8(ascii: "}"), UInt8(ascii: "]"):
      scanner.report(.syntax, "a value is missing before \(scanner.currentCharacter)")
      return damaged
    default:
      reportUnexpected("a value")
      return damaged
    }
  }

  /// Reports a character where `expected` should be, and skips to the next possible member.
  private mutating func reportUnexpected(_ expected: String) {
    scanner.report(.syntax, "\(expected) is expected, not \(scanner.currentCharacter)")
    repeat { scanner.advance() } while !isAtDelimiter
  }

  private var isAtDelimiter: Bool {
    switch scanner.current {
    case nil, UInt8.comma, UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""),
      UInt8.newline, UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  private mutating func members() -> [JSONMember] {
    var members: [JSONMember] = []
    var positions: [[UInt8]: TextPosition] = [:]
    list(closedBy: UInt8(ascii: "}"), name: "object") { parser in
      guard let member = parser.member() else { return }
      if let first = positions.updateValue(member.keyPosition, forKey: Array(member.key.utf8)) {
        parser.scanner.report(
          .duplicateKey,
          "the key \(Spelling.quoted(member.key)) is there twice, first in line \(first.line)",
          at: member.keyPosition,
          path: JSONPath.member(parser.scanner.path, member.key)
        )
      } else {
        members.append(member)
      }
    }
    return members
  }

  private mutating func elements() -> [JSONNode] {
    var elements: [JSONNode] = []
    let parent = scanner.path
    list(closedBy: UInt8(ascii: "]"), name: "list") { parser in
      parser.scanner.path = JSONPath.element(parent, elements.count)
      elements.append(parser.value())
      parser.scanner.path = parent
    }
    return elements
  }

  /// Members or elements, with the commas between them and the bracket behind them.
  ///
  /// Each turn steps over at least one byte or stops, so this ends on any input.
  private mutating func list(
    closedBy close: UInt8,
    name: String,
    element: (inout JSONParser) -> Void
  ) {
    let start = scanner.position
    scanner.advance()
    var trailingComma: TextPosition?
    var needsComma = false
    while !scanner.isStopped {
      scanner.skipBlank()
      guard let byte = scanner.current else {
        scanner.report(.syntax, "the \(name) that starts here is never closed", at: start)
        scanner.isStopped = true
        return
      }
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let trailingComma {
          scanner.report(.trailingComma, "a comma stands after the last value; remove it", at: trailingComma)
        }
        if byte != close {
          scanner.report(
            .syntax,
            "\(scanner.currentCharacter) closes the \(name) that starts in line \(start.line)"
          )
        }
        scanner.advance()
        return
      case UInt8.comma:
        if !needsComma {
          scanner.report(.syntax, "a comma has no value before it")
        }
        trailingComma = needsComma ? scanner.position : nil
        needsComma = false
        scanner.advance()
      default:
        if needsComma {
          scanner.report(.syntax, "a comma is missing before this")
        }
        let before = scanner.index
        element(&self)
        if scanner.index == before { scanner.advance() }
        trailingComma = nil
        needsComma = true
      }
    }
  }

  private mutating func member() -> JSONMember? {
    let start = scanner.position
    let key: String?
    switch scanner.current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      key = string()
    case .some(let byte) where Self.isWordByte(byte):
      let text = run(while: Self.isWordByte)
      scanner.report(.syntax, "the key \(Spelling.quoted(text)) needs double quotes", at: start)
      key = text
    default:
      reportUnexpected("a key in double quotes")
      return nil
    }
    guard !scanner.isStopped else { return nil }
    scanner.skipBlank()
    switch scanner.current {
    case UInt8.colon: scanner.advance()
    case UInt8(ascii: "="):
      scanner.report(.syntax, "a colon is expected, not \"=\"")
      scanner.advance()
    default:
      scanner.report(.syntax, "a colon is expected after the key")
      if isAtDelimiter, scanner.current != UInt8(ascii: "\"") { return nil }
    }
    let parent = scanner.path
    defer { scanner.path = parent }
    if let key { scanner.path = JSONPath.member(parent, key) }
    scanner.skipBlank()
    let node = value()
    return key.map { JSONMember(key: $0, keyPosition: start, value: node) }
  }
}
