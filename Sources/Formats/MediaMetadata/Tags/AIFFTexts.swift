package import MediaContainers
package import MediaModel

/// Reads and writes the text chunks of an AIFF.
///
/// Source: Apple, Audio Interchange File Format 1.3, text chunks; exiftool's AIFF tags for `ID3 `.
package enum AIFFTexts {
  /// A text chunk.
  package struct Text {
    /// The chunk type.
    package var type: FourCharacterCode
    /// The bytes of the text.
    package var data: [UInt8]
  }

  /// The exception that keeps each text chunk.
  package static let exceptions: [FourCharacterCode: MetadataException] = [
    "NAME": .caption, "ANNO": .caption, "AUTH": .copyright, "(c) ": .copyright,
  ]

  /// Returns text chunks with the given values.
  package static func chunks(_ values: KeptMetadata) -> [Text] {
    var chunks: [Text] = []
    let texts: [(FourCharacterCode, String?)] = [
      ("NAME", values.title), ("AUTH", values.creator), ("(c) ", values.copyright),
      ("ANNO", values.caption),
    ]
    for (type, text) in texts {
      if let text { chunks.append(Text(type: type, data: Array(text.utf8))) }
    }
    var others = KeptMetadata()
    (others.creationDate, others.rating) = (values.creationDate, values.rating)
    if let tag = ID3Values.tag(others) { chunks.append(Text(type: "ID3 ", data: tag)) }
    return chunks
  }

  /// Returns the values of the format's own chunks, then of ID3.
  package static func read(
    _ container: AIFFContainer,
    of source: ByteSource
  ) -> KeptMetadata {
    var values = KeptMetadata()
    var secondary = KeptMetadata()
    for chunk in container.others {
      let text = source.bytes(in: chunk.data.prefix(1 << 16), limit: 1 << 16)
        .flatMap { MetadataText.checked($0) }
      switch chunk.type {
      case "NAME": values.title = values.title ?? text
      case "AUTH": values.creator = values.creator ?? text
      case "(c) ": values.copyright = values.copyright ?? text
      case "ANNO": values.caption = values.caption ?? text
      case "ID3 ", "id3 ":
        if let tag = ID3Tag(of: source, at: chunk.data.lowerBound) {
          secondary.fill(from: ID3Values.read(tag, of: source))
        }
      default: break
      }
    }
    values.fill(from: secondary)
    return values
  }
}
