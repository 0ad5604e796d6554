internal import MediaModel

extension JSONParser {
  /// The bytes from here on that `belongs` accepts, which accepts ASCII only.
  mutating func run(while belongs: (UInt8) -> Bool) -> String {
    let start = scanner.index
    while let byte = scanner.current, belongs(byte) { scanner.advance() }
    return String(decoding: scanner.bytes[start..<scanner.index], as: UTF8.self)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  mutating func word() -> JSONNode.Value {
    let place = scanner.position
    let text = run(while: Self.isWordByte)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      scanner.report(
        .syntax,
        "\(Spelling.quoted(text)) is no JSON value; text needs double quotes",
        path: path,
        at: place,
        suggestion: Spelling.nearest(to: text, among: ["true", "false", "null"])
      )
      return .damaged
    }
  }

  mutating func number() -> JSONNode.Value {
    let place = scanner.position
    let text = run { Self.isWordByte($0) || $0 == UInt8(ascii: "+") }
    guard Self.isNumber(Array(text.utf8)) else {
      scanner.report(
        .badNumber,
        "\(Spelling.quoted(text)) is no JSON number",
        path: path,
        at: place
      )
      return .damaged
    }
    return .number(integer: text.utf8.count <= 20 ? Int(text) : nil)
  }

  /// Source: RFC 8259, section 6.
  static func isNumber(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    func digits() -> Int {
      let count = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !(startsWithZero && whole > 1) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// The text of a string, or nil when something in it was reported.
  mutating func string() -> String? {
    let start = scanner.position
    guard let quote = scanner.current else { return nil }
    var isSound = quote == UInt8(ascii: "\"")
    if !isSound { scanner.report(.syntax, "text needs double quotes", path: path) }
    scanner.advance()
    let contentStart = scanner.index
    var content: [UInt8] = []
    while !scanner.isStopped {
      guard let byte = scanner.current else {
        scanner.report(
          .syntax,
          "the text ends before the string is closed that starts here",
          path: path,
          at: start
        )
        scanner.isStopped = true
        return nil
      }
      switch byte {
      case quote:
        scanner.advance()
        return isSound ? String(decoding: content, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        if let bytes = escape() { content += bytes } else { isSound = false }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        scanner.report(
          .controlCharacter,
          "a line break in a string; close it, or write \\n",
          path: path
        )
        // A quote was most likely forgotten, before the brackets and the comma that end the line.
        let ending = scanner.bytes[contentStart..<scanner.index].reversed()
        scanner.stepBack(by: ending.prefix { " \t,}]".utf8.contains($0) }.count)
        return nil
      case 0x00:
        scanner.report(.nul, "a NUL byte in a string", path: path)
        isSound = false
        scanner.advance()
      case 0x01..<0x20:
        let digits = Spelling.hexadecimal(UInt32(byte))
        scanner.report(
          .controlCharacter,
          "U+\(digits) in a string; write \\u\(digits)",
          path: path
        )
        isSound = false
        scanner.advance()
      default:
        let length = UTF8Sequence.length(in: scanner.bytes, at: scanner.index)
        if length > 0 {
          content += scanner.bytes[scanner.index..<(scanner.index + length)]
          scanner.advance(by: length)
        } else {
          scanner.report(.invalidUTF8, "\(scanner.currentCharacter) is not UTF-8", path: path)
          isSound = false
          while let byte = scanner.current, byte >= 0x80,
            UTF8Sequence.length(in: scanner.bytes, at: scanner.index) == 0
          {
            scanner.advance()
          }
        }
      }
    }
    return nil
  }

  /// The bytes that an escape stands for, or nil when it was reported.
  private mutating func escape() -> [UInt8]? {
    let place = scanner.position
    scanner.advance()
    let letter = scanner.current
    let short: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): short = letter ?? 0
    case UInt8(ascii: "b"): short = 0x08
    case UInt8(ascii: "t"): short = 0x09
    case UInt8(ascii: "n"): short = 0x0A
    case UInt8(ascii: "f"): short = 0x0C
    case UInt8(ascii: "r"): short = 0x0D
    case UInt8(ascii: "u"): return unicodeEscape(at: place)
    default:
      scanner.report(
        .badEscape,
        "a backslash before \(scanner.currentCharacter), which is no JSON escape",
        path: path,
        at: place
      )
      return nil
    }
    scanner.advance()
    return [short]
  }

  private mutating func unicodeEscape(at place: TextPosition) -> [UInt8]? {
    guard let first = codeUnit(at: 1) else {
      scanner.report(.badEscape, "\\u needs four hexadecimal digits", path: path, at: place)
      scanner.advance()
      return nil
    }
    scanner.advance(by: 5)
    var value = UInt32(first)
    if first & 0xFC00 == 0xD800, scanner.current == UInt8(ascii: "\\"),
      scanner.byte(ahead: 1) == UInt8(ascii: "u"), let second = codeUnit(at: 2),
      second & 0xFC00 == 0xDC00
    {
      scanner.advance(by: 6)
      value = 0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(second & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(value) else {
      scanner.report(
        .loneSurrogate,
        "\\u\(Spelling.hexadecimal(value)) is half a surrogate pair",
        path: path,
        at: place
      )
      return nil
    }
    guard value != 0 else {
      scanner.report(.nul, "\\u0000 in a string", path: path, at: place)
      return nil
    }
    return Array(String(scalar).utf8)
  }

  /// Four hexadecimal digits, `distance` bytes from here.
  private func codeUnit(at distance: Int) -> UInt16? {
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let byte = scanner.byte(ahead: distance + offset),
        let digit = Hexadecimal.value(of: byte)
      else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// Hexadecimal digits, in a `\u` escape and in `%XX`.
enum Hexadecimal {
  static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
