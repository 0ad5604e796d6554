internal import MediaModel

/// Reads a file of localized strings: a property list, XML or binary, or lines such as `"key" = "words";`.
///
/// Of the notation that came before XML it takes what such files are made of, keys and texts with comments, and neither
/// data nor lists. A repeated key is an error, as in every property list.
///
/// Source: Apple, "Internationalization and Localization Guide", strings files; CFOldStylePList.c.
package struct StringsFile {
  private let bytes: [UInt8]
  private var index = 0
  private var reading = PropertyListReading()

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a file.
  ///
  /// - Parameter bytes: The whole file: UTF-8, UTF-16 with a byte order mark, or a binary property list.
  /// - Returns: What it says, and the bytes that the offsets of its issues are of, in UTF-8.
  package static func read(_ bytes: [UInt8]) -> (reading: PropertyListReading, text: [UInt8]) {
    if bytes.starts(with: BinaryPropertyList.magic) { return (PropertyListReading(bytes), bytes) }
    do throws(PropertyListIssue) {
      let text = try utf8(bytes)
      let first = text.first { $0 != .space && !(0x09...0x0D ~= $0) }
      if first == UInt8(ascii: "<") { return (PropertyListReading(text), text) }
      var file = StringsFile(text)
      do throws(PropertyListIssue) {
        try file.members()
      } catch {
        file.reading.issues.append(error)
      }
      return (file.reading, text)
    } catch {
      return (PropertyListReading(issues: [error]), [])
    }
  }

  /// The text in UTF-8 without a byte order mark.
  private static func utf8(_ bytes: [UInt8]) throws(PropertyListIssue) -> [UInt8] {
    var text = bytes
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      let isBigEndian = bytes[0] == 0xFE
      guard bytes.count % 2 == 0 else {
        throw PropertyListIssue(.invalidUTF8, "UTF-16 that ends within a character")
      }
      let units = stride(from: 2, to: bytes.count, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      guard let decoded = String(validating: units, as: UTF16.self) else {
        throw PropertyListIssue(.loneSurrogate, "half of a surrogate pair in the file")
      }
      text = Array(decoded.utf8)
    } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      text = Array(bytes.dropFirst(3))
    }
    if let nul = text.firstIndex(of: 0) {
      throw PropertyListIssue(
        .nul,
        "a NUL byte in the file; save it as UTF-8, or UTF-16 with a byte order mark",
        at: nul
      )
    }
    guard String(validating: text, as: UTF8.self) != nil else {
      throw PropertyListIssue(.invalidUTF8, "the file is neither UTF-8, nor UTF-16 with a byte order mark")
    }
    return text
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func issue(_ message: String, _ code: SyntaxIssue.Code = .syntax) -> PropertyListIssue {
    PropertyListIssue(code, message, at: index)
  }

  /// Steps over a character of ASCII; false where another one stands.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func members() throws(PropertyListIssue) {
    var keys = PropertyListKeys()
    try skipBlank()
    let hasBraces = take("{")
    while true {
      try skipBlank()
      if current == nil || hasBraces && current == UInt8(ascii: "}") { break }
      let offset = index
      let key = try text()
      if !keys.insert(key), reading.issues.count < SyntaxIssue.maximumCount {
        reading.issues.append(PropertyListKeys.duplicate(key, at: offset, path: JSONPath.root))
      }
      try skipBlank()
      var words = key
      if take("=") {
        try skipBlank()
        words = try text()
        try skipBlank()
      }
      guard take(";") else { throw issue("a semicolon is missing") }
      reading.members.append(PropertyListMember(key: key, offset: offset, value: .string(words)))
    }
    if hasBraces {
      guard take("}") else { throw issue("a brace is missing") }
      try skipBlank()
      if current != nil { throw issue("more behind the closing brace") }
    }
  }

  /// Steps over white space and comments.
  private mutating func skipBlank() throws(PropertyListIssue) {
    while let byte = current {
      let rest = bytes[index...]
      if byte == .space || 0x09...0x0D ~= byte {
        index += 1
      } else if rest.starts(with: [0xE2, 0x80, 0xA8]) || rest.starts(with: [0xE2, 0x80, 0xA9]) {
        index += 3
      } else if rest.starts(with: "//".utf8) {
        index = rest.firstIndex { $0 == .newline || $0 == UInt8(ascii: "\r") } ?? bytes.count
      } else if rest.starts(with: "/*".utf8) {
        guard let end = rest.dropFirst(2).firstRange(of: Array("*/".utf8)) else {
          throw issue("a comment has no end", .comment)
        }
        index = end.upperBound
      } else {
        return
      }
    }
  }

  /// A text between quotation marks, or a word without them.
  private mutating func text() throws(PropertyListIssue) -> String {
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let word = bytes[index...].prefix { $0.isASCIIAlphanumeric || "_$/:.-".utf8.contains($0) }
      guard !word.isEmpty else { throw issue("a text between quotation marks is expected") }
      index += word.count
      return String(decoding: word, as: UTF8.self)
    }
    let start = index
    index += 1
    var text: [UInt8] = []
    while let byte = current, byte != quote {
      if byte == UInt8(ascii: "\\") {
        text += String(Character(try escape())).utf8
      } else {
        text.append(byte)
        index += 1
      }
    }
    guard current == quote else {
      index = start
      throw issue("a quotation mark is missing")
    }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// The character of an escape, which a surrogate pair writes as two.
  private mutating func escape() throws(PropertyListIssue) -> Unicode.Scalar {
    let start = index
    var units = [try escapedUnit()]
    if UTF16.isLeadSurrogate(units[0]), current == UInt8(ascii: "\\") { units.append(try escapedUnit()) }
    let scalars = String(validating: units, as: UTF16.self)?.unicodeScalars
    if let scalar = scalars?.first, scalars?.count == 1, scalar != "\0" { return scalar }
    index = start
    throw units == [0]
      ? issue("an escape that writes NUL", .nul)
      : issue("half of a surrogate pair in an escape", .loneSurrogate)
  }

  /// Reads a backslash and what belongs to it.
  private mutating func escapedUnit() throws(PropertyListIssue) -> UInt16 {
    let start = index
    index += 1
    guard let byte = current else { throw issue("a quotation mark is missing") }
    index += 1
    func digits(_ most: Int, radix: UInt8) -> [UInt8] {
      bytes[index...].prefix(most).map { Hexadecimal.value(of: $0) ?? .max }.prefix { $0 < radix }.map { $0 }
    }
    // BEL, BS, TAB, LF, VT, FF, CR.
    if let number = Array("abtnvfr".utf8).firstIndex(of: byte) { return UInt16(number + 7) }
    if byte == UInt8(ascii: "U") {
      let digits = digits(4, radix: 16)
      index += digits.count
      if !digits.isEmpty { return digits.reduce(0) { $0 << 4 | UInt16($1) } }
    } else if byte.isASCIIDigit {
      index -= 1
      let digits = digits(3, radix: 8)
      index += digits.count
      // Beyond ASCII it would be a character of NeXTSTEP's own.
      let value = digits.reduce(0) { $0 << 3 | UInt16($1) }
      if !digits.isEmpty, value < 0x80 { return value }
    } else if byte < 0x80, !byte.isASCIILetter {
      return UInt16(byte)
    }
    index = start
    throw issue("an escape that no strings file has", .badEscape)
  }
}
