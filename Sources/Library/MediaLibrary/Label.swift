internal import Foundation
package import MediaModel

/// The name that a person gives an asset, made safe to be a file's name.
///
/// One path component in NFC, at most 200 bytes of UTF-8 cut at a character, without control
/// characters, without a leading dot, never empty.
package struct Label: Sendable, Hashable {
  /// Bytes of UTF-8.
  package static let maximumLength = 200

  package let text: String

  /// Makes any text safe; what is not allowed is dropped, and `/` becomes `-`.
  package init(_ raw: String) {
    guard !Self.isSafe(raw) else {
      text = raw
      return
    }
    var safe = ""
    for scalar in raw.precomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar == "/" {
        safe += "-"
      } else if EscapedText.isPrintable(scalar) || Self.joiners.contains(scalar) {
        safe.unicodeScalars.append(scalar)
      }
    }
    var trimmed = Substring(safe)
    while let first = trimmed.first, first == "." || first.isWhitespace { trimmed.removeFirst() }
    // Dropping a character may leave a sequence that has a shorter canonical form.
    let characters = String(trimmed).precomposedStringWithCanonicalMapping
    var text = ""
    var length = 0
    for character in characters {
      length += character.utf8.count
      if length > Self.maximumLength { break }
      text.append(character)
    }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    self.text = text.isEmpty ? "untitled" : text
  }

  /// Whether a text is a label as it is: printable ASCII, as most names are.
  private static func isSafe(_ raw: String) -> Bool {
    guard let first = raw.utf8.first, let last = raw.utf8.last, raw.utf8.count <= maximumLength
    else { return false }
    let space = UInt8.space
    return first != .dot && first != space && last != space
      && raw.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != .slash }
  }

  /// The name of the asset's file for `role`.
  ///
  /// - Parameters:
  ///   - role: Any but the main ones is named in brackets.
  ///   - fileExtension: Without the dot.
  /// - Returns: At most 255 bytes.
  package func fileName(role: ResourceRole, fileExtension: String) -> String {
    switch role {
    case .photo, .video, .audio, .pairedVideo: "\(text).\(fileExtension)"
    default: "\(text) (\(role.rawValue)).\(fileExtension)"
    }
  }

  /// Emoji and several scripts need these format characters within a word.
  private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
}
