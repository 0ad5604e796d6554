/// Reads a JSON text into a tree in which every key and value has its place, and goes on after a
/// mistake wherever what follows can still be understood.
///
/// Stricter than most: a repeated key, a byte order mark, a comment and U+0000 are mistakes,
/// because two readers that take such a text differently are two permission policies in one
/// program.
///
/// Source: RFC 8259.
struct JSONParser {
  /// 16 MiB.
  static let maximumByteCount = 16 << 20
  /// Objects and lists within each other.
  static let maximumDepth = 64
  /// Bounds the memory of the tree, which needs far more than the text.
  static let maximumValueCount = 1_000_000

  var scanner: JSONScanner
  var path = JSONPath.root
  private var depth = 0
  private var valueCount = 0

  private init(_ bytes: [UInt8]) {
    scanner = JSONScanner(bytes)
  }

  struct Result {
    /// Nil when there is nothing to check.
    var root: JSONNode?
    /// What is wrong with the text itself.
    var issues: [ManifestIssue]
    /// Reading stopped before the end, so that a key that is not in the tree may be in the text.
    var isPartial: Bool
  }

  static func parse(_ bytes: [UInt8]) -> Result {
    var parser = JSONParser(bytes)
    let root = parser.root()
    return Result(
      root: root,
      issues: parser.scanner.issues,
      isPartial: parser.scanner.isStopped
    )
  }

  private mutating func root() -> JSONNode? {
    guard scanner.bytes.count <= Self.maximumByteCount else {
      scanner.report(.tooLarge, "the file is larger than 16 MiB", path: path)
      return nil
    }
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      scanner.report(
        .byteOrderMark,
        "the file starts with a byte order mark; save it as UTF-8 without one",
        path: path
      )
      scanner.skipByteOrderMark()
    } else if scanner.bytes.starts(with: [0xFE, 0xFF]) || scanner.bytes.starts(with: [0xFF, 0xFE]) {
      scanner.report(.invalidUTF8, "the file is UTF-16; save it as UTF-8", path: path)
      return nil
    }
    scanner.skipBlank(path: path)
    guard scanner.current != nil else {
      scanner.report(.syntax, "the file is empty; one JSON object is expected", path: path)
      return nil
    }
    let node = value()
    scanner.skipBlank(path: path)
    if !scanner.isStopped, scanner.current != nil {
      scanner.report(
        .syntax,
        "\(scanner.currentCharacter) after the end of the JSON object",
        path: path
      )
    }
    return node
  }

  private mutating func value() -> JSONNode {
    let start = scanner.position
    let damaged = JSONNode(position: start, value: .damaged)
    valueCount += 1
    guard valueCount <= Self.maximumValueCount else {
      scanner.report(.tooManyValues, "more than \(Self.maximumValueCount) values", path: path)
      scanner.isStopped = true
      return damaged
    }
    guard let byte = scanner.current else {
      scanner.report(.syntax, "the text ends where a value is expected", path: path)
      scanner.isStopped = true
      return damaged
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.maximumDepth else {
        scanner.report(.tooDeep, "nested more than \(Self.maximumDepth) deep", path: path)
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
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(position: start, value: number())
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return JSONNode(position: start, value: word())
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      scanner.report(.syntax, "a value is missing before \(scanner.currentCharacter)", path: path)
      return damaged
    default:
      reportUnexpected("a value")
      return damaged
    }
  }

  /// Reports what stands where `expected` should, and steps to where the next member may start.
  private mutating func reportUnexpected(_ expected: String) {
    scanner.report(
      .syntax,
      "\(scanner.currentCharacter) where \(expected) is expected",
      path: path
    )
    repeat { scanner.advance() } while !isAtDelimiter
  }

  private var isAtDelimiter: Bool {
    switch scanner.current {
    case nil, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""),
      UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  private mutating func members() -> [JSONMember] {
    var members: [JSONMember] = []
    var places: [[UInt8]: TextPosition] = [:]
    list(closedBy: UInt8(ascii: "}"), name: "object") { parser in
      guard let member = parser.member() else { return }
      if let first = places.updateValue(member.keyPosition, forKey: Array(member.key.utf8)) {
        parser.scanner.report(
          .duplicateKey,
          "the key \(Spelling.quoted(member.key)) is there already, in line \(first.line)",
          path: JSONPath.member(parser.path, member.key),
          at: member.keyPosition
        )
      } else {
        members.append(member)
      }
    }
    return members
  }

  private mutating func elements() -> [JSONNode] {
    var elements: [JSONNode] = []
    let parent = path
    list(closedBy: UInt8(ascii: "]"), name: "list") { parser in
      parser.path = JSONPath.element(parent, elements.count)
      elements.append(parser.value())
      parser.path = parent
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
      scanner.skipBlank(path: path)
      guard let byte = scanner.current else {
        scanner.report(
          .syntax,
          "the text ends before the \(name) is closed that starts here",
          path: path,
          at: start
        )
        scanner.isStopped = true
        return
      }
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let trailingComma {
          scanner.report(
            .trailingComma,
            "a comma after the last value",
            path: path,
            at: trailingComma
          )
        }
        if byte != close {
          scanner.report(
            .syntax,
            "\(scanner.currentCharacter) closes the \(name) that starts in line \(start.line)",
            path: path
          )
        }
        scanner.advance()
        return
      case UInt8(ascii: ","):
        if !needsComma {
          scanner.report(.syntax, "a comma with no value before it", path: path)
        }
        trailingComma = needsComma ? scanner.position : nil
        needsComma = false
        scanner.advance()
      default:
        if needsComma {
          scanner.report(.syntax, "a comma is missing before this", path: path)
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
    let place = scanner.position
    let key: String?
    switch scanner.current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      key = string()
    case .some(let byte) where Self.isWordByte(byte):
      let text = run(while: Self.isWordByte)
      scanner.report(
        .syntax,
        "the key \(Spelling.quoted(text)) needs double quotes",
        path: path,
        at: place
      )
      key = text
    default:
      reportUnexpected("a key in double quotes")
      return nil
    }
    guard !scanner.isStopped else { return nil }
    scanner.skipBlank(path: path)
    switch scanner.current {
    case UInt8(ascii: ":"): scanner.advance()
    case UInt8(ascii: "="):
      scanner.report(.syntax, "\"=\" where a colon is expected", path: path)
      scanner.advance()
    default:
      scanner.report(.syntax, "a colon is expected after the key", path: path)
      if isAtDelimiter, scanner.current != UInt8(ascii: "\"") { return nil }
    }
    let parent = path
    defer { path = parent }
    if let key { path = JSONPath.member(parent, key) }
    scanner.skipBlank(path: path)
    let node = value()
    return key.map { JSONMember(key: $0, keyPosition: place, value: node) }
  }
}
