import MediaContainers
import MediaModel

/// Makes the text of a metadata field safe to write anew.
package enum MetadataText {
  /// The maximum length in bytes of a title, caption, creator or copyright: IPTC-IIM's limit for a
  /// caption.
  package static let maximumLength = 2000
  /// The maximum length in bytes of a make or a model.
  package static let maximumNameLength = 200

  /// Returns the text of `bytes` up to their first NUL, or nil when nothing is left of it.
  ///
  /// The bytes are read as UTF-8 if all of them are valid, else as Latin-1, in which older
  /// programs write "©". Control characters except line breaks are removed, and so are spaces at
  /// both ends; a longer text is cut at a character.
  package static func checked(
    _ bytes: some Sequence<UInt8>,
    limit: Int = maximumLength
  ) -> String? {
    // No more bytes than needed are read: four per character, and some spaces.
    let raw = Array(bytes.prefix(8 * limit).prefix { $0 != 0 })
    if isPlain(raw, limit: limit) { return String(decoding: raw, as: UTF8.self) }
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

  /// Returns the checked form of a make or a model.
  static func name(_ bytes: [UInt8]) -> String? { checked(bytes, limit: maximumNameLength) }

  /// Returns the first 64 bytes of a field as a text, such as a date.
  static func short(_ source: ByteSource, in range: Range<Int>) -> String? {
    source.bytes(in: range.prefix(64), limit: 64).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the checked form of `text`.
  package static func checked(_ text: String, limit: Int = maximumLength) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": continue
      case "\t": scalars.append(" ")
      case "\n": scalars.append(scalar)
      case "\u{FEFF}": continue
      default:
        // XML cannot represent noncharacters.
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
    // Cutting may have left a space at the end, and a second reading must find the same text.
    while let end = result.unicodeScalars.last, isSpace(end) { result.unicodeScalars.removeLast() }
    return result.isEmpty ? nil : result
  }

  /// Joins several creators into one text.
  package static func joined(_ texts: [String]) -> String? {
    checked(texts.prefix(64).compactMap { checked($0) }.joined(separator: "; "))
  }

  /// Returns the stars of a rating in percent: 1, 25, 50, 75 and 99 for one to five; nil for no percentage.
  ///
  /// Source: Microsoft, MicrosoftPhoto:Rating and System.Rating.
  static func stars(percent: Int) -> Int? {
    guard (0...100).contains(percent) else { return nil }
    return percent == 0 ? 0 : min(5, 1 + (percent + 12) / 25)
  }

  /// Returns the rating of a number in text form, one of `MediaDescription.ratings`.
  package static func rating(_ text: String) -> Int? {
    // Some programs write "3.0" for "3".
    let whole = text.utf8.prefix { $0 != .dot }
    guard text.utf8.count <= 8, let value = Int(String(decoding: whole, as: UTF8.self)) else {
      return nil
    }
    return MediaDescription.ratings.contains(value) ? value : nil
  }

  /// Whether a text stays as it is: printable ASCII without spaces at its ends, as most cameras write.
  private static func isPlain(_ bytes: [UInt8], limit: Int) -> Bool {
    guard let first = bytes.first, let last = bytes.last, bytes.count <= limit else { return false }
    return first != .space && last != .space
      && bytes.allSatisfy { (UInt8.space...0x7E).contains($0) }
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
