internal import MediaModel

/// Reads a property list in XML: as much of XML as Apple's tools write, and nothing ambiguous.
///
/// Source: PropertyList-1.0.dtd; Extensible Markup Language 1.0, of which this is a part.
struct XMLPropertyList {
  private static let maximumDepth = 64
  private static let maximumValueCount = 1_000_000

  private struct Tag {
    var name: String
    var offset: Int
    /// `<true/>` has neither content nor an end tag.
    var isEmpty: Bool

    /// The name for a message.
    var shown: String { EscapedText.printable(name, limit: 60) }

    func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
  }

  private var tokenizer: XMLTokenizer
  private var reading = PropertyListReading()
  private var valueCount = 0

  private init(_ bytes: [UInt8]) {
    tokenizer = XMLTokenizer(bytes, normalizesLineEnds: true)
  }

  /// Stops at the first error of the notation; goes on behind a repeated key.
  static func read(_ bytes: [UInt8]) -> PropertyListReading {
    var reader = XMLPropertyList(bytes)
    do throws(PropertyListIssue) {
      try check(bytes)
      try reader.document()
    } catch {
      reader.reading.issues.append(error)
    }
    return reader.reading
  }

  private static func check(_ bytes: [UInt8]) throws(PropertyListIssue) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw PropertyListIssue(
        .byteOrderMark,
        "the file starts with a byte order mark; save it as UTF-8 without one"
      )
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListIssue(.invalidUTF8, "the file is neither UTF-8 nor a binary property list")
    }
    if let nul = bytes.firstIndex(of: 0) {
      throw PropertyListIssue(.nul, "a NUL byte in the file", at: nul)
    }
  }

  private mutating func document() throws(PropertyListIssue) {
    let root = try root()
    guard root.isNamed("plist") else { throw unexpected(root, "<plist> is expected") }
    guard !root.isEmpty, let tag = try child(of: root) else {
      throw issue("the property list is empty", at: root.offset)
    }
    guard tag.isNamed("dict") else {
      let kind = try value(tag, depth: 1, path: JSONPath.root).kind
      throw PropertyListIssue(.wrongType, "a dictionary is expected, not \(kind)", at: tag.offset)
    }
    try dictionary(tag, depth: 1, path: JSONPath.root)
    try end(of: root)
    if let token = try token() {
      throw issue("more behind the end of the property list", at: token.offset)
    }
  }

  /// Reads everything before the outermost element, and its tag, which may have attributes.
  private mutating func root() throws(PropertyListIssue) -> Tag {
    var hasDocumentType = false
    while let token = try token() {
      switch token.content {
      case .instruction(let text) where token.offset == 0 && text.hasPrefix("xml "):
        let text = text.lowercased()
        let isUTF8 = ["encoding=\"utf-8\"", "encoding='utf-8'"].contains(where: text.holds)
        guard isUTF8 || !text.holds("encoding") else {
          throw PropertyListIssue(.invalidUTF8, "the XML declaration names an encoding other than UTF-8")
        }
      case .documentType where !hasDocumentType: hasDocumentType = true
      case .start(let name, _, let isEmpty):
        return Tag(name: name, offset: token.offset, isEmpty: isEmpty)
      default: throw issue("no property list, neither XML nor binary", at: token.offset)
      }
    }
    throw issue("no property list, neither XML nor binary", at: tokenizer.index)
  }

  private mutating func dictionary(
    _ tag: Tag,
    depth: Int,
    path: String
  ) throws(PropertyListIssue) {
    var keys = PropertyListKeys()
    while let keyTag = try child(of: tag) {
      guard keyTag.isNamed("key") else { throw unexpected(keyTag, "<key> is expected", path: path) }
      let key = try text(of: keyTag)
      if !keys.insert(key) {
        reading.issues.append(PropertyListKeys.duplicate(key, at: keyTag.offset, path: path))
      }
      tokenizer.skipSpaces()
      let offset = tokenizer.index
      guard let valueTag = try child(of: tag) else {
        throw issue("the key \(Spelling.quoted(key)) has no value", at: offset, path: path)
      }
      let value = try value(valueTag, depth: depth + 1, path: JSONPath.member(path, key))
      if depth == 1 {
        reading.members.append(PropertyListMember(key: key, offset: keyTag.offset, value: value))
      }
    }
  }

  private mutating func value(
    _ tag: Tag,
    depth: Int,
    path: String
  ) throws(PropertyListIssue) -> PropertyListValue {
    valueCount += 1
    guard valueCount <= Self.maximumValueCount else {
      throw PropertyListIssue(.tooManyValues, "more than 1,000,000 values", at: tag.offset)
    }
    guard depth <= Self.maximumDepth else {
      throw PropertyListIssue(
        .tooDeep,
        "more than \(Self.maximumDepth) lists and dictionaries within each other",
        at: tag.offset
      )
    }
    switch tag.name {
    case "string": return .string(try text(of: tag))
    case "true", "false":
      try end(of: tag)
      return .boolean(tag.isNamed("true"))
    case "integer", "real", "date", "data":
      let text = try text(of: tag)
      if tag.isNamed("integer"), let number = Int(text) { return .integer(number) }
      return .other(["date": "a date", "data": "data"][tag.name] ?? "a number")
    case "dict":
      try dictionary(tag, depth: depth, path: path)
      return .other("a dictionary")
    case "array":
      var index = 0
      while let element = try child(of: tag) {
        _ = try value(element, depth: depth + 1, path: JSONPath.element(path, index))
        index += 1
      }
      return .other("a list")
    default:
      throw issue("<\(tag.shown)>, which no property list has", at: tag.offset, path: path)
    }
  }

  // MARK: - Elements

  private func issue(
    _ message: String,
    at offset: Int,
    path: String = JSONPath.root
  ) -> PropertyListIssue {
    PropertyListIssue(.syntax, message, at: offset, path: path)
  }

  private func unexpected(
    _ tag: Tag,
    _ expected: String,
    path: String = JSONPath.root
  ) -> PropertyListIssue {
    issue("<\(tag.shown)> where \(expected)", at: tag.offset, path: path)
  }

  private mutating func next() throws(PropertyListIssue) -> XMLToken? {
    do throws(XMLError) {
      return try tokenizer.next()
    } catch {
      throw issue(error.message, at: error.offset)
    }
  }

  /// The next token, without white space and comments.
  private mutating func token() throws(PropertyListIssue) -> XMLToken? {
    while true {
      tokenizer.skipSpaces()
      let token = try next()
      guard case .comment? = token?.content else { return token }
    }
  }

  /// The start tag of the next element within `parent`; nil at its end, which is read too.
  private mutating func child(of parent: Tag) throws(PropertyListIssue) -> Tag? {
    if parent.isEmpty { return nil }
    guard let token = try token() else { throw missingEnd(of: parent) }
    switch token.content {
    case .start(let name, let attributes, let isEmpty):
      let tag = Tag(name: name, offset: token.offset, isEmpty: isEmpty)
      if attributes.isEmpty { return tag }
      let offset = token.offset + 1 + name.utf8.count
      throw issue("an attribute of <\(tag.shown)>, which has none", at: offset)
    case .end(let name):
      try check(end: name, at: token.offset, of: parent)
      return nil
    default: throw issue("text where a tag is expected", at: token.offset)
    }
  }

  /// Reads the end tag of an element that has no more content.
  private mutating func end(of tag: Tag) throws(PropertyListIssue) {
    guard let child = try child(of: tag) else { return }
    throw unexpected(child, "</\(tag.shown)> is expected")
  }

  /// The text of an element, up to and with its end tag.
  private mutating func text(of tag: Tag) throws(PropertyListIssue) -> String {
    var text = ""
    while !tag.isEmpty {
      guard let token = try next() else { throw missingEnd(of: tag) }
      switch token.content {
      case .text(let part): text += part
      case .end(let name):
        try check(end: name, at: token.offset, of: tag)
        return text
      default:
        throw issue("a tag or a comment within the text of <\(tag.shown)>", at: token.offset)
      }
    }
    return text
  }

  private func missingEnd(of tag: Tag) -> PropertyListIssue {
    issue("the file ends before </\(tag.shown)>", at: tokenizer.index)
  }

  private func check(end name: String, at offset: Int, of tag: Tag) throws(PropertyListIssue) {
    if tag.isNamed(name) { return }
    let shown = EscapedText.printable(name, limit: 60)
    throw issue("</\(shown)> where </\(tag.shown)> is expected", at: offset)
  }
}
