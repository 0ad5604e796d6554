package import MediaModel

extension SelectionPattern {
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
