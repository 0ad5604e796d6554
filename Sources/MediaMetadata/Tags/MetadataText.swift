import MediaModel

/// Text of a metadata field, made safe to write anew.
package enum MetadataText {
  /// Bytes that a title, caption, creator or copyright keeps: what IPTC-IIM gives a caption.
  package static let maximumLength = 2000
  /// Bytes that a make or a model keeps.
  static let maximumNameLength = 200

  /// The text of `bytes` up to their first NUL, or nil when nothing is left of it.
  ///
  /// Read as UTF-8 where all of it is, else as Latin-1, which is how older programs write "©".
  /// Control characters go, but for line breaks; so do spaces at both ends; a longer text is cut at
  /// a character.
  package static func checked(
    _ bytes: some Sequence<UInt8>,
    limit: Int = maximumLength
  ) -> String? {
    // Only what can be needed is looked at: four bytes a character, and some spaces.
    let raw = Array(bytes.prefix(8 * limit).prefix { $0 != 0 })
    let text: String
    if isUTF8(raw) {
      text = String(decoding: raw, as: UTF8.self)
    } else {
      var scalars = String.UnicodeScalarView()
      for byte in raw { scalars.append(Unicode.Scalar(byte)) }
      text = String(scalars)
    }
    return checked(text, limit: limit)
  }

  /// The same for text.
  package static func checked(_ text: String, limit: Int = maximumLength) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": continue
      case "\t": scalars.append(" ")
      case "\n": scalars.append(scalar)
      case "\u{FEFF}": continue
      default:
        // XML has no way to write a noncharacter.
        let isWritable =
          scalar.properties.generalCategory != .control && scalar.value & 0xFFFE != 0xFFFE
        if isWritable { scalars.append(scalar) }
      }
    }
    let all = Array(scalars)
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    guard let first = all.firstIndex(where: { !isSpace($0) }),
      let last = all.lastIndex(where: { !isSpace($0) })
    else { return nil }
    var trimmed = String.UnicodeScalarView()
    trimmed.append(contentsOf: all[first...last])
    var result = ""
    var length = 0
    for character in String(trimmed) {
      length += character.utf8.count
      if length > limit { break }
      result.append(character)
    }
    // A cut may have left a space at the end, and a second reading must find the same text.
    while let end = result.unicodeScalars.last, isSpace(end) { result.unicodeScalars.removeLast() }
    return result.isEmpty ? nil : result
  }

  /// Several creators as one text.
  package static func joined(_ texts: [String]) -> String? {
    checked(texts.prefix(64).compactMap { checked($0) }.joined(separator: "; "))
  }

  /// Stars, 0 to 5, from a number's text.
  package static func rating(_ text: String) -> Int? {
    // "3", and "3.0" as some programs write it.
    let whole = text.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard text.utf8.count <= 8, let value = Int(String(decoding: whole, as: UTF8.self)) else {
      return nil
    }
    return (0...5).contains(value) ? value : nil
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      let length = UTF8Sequence.length(in: bytes, at: index)
      guard length > 0 else { return false }
      index += length
    }
    return true
  }
}
