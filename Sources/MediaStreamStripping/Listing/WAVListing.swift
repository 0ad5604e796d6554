package import MediaContainers
package import MediaMetadata
import MediaModel

extension WAVStripper {
  static let exceptions: [FourCharacterCode: MetadataException] = [
    "INAM": .caption, "ICMT": .caption, "ICOP": .copyright, "IART": .copyright,
    "ICRD": .creationDate, "IRTD": .rating,
  ]

  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let container = try WAVContainer(of: source)
    for chunk in container.others { list(chunk, of: source, into: &listing) }
    if container.format.isMP3 {
      var inner = MetadataListing(options: StripOptions(), showsValues: false)
      try MP3Stripper.list(ByteSource(source, container.audio), into: &inner)
      for entry in inner.entries {
        let start = container.audio.lowerBound + Int(entry.offset)
        let range = start..<(start + Int(entry.byteCount))
        listing.add("data/\(entry.path)", at: range, isRemoved: entry.isRemoved)
      }
    }
    listing.addTrailer(from: container.end, of: source)
  }

  /// Lists a chunk that is not copied.
  static func list(_ chunk: RIFFChunk, of source: ByteSource, into listing: inout MetadataListing) {
    let before = listing.count
    switch chunk.type {
    case "LIST":
      WAVInfo.forEach(of: source, in: chunk.data) { type, text in
        let name = EscapedText.printable(String(decoding: type.bytes, as: UTF8.self), limit: 80)
        listing.add(
          "LIST INFO/\(name)",
          at: text,
          isRemoved: listing.removes(exceptions[type])
        ) { MetadataListing.text(in: text, of: source) }
      }
    case "id3 ", "ID3 ": listing.addAudioTag("ID3v2", at: chunk.data, of: source)
    case "_PMX":
      let packet = source.bytes(in: chunk.data, limit: FoundMetadata.maximumBlockLength) ?? []
      listing.addXMP("_PMX", packet, at: chunk.data)
    case "C2PA":
      listing.addCredentials(chunk.type.name, at: chunk.data, isRemoved: true) {
        source.bytes(in: chunk.data, limit: ContentCredentials.maximumLength) ?? []
      }
    case "bext": FixedFields.broadcast.list("bext", in: chunk.data, of: source, into: &listing)
    default: break
    }
    if listing.count == before {
      listing.add(chunk.type.name, at: chunk.data, isRemoved: true)
    }
  }
}
