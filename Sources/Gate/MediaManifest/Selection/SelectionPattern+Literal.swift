package import MediaModel

extension SelectionPattern {
  /// The path of a pattern without wildcards, as ``literalText(of:)`` writes it.
  ///
  /// - Returns: Nil for a pattern with wildcards, and for what is none.
  package static func literalPath(of text: String) -> ItemPath? {
    let wildcards = "*?[]".utf8
    guard !text.isEmpty, !text.utf8.contains(where: wildcards.contains) else { return nil }
    return ItemPath(bytes: EscapedText.bytes(percentEscaped: text))
  }

  /// The text of the pattern that matches this path and nothing else: what the notation reads as
  /// more than a byte, and every byte that is no printable ASCII, is `%XX`.
  package static func literalText(of path: ItemPath) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(path.bytes.count)
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "%"), 0...0x1F, 0x7F...:
        text.append(UInt8(ascii: "%"))
        text += MediaModel.Hexadecimal.text([byte]).uppercased().utf8
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
