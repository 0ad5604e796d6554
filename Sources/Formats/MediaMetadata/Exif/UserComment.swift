import MediaContainers
import MediaModel

/// Decodes Exif's UserComment, whose first eight bytes name its character set. A text that may be of another one is
/// none: a garbled caption is worse than no caption.
///
/// Source: Exif 2.32 section 4.6.5, UserComment. Programs write UTF-8 for ASCII, UTF-16 in either order or UTF-8 for
/// UNICODE, any of them for an undefined set, and no name at all; files in public bug reports show it. JIS has no
/// decoder here, but for ASCII.
enum UserComment {
  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - bytes: The value with the name of its set; what lies behind the first 16,000 bytes is missing.
  ///   - order: The byte order of the block, which the standard wants for UNICODE.
  /// - Returns: The checked text; nil for none, and for what a program wrote for itself.
  static func text(_ bytes: [UInt8], order: ByteOrder) -> String? {
    let name = bytes.prefix(8)
    let word = name.prefix { $0 != 0 && $0 != .space }
    // Cameras write spaces for NULs.
    let isNamed = name.first == 0 || name.dropFirst(word.count).allSatisfy { $0 == 0 || $0 == .space }
    let text: String?
    if isNamed, word.elementsEqual("UNICODE".utf8) {
      text = wide(Array(bytes.dropFirst(8)), order: order)
    } else if isNamed, word.isEmpty || word.elementsEqual("ASCII".utf8) || word.elementsEqual("JIS".utf8) {
      text = narrow(bytes.dropFirst(8))
    } else {
      text = narrow(bytes[...])
    }
    return text.flatMap { isOfPerson($0) ? $0 : nil }
  }

  /// Whether a text may be a person's: Apple's phones mark pictures of their screen by it, and others leave objects
  /// of JSON, or their settings (`filter: 0; algolist: 0; module: photo;`).
  static func isOfPerson(_ text: String) -> Bool {
    text != "Screenshot" && !(text.hasPrefix("{") && text.hasSuffix("}")) && !isSettings(text)
  }

  /// Whether a text is four or more names of one word, each with a value behind it.
  private static func isSettings(_ text: String) -> Bool {
    let fields = text.split(separator: ";").map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
    return fields.count >= 4
      && fields.dropLast().allSatisfy { field in
        guard let end = field.firstIndex(where: { ":=".contains($0) }), end != field.startIndex else {
          return false
        }
        return field[..<end].allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      }
  }

  /// Returns a text of bytes: UTF-8, or Latin-1 if nothing in it looks like another character set, whose letters
  /// have two bytes each, or whose bytes are Latin-1's control characters.
  private static func narrow(_ bytes: ArraySlice<UInt8>) -> String? {
    // Most comments are spaces.
    var bytes = bytes.prefix { $0 != 0 }.drop { $0 == .space }
    while bytes.last == .space { bytes.removeLast() }
    // The standard escapes into JIS; other control characters are those of data.
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }) else {
      return nil
    }
    if String(validating: bytes, as: UTF8.self) == nil {
      // At most two letters beyond ASCII stand side by side, as in "Größe", and they are not most of a text.
      var (run, foreign, plain) = (0, 0, 0)
      for byte in bytes {
        run = byte < 0x80 ? 0 : run + 1
        if byte >= 0x80 { foreign += 1 } else if byte.isASCIILetter { plain += 1 }
        guard run < 3, !(0x80...0x9F).contains(byte) else { return nil }
      }
      if foreign > plain { return nil }
    }
    return MetadataText.checked(bytes)
  }

  private static func wide(_ bytes: [UInt8], order: ByteOrder) -> String? {
    if isNarrow(bytes) { return narrow(bytes[...]) }
    let big = units(bytes, order: .big)
    let little = units(bytes, order: .little)
    if big.first == 0xFEFF { return checked(big) }
    if little.first == 0xFEFF { return checked(little) }
    // The high bytes of a text are fewer different ones than the low bytes.
    let first = Set(big.map { $0 >> 8 }).count
    let second = Set(little.map { $0 >> 8 }).count
    if first != second { return checked(first < second ? big : little) }
    return checked(order == .big ? big : little) ?? checked(order == .big ? little : big)
  }

  /// Whether bytes that should be UTF-16 are UTF-8: valid, without a NUL or a control character, and most of them
  /// ASCII, which six bytes of UTF-16 are hardly ever.
  private static func isNarrow(_ bytes: [UInt8]) -> Bool {
    let text = bytes.reversed().drop { $0 == 0 }.reversed()
    guard text.count >= 6, text.allSatisfy({ $0 >= 0x20 || (9...13).contains($0) }) else { return false }
    let plain = text.count { $0 < 0x80 }
    return 2 * plain > text.count && String(validating: text, as: UTF8.self) != nil
  }

  private static func units(_ bytes: [UInt8], order: ByteOrder) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return order == .big ? first << 8 | second : second << 8 | first
    }.prefix { $0 != 0 }
  }

  /// Returns the text of units; nil for one with halves of pairs, or with characters that nobody writes.
  private static func checked(_ units: [UInt16]) -> String? {
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    let isText = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse, .surrogate: false
      case .control: (9...13).contains(scalar.value)
      default: true
      }
    }
    return isText ? MetadataText.checked(text) : nil
  }
}
