internal import MediaModel

/// The start of an element.
struct XMLTag {
  /// Escaped, at most 60 characters; a name that is longer is no name of a property list.
  var shownName: String
  /// Bytes from the start of the file.
  var offset: Int
  /// `<true/>`: there is neither content nor an end.
  var isEmpty: Bool

  func isNamed(_ name: String) -> Bool { shownName.utf8.elementsEqual(name.utf8) }
}

/// Walks over the bytes of an XML text; every step says what is wrong, and where.
struct XMLScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index >= bytes.count }
  var isAtEndTag: Bool { starts(with: "</") }

  func issue(_ message: String, path: String = JSONPath.root) -> PropertyListIssue {
    PropertyListIssue(.syntax, message, at: index, path: path)
  }

  private func starts(with text: StaticString) -> Bool {
    bytes.count - index >= text.utf8CodeUnitCount
      && text.withUTF8Buffer { bytes[index..<(index + $0.count)].elementsEqual($0) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Everything before the outermost element. A document type may only name itself: one that
  /// declares something could give a name two meanings.
  mutating func prolog() throws(PropertyListIssue) {
    if starts(with: "\u{FEFF}") {
      throw PropertyListIssue(
        .byteOrderMark,
        "the file starts with a byte order mark; save it as UTF-8 without one"
      )
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListIssue(
        .invalidUTF8,
        "the file is neither UTF-8 nor a binary property list"
      )
    }
    if let nul = bytes.firstIndex(of: 0) {
      throw PropertyListIssue(.nul, "a NUL byte in the file", at: nul)
    }
    if starts(with: "<?xml ") {
      let start = index
      try skip(past: "?>", what: "the XML declaration")
      let declaration = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
      let saysAnother =
        declaration.contains("encoding")
        && !declaration.contains("encoding=\"utf-8\"")
        && !declaration.contains("encoding='utf-8'")
      if saysAnother {
        throw PropertyListIssue(
          .invalidUTF8,
          "the XML declaration names an encoding other than UTF-8",
          at: start
        )
      }
    }
    try skipBlank()
    if starts(with: "<!DOCTYPE") {
      let start = index
      while !isAtEnd, bytes[index] != UInt8(ascii: ">") {
        if bytes[index] == UInt8(ascii: "[") {
          throw issue("declarations in the document type; a property list has none")
        }
        index += 1
      }
      guard !isAtEnd else {
        index = start
        throw issue("the document type has no end")
      }
      index += 1
      try skipBlank()
    }
    if isAtEnd || bytes[index] != UInt8(ascii: "<") {
      throw issue("no property list, neither XML nor binary")
    }
  }

  /// Steps over white space and comments.
  mutating func skipBlank() throws(PropertyListIssue) {
    while !isAtEnd {
      if Self.isBlank(bytes[index]) {
        index += 1
      } else if starts(with: "<!--") {
        try skip(past: "-->", what: "a comment")
      } else {
        return
      }
    }
  }

  private mutating func skip(
    past end: StaticString,
    what: String
  ) throws(PropertyListIssue) {
    let start = index
    while !isAtEnd, !starts(with: end) { index += 1 }
    if isAtEnd {
      index = start
      throw issue("\(what) has no end")
    }
    index += end.utf8CodeUnitCount
  }

  /// The name of a tag; nothing when no letter stands there.
  private mutating func name() -> String {
    let start = index
    while !isAtEnd, !Self.isBlank(bytes[index]), !"</>=\"'".utf8.contains(bytes[index]) {
      index += 1
    }
    return EscapedText.printable(
      String(decoding: bytes[start..<index], as: UTF8.self),
      limit: 60
    )
  }

  mutating func startTag(allowsAttributes: Bool = false) throws(PropertyListIssue) -> XMLTag {
    let offset = index
    guard !isAtEnd else { throw issue("the file ends early") }
    guard bytes[index] == UInt8(ascii: "<") else { throw issue("text where a tag is expected") }
    index += 1
    let name = name()
    guard !name.isEmpty, name.utf8.first != UInt8(ascii: "!"), name.utf8.first != UInt8(ascii: "?")
    else {
      index = offset
      throw issue("\"<\" without the name of an element")
    }
    let attributes = index
    var quote: UInt8?
    while !isAtEnd {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
        break
      }
      index += 1
    }
    let hasAttributes = !bytes[attributes..<index].allSatisfy(Self.isBlank)
    if hasAttributes, !allowsAttributes {
      index = attributes
      throw issue("an attribute of <\(name)>, which has none")
    }
    let isEmpty = starts(with: "/>")
    guard isEmpty || starts(with: ">") else {
      index = offset
      throw issue("<\(name) has no \">\"")
    }
    index += isEmpty ? 2 : 1
    return XMLTag(shownName: name, offset: offset, isEmpty: isEmpty)
  }

  mutating func endTag(_ name: String) throws(PropertyListIssue) {
    let offset = index
    guard isAtEndTag else {
      throw issue(isAtEnd ? "the file ends before </\(name)>" : "</\(name)> is expected")
    }
    index += 2
    let found = self.name()
    while !isAtEnd, Self.isBlank(bytes[index]) { index += 1 }
    guard found.utf8.elementsEqual(name.utf8), starts(with: ">") else {
      index = offset
      throw issue("</\(found)> where </\(name)> is expected")
    }
    index += 1
  }

  /// The text of an element, up to and with its end; a line ends in LF, however it was written.
  mutating func text(of tag: XMLTag) throws(PropertyListIssue) -> String {
    var text: [UInt8] = []
    if tag.isEmpty { return "" }
    while true {
      guard !isAtEnd else { throw issue("the file ends before </\(tag.shownName)>") }
      switch bytes[index] {
      case UInt8(ascii: "<"):
        if starts(with: "<![CDATA[") {
          index += 9
          let start = index
          try skip(past: "]]>", what: "a CDATA section")
          for byte in Self.lines(bytes[start..<(index - 3)]) { text.append(byte) }
          continue
        }
        guard isAtEndTag else {
          throw issue("a tag or a comment within the text of <\(tag.shownName)>")
        }
        try endTag(tag.shownName)
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "&"):
        text += try reference()
      default:
        let start = index
        while !isAtEnd, bytes[index] != UInt8(ascii: "<"), bytes[index] != UInt8(ascii: "&") {
          index += 1
        }
        text += Self.lines(bytes[start..<index])
      }
    }
  }

  /// Source: Extensible Markup Language 1.0, section 2.11, end-of-line handling.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(0x0D) else { return Array(bytes) }
    var lines: [UInt8] = []
    for index in bytes.indices {
      if bytes[index] != 0x0D {
        lines.append(bytes[index])
      } else if index + 1 >= bytes.endIndex || bytes[index + 1] != 0x0A {
        lines.append(0x0A)
      }
    }
    return lines
  }

  /// One of the five entities that every XML text has, or a character by its number.
  private mutating func reference() throws(PropertyListIssue) -> [UInt8] {
    let names: [(StaticString, UInt8)] = [
      ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
      ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]
    for (name, byte) in names where starts(with: name) {
      index += name.utf8CodeUnitCount
      return [byte]
    }
    let isHexadecimal = starts(with: "&#x")
    guard isHexadecimal || starts(with: "&#"),
      let end = bytes[index...].prefix(16).firstIndex(of: UInt8(ascii: ";"))
    else { throw issue("\"&\" that starts no character; write \"&amp;\"") }
    let digits = bytes[(index + (isHexadecimal ? 3 : 2))..<end]
    let isNumber = digits.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (isHexadecimal && (0x61...0x66).contains($0 | 0x20))
    }
    guard isNumber,
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number), number != 0
    else { throw issue("a character by a number that no character has") }
    index = end + 1
    return Array(String(scalar).utf8)
  }
}
