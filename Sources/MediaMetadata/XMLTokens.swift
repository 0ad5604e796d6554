import MediaModel

/// What an XML text is a sequence of.
enum XMLToken: Equatable {
  /// Attributes as written, with their references replaced.
  case start(name: String, attributes: [(name: String, value: String)], isEmpty: Bool)
  case end(name: String)
  case text(String)

  static func == (one: XMLToken, other: XMLToken) -> Bool {
    switch (one, other) {
    case (.start(let name, let attributes, let isEmpty), .start(let second, let more, let last)):
      name == second && isEmpty == last && attributes.elementsEqual(more, by: ==)
    case (.end(let name), .end(let second)): name == second
    case (.text(let text), .text(let second)): text == second
    default: false
    }
  }
}

/// Reads the XML that metadata are written in, one token at a time.
///
/// UTF-8 only. A document type declaration ends the reading, so no entity is ever defined or expanded;
/// the five entities of XML and numeric references are all there is. What is malformed ends the
/// reading too. Comments and processing instructions are passed over.
///
/// Source: XML 1.0 (5th edition) sections 2.4 to 2.7, 3.1, 4.1.
struct XMLTokens {
  private static let maximumTokens = 100_000
  private static let maximumAttributes = 512

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  /// Whether something was found that is not read; the tokens before it are all there are.
  private(set) var isMalformed = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next token, or nil at the end and at what is not read.
  mutating func next() -> XMLToken? {
    while !isMalformed, position < bytes.count {
      count += 1
      guard count <= Self.maximumTokens else { return fail() }
      guard bytes[position] == UInt8(ascii: "<") else {
        guard let text = text() else { return fail() }
        return .text(text)
      }
      if follows("<!--") {
        guard skip(to: "-->") else { return fail() }
      } else if follows("<?") {
        guard skip(to: "?>") else { return fail() }
      } else if follows("<![CDATA[") {
        let start = position + 9
        guard skip(to: "]]>"), let text = decoded(bytes[start..<(position - 3)]) else {
          return fail()
        }
        return .text(text)
      } else if follows("<!") {
        return fail()
      } else {
        return tag() ?? fail()
      }
    }
    return nil
  }

  private mutating func fail() -> XMLToken? {
    isMalformed = true
    return nil
  }

  private mutating func tag() -> XMLToken? {
    position += 1
    let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if isEnd { position += 1 }
    guard let name = name() else { return nil }
    if isEnd {
      skipSpaces()
      guard take(">") else { return nil }
      return .end(name: name)
    }
    var attributes: [(name: String, value: String)] = []
    while true {
      let before = position
      skipSpaces()
      if take(">") { return .start(name: name, attributes: attributes, isEmpty: false) }
      if take("/") {
        return take(">") ? .start(name: name, attributes: attributes, isEmpty: true) : nil
      }
      guard position > before, attributes.count < Self.maximumAttributes, let key = self.name()
      else { return nil }
      skipSpaces()
      guard take("=") else { return nil }
      skipSpaces()
      guard let value = quoted() else { return nil }
      attributes.append((key, value))
    }
  }

  private mutating func quoted() -> String? {
    guard position < bytes.count, "\"'".utf8.contains(bytes[position]) else { return nil }
    let quote = bytes[position]
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: quote) else { return nil }
    position = end + 1
    let content = bytes[start..<end]
    return content.contains(UInt8(ascii: "<")) ? nil : unescaped(content)
  }

  private mutating func text() -> String? {
    let start = position
    position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return unescaped(bytes[start..<position])
  }

  /// A name with its prefix; what may stand in one is not asked closely.
  private mutating func name() -> String? {
    let start = position
    while position < bytes.count, !" \t\r\n<>/=\"'&".utf8.contains(bytes[position]) {
      position += 1
    }
    guard position > start, position - start <= 256 else { return nil }
    return decoded(bytes[start..<position])
  }

  private mutating func skipSpaces() {
    while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  private func follows(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private mutating func skip(to end: String) -> Bool {
    var place = position
    while place + end.utf8.count <= bytes.count {
      if bytes[place...].starts(with: end.utf8) {
        position = place + end.utf8.count
        return true
      }
      place += 1
    }
    return false
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    let bytes = Array(bytes)
    var index = 0
    while index < bytes.count {
      let length = UTF8Sequence.length(in: bytes, at: index)
      guard length > 0 else { return nil }
      index += length
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "&")) else { return decoded(bytes) }
    var result = ""
    var rest = bytes
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      guard let before = decoded(rest[..<ampersand]),
        let end = rest[ampersand...].prefix(16).firstIndex(of: UInt8(ascii: ";")),
        let character = reference(rest[(ampersand + 1)..<end])
      else { return nil }
      result += before
      result.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    guard let tail = decoded(rest) else { return nil }
    return result + tail
  }

  private func reference(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.hasPrefix("#x"):
      return UInt32(text.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
    case let text where text.hasPrefix("#"):
      return UInt32(text.dropFirst()).flatMap { Unicode.Scalar($0) }
    default: return nil
    }
  }
}
