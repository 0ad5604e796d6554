package import MediaContainers
import MediaEditing
import MediaMetadata
package import MediaModel

/// Writes facts into a copy of a file: an XMP packet, and Exif where the format has readers of nothing else; every
/// other byte stays as it is.
package enum FactEmbedder {
  /// Returns the edit list that makes the copy.
  ///
  /// The properties of the facts take the place of those of the same names in the file's own packet, whose others
  /// stay. A date of capture in the file's Exif block becomes that of the facts.
  ///
  /// - Throws: ``MetadataError`` `damaged` for a file that does not follow its format; `stripUnsupported` for one
  ///   into which nothing can be written without changing more; `overLimit` for a packet that is too long.
  package static func editList(
    of source: ByteSource,
    format: MediaFormat,
    facts: EmbeddedFacts
  ) throws(MetadataError) -> EditList {
    let patches =
      switch format {
      case .jpeg: try jpeg(source, facts)
      case .png: try png(source, facts)
      case .webp: try webP(source, facts)
      case .tiff: try tiff(source, facts)
      case .heic, .avif: try heif(source, facts)
      case .mp4, .mov, .m4a: try movie(source, facts)
      default: throw MetadataError(.stripUnsupported, "a \(format.rawValue) with facts")
      }
    let list = try patches.editList(of: source)
    let output = try ByteSource(applying: list, to: source)
    let (before, after) = (
      try MetadataReader.facts(of: source, format: format),
      try MetadataReader.facts(of: output, format: format)
    )
    guard before.pixelSize == after.pixelSize, before.orientation == after.orientation,
      Completeness.missingPart(of: output, format: format) == nil
    else { throw MetadataError(.damaged, "a file that would become another one") }
    return list
  }

  /// Puts the facts into the file's packet.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - packet: Its own packet; nil when it has none.
  /// - Returns: The packet that the copy gets.
  /// - Throws: `stripUnsupported` when its own packet cannot be changed.
  static func packet(
    _ facts: EmbeddedFacts,
    into packet: [UInt8]?
  ) throws(MetadataError) -> [UInt8] {
    guard let packet else { return facts.packet }
    guard let merged = XMPMerge.merged(facts.packet, into: packet) else {
      throw MetadataError(.stripUnsupported, "an XMP packet that cannot be changed")
    }
    return merged
  }

  /// Changes the dates of capture in an Exif block or a TIFF, where they are written in full.
  ///
  /// Source: Exif 2.32, tags 0x9003, 0x9004, 0x9011 and 0x9012.
  static func patchDates(
    of block: TIFFBlock?,
    _ facts: EmbeddedFacts,
    _ patches: inout BytePatches
  ) {
    guard let block, let date = facts.date, date.local.utf8.count == 19 else { return }
    // 2019-07-04T10:15:30 is written as 2019:07:04 10:15:30.
    var text = Array(date.local.utf8)
    (text[4], text[7], text[10]) = (UInt8(ascii: ":"), UInt8(ascii: ":"), UInt8(ascii: " "))
    let offset = date.offsetMinutes.map { Array(CivilDate.offset(minutes: $0).utf8) }
    var edits: [(Range<Int>, [UInt8])] = []
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      guard entry.tag == 0x8769, let directory = block.number(entry) else { return }
      block.forEachEntry(ofDirectoryAt: directory) { entry in
        let start = entry.value.lowerBound
        switch entry.tag {
        case 0x9003, 0x9004: if entry.count == 20 { edits.append((start..<(start + 19), text)) }
        case 0x9011, 0x9012:
          if entry.count == 7, let offset, offset.count == 6 {
            edits.append((start..<(start + 6), offset))
          }
        default: break
        }
      }
    }
    for (range, bytes) in edits where block.source.bytes(in: range, limit: range.count) != bytes {
      patches.replace(range, with: bytes)
    }
  }
}

/// Changes of some bytes of a file, of which the rest is copied.
struct BytePatches {
  private var patches: [(range: Range<Int>, bytes: [UInt8])] = []

  /// The number of bytes that the file gets longer.
  var growth: Int { patches.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

  /// Replaces a range; an empty one is a place where bytes are inserted.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    patches.append((range, bytes))
  }

  mutating func insert(_ bytes: [UInt8], at offset: Int) { replace(offset..<offset, with: bytes) }

  /// - Throws: As ``EditListBuilder``; `damaged` for ranges that overlap, as in a block that lies.
  func editList(of source: ByteSource) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length)
    var end = 0
    // Insertions at one place stay in their order.
    let ordered = patches.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, patch) in ordered {
      guard patch.range.lowerBound >= end else {
        throw MetadataError(.damaged, "parts that overlap")
      }
      try builder.copy(end..<patch.range.lowerBound)
      try builder.literal(patch.bytes)
      end = patch.range.upperBound
    }
    try builder.copy(end..<source.length)
    return builder.finish()
  }
}
