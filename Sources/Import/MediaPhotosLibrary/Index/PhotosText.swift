import MediaModel

/// Text of a library's database in a form that is safe to store and to show.
enum PhotosText {
  /// Checks a text.
  ///
  /// - Parameters:
  ///   - text: Any text; what follows a NUL is left out.
  ///   - limit: The most bytes.
  /// - Returns: The text without control characters but line breaks, without spaces at its ends and cut at a
  ///   character; nil when nothing is left.
  static func checked(_ text: String, limit: Int) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(8 * limit) {
      switch scalar {
      case "\0": return finished(scalars, limit)
      case "\t": scalars.append(" ")
      case "\n": scalars.append(scalar)
      default:
        let isText =
          scalar.properties.generalCategory != .control && scalar.value & 0xFFFE != 0xFFFE
          && scalar != "\u{FEFF}"
        if isText { scalars.append(scalar) }
      }
    }
    return finished(scalars, limit)
  }

  private static func finished(_ scalars: String.UnicodeScalarView, _ limit: Int) -> String? {
    let isText: (Unicode.Scalar) -> Bool = { !$0.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: isText),
      let last = scalars.lastIndex(where: isText)
    else { return nil }
    var result = ""
    var length = 0
    for character in String(scalars[first...last]) {
      length += character.utf8.count
      if length > limit { break }
      result.append(character)
    }
    while let end = result.unicodeScalars.last, !isText(end) { result.unicodeScalars.removeLast() }
    return result.isEmpty ? nil : result
  }

  /// Returns the bytes of a path of plain components; nil for an absolute one, for an empty component, `.`, `..`,
  /// a control character, and a path of more than 1,024 bytes.
  static func path(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= 1024, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    let parts = bytes.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    let arePlain = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    return arePlain ? bytes : nil
  }

  /// Returns the bytes of one plain component; nil for any other text.
  static func name(_ text: String) -> [UInt8]? {
    path(text).flatMap { $0.count <= 255 && !$0.contains(UInt8.slash) ? $0 : nil }
  }

  /// Whether a text is an identifier as Photos makes them: 8 to 64 letters, digits and hyphens.
  static func isIdentifier(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == .hyphen }
  }
}
