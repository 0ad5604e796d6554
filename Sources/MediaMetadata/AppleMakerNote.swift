/// Apple's maker note: a directory of its own, whose offsets count from the note's start.
///
/// Source: exiftool `lib/Image/ExifTool/Apple.pm`, tag 0x0011 ContentIdentifier.
enum AppleMakerNote {
  private static let contentIdentifierTag = 0x0011
  private static let maximumLength = 1 << 20

  /// The identifier that a live photo's still shares with its movie, or nil.
  static func contentIdentifier<Source: ByteSource>(
    of source: Source,
    in note: Range<Int>
  ) -> String? {
    guard note.count >= 16, note.count <= maximumLength,
      source.holds("Apple iOS\0", at: note.lowerBound)
    else { return nil }
    let order: ByteOrder = source.holds("II", at: note.lowerBound + 12) ? .little : .big
    let block = TIFFBlock(source, note, order: order, firstDirectory: 14)
    var identifier: String?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      guard entry.tag == contentIdentifierTag, entry.type == 2, identifier == nil else { return }
      identifier = source.bytes(in: entry.value, limit: 128).flatMap(ContentIdentifier.checked)
    }
    return identifier
  }
}

/// Apple's identifier for the two halves of a live photo.
enum ContentIdentifier {
  /// The text of `bytes` when it looks like an identifier: 1 to 64 of `A-Z a-z 0-9 -`.
  static func checked(_ bytes: [UInt8]) -> String? {
    let text = bytes.prefix { $0 != 0 }
    guard (1...64).contains(text.count) else { return nil }
    for byte in text {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        continue
      default: return nil
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
