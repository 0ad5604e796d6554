/// Display names of removed boxes.
package enum MovieNames {
  /// Returns the display name of a box type: letters, digits, hyphens, underscores and QuickTime's
  /// ©, or `box` for other bytes.
  package static func name(_ type: FourCharacterCode) -> String {
    var bytes = type.bytes
    let isTag = bytes[0] == 0xA9
    if isTag { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    let isWord = bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    guard isWord, !bytes.isEmpty else { return "box" }
    return (isTag ? "©" : "") + String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the names of a removed box; user data are named by their contents.
  package static func names(
    ofBoxIn parent: String,
    _ box: MovieBox,
    of source: ByteSource
  ) -> [String] {
    guard box.type == "udta" else { return ["\(parent)/\(name(box.type))"] }
    // A hostile file has thousands of children, an ordinary one a dozen.
    let children = MovieBoxes(source, in: box.body).prefix(256).filter { $0.type.value != 0 }
    let names = children.map { "udta/\(name($0.type))" }
    return names.isEmpty ? ["\(parent)/udta"] : names
  }
}
