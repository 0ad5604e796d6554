/// For people: what boxes are called that go.
enum MovieNames {
  /// Letters and digits, with QuickTime's ©; `box` for what is no word.
  static func name(_ type: FourCharacterCode) -> String {
    guard type.value >> 24 == 0xA9 else { return HEIFBox.name(type) }
    let rest = HEIFBox.name(FourCharacterCode(value: type.value & 0xFF_FFFF | 0x6100_0000))
    return rest == "box" ? rest : "©" + rest.dropFirst()
  }

  /// A box that goes; user data by what is in it.
  static func names<Source: ByteSource>(
    ofBoxIn parent: String,
    _ box: MovieBox,
    of source: Source
  ) -> [String] {
    guard box.type == "udta" else { return ["\(parent)/\(name(box.type))"] }
    // A hostile file has thousands; a sane one a dozen.
    let children = MovieBoxes(source, in: box.body).prefix(256).filter { $0.type.value != 0 }
    let names = children.map { "udta/\(name($0.type))" }
    return names.isEmpty ? ["\(parent)/udta"] : names
  }
}
