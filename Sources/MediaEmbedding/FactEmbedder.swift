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
  /// stay. A date of capture in the file's Exif block becomes that of the facts; a date of digitizing that is another
  /// one stays.
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
  ///   - block: Its Exif block, with which a date of digitizing in the packet has to agree.
  /// - Returns: The packet that the copy gets.
  /// - Throws: `stripUnsupported` when its own packet cannot be changed.
  static func packet(
    _ facts: EmbeddedFacts,
    into packet: [UInt8]?,
    beside block: TIFFBlock? = nil
  ) throws(MetadataError) -> [UInt8] {
    let dates = block.map { ExifDates($0) }
    let isDigitizedApart = XMPDigitization.isApart(
      in: packet,
      original: dates?.text(.original),
      digitized: dates?.text(.digitized)
    )
    let own = isDigitizedApart ? XMPDigitization.removed(from: facts.packet) : facts.packet
    guard let packet else { return own }
    guard let merged = XMPMerge.merged(own, into: packet) else {
      throw MetadataError(.stripUnsupported, "an XMP packet that cannot be changed")
    }
    return merged
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
