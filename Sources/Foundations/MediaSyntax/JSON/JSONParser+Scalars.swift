internal import MediaModel

extension JSONParser {
  /// Reads the longest run of bytes that `belongs` accepts, which must accept ASCII only.
  mutating func run(while belongs: (UInt8) -> Bool) -> String {
    let start = scanner.index
    while let byte = scanner.current, belongs(byte) { scanner.advance() }
    return String(decoding: scanner.bytes[start..<scanner.index], as: UTF8.self)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "_$-.".utf8.contains(byte)
  }

  mutating func word() -> JSONNode.Value {
    let start = scanner.position
    let text = run(while: Self.isWordByte)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      scanner.report(
        .syntax,
        "\(Spelling.quoted(text)) is no JSON value; text needs double quotes",
        at: start,
        suggestion: Spelling.nearest(to: text, among: ["true", "false", "null"])
      )
      return .damaged
    }
  }

  mutating func number() -> JSONNode {
    let start = scanner.position
    let text = run { Self.isWordByte($0) || $0 == UInt8(ascii: "+") }
    guard Self.isNumber(Array(text.utf8)) else {
      scanner.report(.badNumber, "\(Spelling.quoted(text)) is no JSON number", at: start)
      return JSONNode(position: start, value: .damaged)
    }
    let integer = text.utf8.count <= 20 ? Int(text) : nil
    return JSONNode(position: start, value: .number(integer: integer), decimal: integer == nil ? text : nil)
  }

  /// Source: RFC 8259, section 6.
  static func isNumber(_ text: [UInt8]) -> Bool {
    var unread = text[...]
    func digits() -> Int {
      let count = unread.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
      unread = unread.dropFirst(count)
      return count
    }
    if unread.first == .hyphen { unread = unread.dropFirst() }
    let startsWithZero = unread.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !(startsWithZero && whole > 1) else { return false }
    if unread.first == .dot {
      unread = unread.dropFirst()
      guard digits() > 0 else { return false }
    }
    if unread.first == UInt8(ascii: "e") || unread.first == UInt8(ascii: "E") {
      unread = unread.dropFirst()
      if unread.first == UInt8(ascii: "+") || unread.first == .hyphen {
        unread = unread.dropFirst()
      }
      guard digits() > 0 else { return false }
    }
    return unread.isEmpty
  }

  /// The text of a string, or nil when an error in it was reported.
  mutating func string() -> String? {
    let start = scanner.position
    guard let quote = scanner.current else { return nil }
    var isSound = quote == UInt8(ascii: "\"")
    if !isSound { scanner.report(.syntax, "text needs double quotes") }
    scanner.advance()
    let contentStart = scanner.index
    var content: [UInt8] = []
    while !scanner.isStopped {
      guard let byte = scanner.current else {
        scanner.report(.syntax, "the string that starts here is never closed", at: start)
        scanner.isStopped = true
        return nil
      }
      switch byte {
      case quote:
        scanner.advance()
        return isSound ? String(decoding: content, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        if let bytes = escape() { content += bytes } else { isSound = false }
      case UInt8.newline, UInt8(ascii: "\r"):
        scanner.report(.controlCharacter, "a line break in a string; close it, or write \\n")
        // Most likely the quote was forgotten before the brackets and the comma at the line's end.
        let ending = scanner.bytes[contentStart..<scanner.index].reversed()
        scanner.stepBack(by: ending.prefix { " \t,}]".utf8.contains($0) }.count)
        return nil
      case 0x00:
        scanner.report(.nul, "a string cannot have a NUL byte")
        isSound = false
        scanner.advance()
      case 0x01..<0x20:
        let digits = Spelling.hexadecimal(UInt32(byte))
        scanner.report(.controlCharacter, "U+\(digits) in a string; write \\u\(digits)")
        isSound = false
        scanner.advance()
      default:
        let length = UTF8Sequence.length(in: scanner.bytes, at: scanner.index)
        if length > 0 {
          content += scanner.bytes[scanner.index..<(scanner.index + length)]
          scanner.advance(by: length)
        } else {
          scanner.report(.invalidUTF8, "\(scanner.currentCharacter) is not UTF-8")
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

  /// The UTF-8 of the character that an escape means, or nil when an error was reported.
  private mutating func escape() -> [UInt8]? {
    let start = scanner.position
    scanner.advance()
    let letter = scanner.current
    let short: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8.slash: short = letter ?? 0
    case UInt8(ascii: "b"): short = 0x08
    case UInt8(ascii: "t"): short = 0x09
    case UInt8(ascii: "n"): short = 0x0A
    case UInt8(ascii: "f"): short = 0x0C
    case UInt8(ascii: "r"): short = 0x0D
    case UInt8(ascii: "u"): return unicodeEscape(at: start)
    default:
      scanner.report(
        .badEscape,
        "a backslash before \(scanner.currentCharacter) is no JSON escape; for the character itself write two",
        at: start
      )
      return nil
    }
    scanner.advance()
    return [short]
  }

  private mutating func unicodeEscape(at start: TextPosition) -> [UInt8]? {
    guard let first = codeUnit(at: 1) else {
      scanner.report(.badEscape, "\\u needs four hexadecimal digits", at: start)
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
        at: start
      )
      return nil
    }
    guard value != 0 else {
      scanner.report(.nul, "a string cannot have \\u0000", at: start)
      return nil
    }
    return Array(String(scalar).utf8)
  }

  /// The value of the four hexadecimal digits `distance` bytes ahead.
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
