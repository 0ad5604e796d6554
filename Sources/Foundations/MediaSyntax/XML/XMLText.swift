/// Escapes text for XML and HTML.
package enum XMLText {
  /// Where the text stands.
  package enum Place: Sendable {
    /// In an element, or between quotes of either kind; what XML cannot represent, even as a reference,
    /// becomes U+FFFD.
    case anywhere
    /// In an element, with all else as it is.
    case element
    /// Between double quotes, with all else as it is: white space there would be read as a space.
    ///
    /// Source: XML 1.0 section 3.3.3.
    case attribute
  }

  /// Escapes text.
  ///
  /// Source: XML 1.0 section 2.2, production Char.
  package static func escaped(_ text: String, in place: Place = .anywhere) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        false
      default: byte >= 0x20 && byte < 0x7F
      }
    }
    if isPlain { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">" where place != .attribute: result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where place != .element: result.append(contentsOf: "&quot;".unicodeScalars)
      case "'" where place == .anywhere: result.append(contentsOf: "&#39;".unicodeScalars)
      case "\t" where place == .attribute, "\n" where place == .attribute,
        "\r" where place == .attribute:
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case _ where place != .anywhere, "\t", "\n", "\r", "\u{20}"..."\u{7E}",
        "\u{A0}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.append(scalar)
      default: result.append("\u{FFFD}")
      }
    }
    return String(result)
  }
}
