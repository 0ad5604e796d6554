internal import MediaModel

/// A piece of an XML text: a tag, text between tags, or one of the constructs around them.
package struct XMLToken {
  package enum Content {
    /// A start tag, or an empty-element tag. Attributes are in the order of the text.
    case start(name: String, attributes: [(name: String, value: String)], isEmpty: Bool)
    case end(name: String)
    /// Character data or a CDATA section, with references replaced.
    case text(String)
    case comment
    /// The XML declaration or a processing instruction, without `<?` and `?>`.
    case instruction(String)
    /// A document type declaration that declares nothing.
    case documentType
  }

  package let content: Content
  /// Bytes from the start of the text.
  package let offset: Int
}

/// The reason why an XML text cannot be read further.
package struct XMLError: Error {
  /// Escaped text for a person.
  package let message: String
  /// Bytes from the start of the text.
  package let offset: Int
}

/// Reads an XML text one token at a time.
///
/// The text has to be UTF-8. A document type that declares anything is an error, so that no entity
/// is ever defined or expanded; only the five entities of XML and numeric references exist. Names
/// keep their prefixes: namespaces are resolved by the caller, and nesting is checked by the caller.
///
/// Source: XML 1.0 (5th edition) sections 2.4 to 2.8, 2.11, 3.1, 4.1.
package struct XMLTokenizer {
  private static let maximumAttributeCount = 512
  private static let maximumNameLength = 256

  private let bytes: [UInt8]
  private let normalizesLineEnds: Bool
  private let maximumTokenCount: Int
  private var tokenCount = 0
  /// The offset of the next token in bytes.
  package private(set) var index = 0

  /// Reads bytes that have to be UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The whole text.
  ///   - normalizesLineEnds: Whether CR LF and CR become LF, as section 2.11 asks for.
  ///   - maximumTokenCount: A text with more tokens than this is an error.
  package init(_ bytes: [UInt8], normalizesLineEnds: Bool, maximumTokenCount: Int = .max) {
    self.bytes = bytes
    self.normalizesLineEnds = normalizesLineEnds
    self.maximumTokenCount = maximumTokenCount
  }

  /// The next token, or nil at the end of the text.
  ///
  /// - Throws: ``XMLError`` at what is malformed; every later call throws too, or returns nil.
  package mutating func next() throws(XMLError) -> XMLToken? {
    guard index < bytes.count else { return nil }
    let offset = index
    tokenCount += 1
    guard tokenCount <= maximumTokenCount else {
      throw XMLError(message: "more than \(maximumTokenCount) tokens", offset: offset)
    }
    return XMLToken(content: try content(), offset: offset)
  }

  /// Steps over white space, so that the next token's offset is that of its first visible character.
  package mutating func skipSpaces() {
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
  }

  private mutating func content() throws(XMLError) -> XMLToken.Content {
    if bytes[index] != UInt8(ascii: "<") {
      let start = index
      index = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      return .text(try unescaped(bytes[start..<index]))
    }
    if take("<!--") {
      _ = try skip(past: "-->", what: "a comment")
      return .comment
    }
    if take("<?") {
      let content = try skip(past: "?>", what: "an instruction")
      return .instruction(String(decoding: content, as: UTF8.self))
    }
    if take("<![CDATA[") {
      let content = try skip(past: "]]>", what: "a CDATA section")
      return .text(try decoded(withLineEnds(content)))
    }
    if take("<!DOCTYPE") {
      let declaration = try skip(past: ">", what: "the document type")
      if let bracket = declaration.firstIndex(of: UInt8(ascii: "[")) {
        throw XMLError(message: "declarations in the document type", offset: bracket)
      }
      return .documentType
    }
    return try tag()
  }

  private mutating func tag() throws(XMLError) -> XMLToken.Content {
    let start = index
    let isEnd = take("</")
    if !isEnd { index += 1 }
    guard index < bytes.count, !"!?".utf8.contains(bytes[index]), let name = try name() else {
      throw XMLError(message: "\"<\" without the name of an element", offset: start)
    }
    let open = "<\(isEnd ? "/" : "")\(EscapedText.printable(name, limit: 60))"
    var attributes: [(name: String, value: String)] = []
    while true {
      let before = index
      skipSpaces()
      if take(">") {
        return isEnd ? .end(name: name) : .start(name: name, attributes: attributes, isEmpty: false)
      }
      if !isEnd, take("/>") { return .start(name: name, attributes: attributes, isEmpty: true) }
      guard index < bytes.count, !isEnd else {
        throw XMLError(message: "\(open) has no \">\"", offset: start)
      }
      guard index > before, attributes.count < Self.maximumAttributeCount,
        let attribute = try attribute()
      else { throw XMLError(message: "a malformed attribute of \(open)>", offset: before) }
      attributes.append(attribute)
    }
  }

  private mutating func attribute() throws(XMLError) -> (name: String, value: String)? {
    guard let name = try name() else { return nil }
    skipSpaces()
    guard take("=") else { return nil }
    skipSpaces()
    guard index < bytes.count, "\"'".utf8.contains(bytes[index]),
      let end = bytes[(index + 1)...].firstIndex(of: bytes[index])
    else { return nil }
    let value = bytes[(index + 1)..<end]
    guard !value.contains(UInt8(ascii: "<")) else { return nil }
    index = end + 1
    return (name, try unescaped(value))
  }

  /// A name with its prefix. Only the characters that would end it are checked.
  private mutating func name() throws(XMLError) -> String? {
    let start = index
    while index < bytes.count, !Self.isSpace(bytes[index]), !"<>/=\"'&".utf8.contains(bytes[index]) {
      index += 1
    }
    guard index > start, index - start <= Self.maximumNameLength else { return nil }
    return try decoded(bytes[start..<index])
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func follows(_ text: StaticString) -> Bool {
    bytes.count - index >= text.utf8CodeUnitCount
      && text.withUTF8Buffer { bytes[index..<(index + $0.count)].elementsEqual($0) }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard follows(text) else { return false }
    index += text.utf8CodeUnitCount
    return true
  }

  /// The bytes up to a marker, and steps behind it.
  private mutating func skip(
    past end: StaticString,
    what: String
  ) throws(XMLError) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count {
      if take(end) { return bytes[start..<(index - end.utf8CodeUnitCount)] }
      index += 1
    }
    throw XMLError(message: "\(what) has no end", offset: start)
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) throws(XMLError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw XMLError(message: "bytes that are not UTF-8", offset: bytes.startIndex)
    }
    return text
  }

  private func withLineEnds(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard normalizesLineEnds, bytes.contains(0x0D) else { return bytes }
    let lines = bytes.indices.compactMap { index -> UInt8? in
      guard bytes[index] == 0x0D else { return bytes[index] }
      return index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A ? nil : 0x0A
    }
    return lines[...]
  }

  private func unescaped(_ content: ArraySlice<UInt8>) throws(XMLError) -> String {
    var text = ""
    var escaped = content
    while let ampersand = escaped.firstIndex(of: UInt8(ascii: "&")) {
      text += try decoded(withLineEnds(escaped[..<ampersand]))
      guard let end = escaped[ampersand...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else {
        let message = "\"&\" that starts no character; write \"&amp;\""
        throw XMLError(message: message, offset: ampersand)
      }
      guard let character = Self.character(escaped[(ampersand + 1)..<end]) else {
        throw XMLError(message: "a reference to no character that XML has", offset: ampersand)
      }
      text.unicodeScalars.append(character)
      escaped = escaped[(end + 1)...]
    }
    return text + (try decoded(withLineEnds(escaped)))
  }

  /// The character that a reference between `&` and `;` means.
  private static func character(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: reference, as: UTF8.self) {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard reference.first == UInt8(ascii: "#") else { return nil }
      let isHexadecimal = reference.dropFirst().first == UInt8(ascii: "x")
      let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first.flatMap(Hexadecimal.value) != nil,
        let number = UInt32(
          String(decoding: digits, as: UTF8.self),
          radix: isHexadecimal ? 16 : 10
        ), number != 0
      else { return nil }
      return Unicode.Scalar(number)
    }
  }
}
