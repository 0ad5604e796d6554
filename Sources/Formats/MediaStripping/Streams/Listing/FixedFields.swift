import MediaContainers
import MediaMetadata
import MediaModel

/// A tag whose texts stand at fixed places.
///
/// Source: id3.org, ID3v1.1; exiftool `lib/Image/ExifTool/ID3.pm` for the enhanced tag "TAG+"; EBU
/// Tech 3285 (bext).
struct FixedFields {
  /// A text, its place in the tag, and the exception that keeps it.
  private typealias Field = (name: String, range: Range<Int>, exception: MetadataException?)

  private let fields: [Field]

  /// The last tag of an MP3, of 128 bytes. After a zero, the last byte of its comment is the number of
  /// the track; the byte of the genre is 255 for none.
  static let id3v1 = FixedFields(fields: [
    ("Title", 3..<33, .caption), ("Artist", 33..<63, .copyright), ("Album", 63..<93, nil),
    ("Year", 93..<97, nil), ("Comment", 97..<125, .caption),
  ])
  /// The tag before that one, with longer texts.
  static let enhanced = FixedFields(fields: [
    ("Title", 4..<64, nil), ("Artist", 64..<124, nil), ("Album", 124..<184, nil),
    ("Genre", 185..<215, nil),
  ])
  /// The chunk of a broadcast wave.
  static let broadcast = FixedFields(fields: [
    ("Description", 0..<256, nil), ("Originator", 256..<288, nil),
    ("OriginatorReference", 288..<320, nil), ("OriginationDate", 320..<330, nil),
    ("OriginationTime", 330..<338, nil), ("CodingHistory", 602..<(1 << 20), nil),
  ])

  /// Adds an entry for each field that is not blank.
  func list(
    _ path: String,
    in tag: Range<Int>,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    for field in fields {
      let range = tag.dropFirst(field.range.lowerBound).prefix(field.range.count)
      let text = source.bytes(in: range.prefix(1024), limit: 1024) ?? []
      guard text.contains(where: { $0 != 0 && $0 != 0x20 }) else { continue }
      let isRemoved = listing.removes(field.exception)
      listing.add("\(path)/\(field.name)", at: range, isRemoved: isRemoved) {
        MetadataListing.text(text)
      }
    }
  }
}

extension MetadataListing {
  /// Adds the fields of an ID3v1 tag.
  mutating func addOldTag(at range: Range<Int>, of source: ByteSource) {
    FixedFields.id3v1.list("ID3v1", in: range, of: source, into: &self)
    let end = range.dropFirst(125)
    guard end.count == 3, let bytes = source.bytes(in: end, limit: 3) else { return }
    if bytes[0] == 0, bytes[1] != 0 {
      add("ID3v1/Track", at: end.dropFirst().prefix(1), isRemoved: true)
    }
    if bytes[2] != 0xFF { add("ID3v1/Genre", at: end.dropFirst(2), isRemoved: true) }
  }

  /// Adds the fields of a Lyrics3 tag, of version 2: three letters, five digits and that many bytes
  /// each; one of version 1 is a single text.
  ///
  /// Source: id3.org, Lyrics3 v2.00.
  mutating func addLyrics(at range: Range<Int>, of source: ByteSource) {
    let content = range.dropFirst(11)
    var offset = content.lowerBound
    let before = count
    while count - before < 64, let head = source.bytes(in: offset..<(offset + 8), limit: 8),
      head.prefix(3).allSatisfy(\.isASCIIUppercase),
      let length = Int(String(decoding: head.dropFirst(3), as: UTF8.self)), length >= 0,
      offset + 8 + length <= content.upperBound
    {
      let name = String(decoding: head.prefix(3), as: UTF8.self)
      let text = (offset + 8)..<(offset + 8 + length)
      add("Lyrics3/\(name)", at: text, isRemoved: true) { Self.text(in: text, of: source) }
      offset = text.upperBound
    }
    if count == before { add("Lyrics3/LYR", at: content, isRemoved: true) }
  }
}
