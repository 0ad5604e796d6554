import MediaContainers
import MediaMetadata
import MediaModel

extension WAVStripper {
  /// Lists a chunk that is not copied.
  static func list(_ chunk: RIFFChunk, of source: ByteSource, into listing: inout MetadataListing) {
    let before = listing.count
    switch chunk.type {
    case "LIST": listing.addInfo(in: chunk.data, of: source)
    case "id3 ", "ID3 ": listing.addAudioTag("ID3v2", at: chunk.data, of: source)
    case "_PMX": listing.addXMP("_PMX", at: chunk.data, of: source)
    case "C2PA": listing.addCredentials(chunk.type.name, at: chunk.data, of: source)
    case "bext": FixedFields.broadcast.list("bext", in: chunk.data, of: source, into: &listing)
    default: break
    }
    if listing.count == before {
      listing.add(chunk.type.name, at: chunk.data, isRemoved: true)
    }
  }
}

extension MetadataListing {
  private static let infoExceptions: [FourCharacterCode: MetadataException] = [
    "INAM": .caption, "ICMT": .caption, "ICOP": .copyright, "IART": .copyright,
    "ICRD": .creationDate, "IRTD": .rating,
  ]

  /// Adds the texts of a LIST INFO, whose content is in `range`.
  mutating func addInfo(in range: Range<Int>, of source: ByteSource) {
    WAVInfo.forEach(of: source, in: range) { type, text in
      let name = EscapedText.printable(String(decoding: type.bytes, as: UTF8.self), limit: 80)
      add("LIST INFO/\(name)", at: text, isRemoved: removes(Self.infoExceptions[type])) {
        Self.text(in: text, of: source)
      }
    }
  }
}
