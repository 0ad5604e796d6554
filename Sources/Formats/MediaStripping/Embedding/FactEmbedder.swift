package import MediaContainers
import MediaMetadata
package import MediaModel

/// Writes facts into a copy of a file: an XMP packet, Exif where the format has readers of nothing else, and how it is
/// turned; every other byte stays as it is.
package enum FactEmbedder {
  /// Returns the edit list that makes the copy.
  ///
  /// The properties of the facts take the place of those of the same names in the file's own packet, whose others
  /// stay. A date of capture in the file's Exif block becomes that of the facts; a date of digitizing that is another
  /// one stays. Stored pixels and samples stay as they are also where the copy is shown turned.
  ///
  /// - Throws: ``MetadataError`` `damaged` for a file that does not follow its format; `stripUnsupported` for one
  ///   into which nothing can be written without changing more; `overLimit` for a packet that is too long.
  package static func editList(
    of source: ByteSource,
    format: MediaFormat,
    facts: EmbeddedFacts
  ) throws(MetadataError) -> EditList {
    var list = try patches(source, format, facts).editList(of: source)
    var output = try ByteSource(applying: list, to: source)
    let before = try MetadataReader.facts(of: source, format: format)
    let orientation = Turn.orientation(before.orientation, rotatedBy: facts.rotation)
    if facts.rotation != 0 {
      let turn = CopyTurn(degrees: facts.rotation, orientation: orientation)
      let turned = try turn.patches(output, format).editList(of: output)
      list = try list.followed(by: turned, sourceLength: source.length)
      output = try ByteSource(applying: list, to: source)
    }
    let after = try MetadataReader.facts(of: output, format: format)
    guard before.pixelSize == after.pixelSize, after.orientation == orientation,
      Completeness.missingPart(of: output, format: format) == nil
    else { throw MetadataError(.damaged, "a file that would become another one") }
    return list
  }

  /// The changes by which the facts get into a copy, but for its turn; none where there are no others.
  private static func patches(
    _ source: ByteSource,
    _ format: MediaFormat,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    if facts.packet.isEmpty { return BytePatches() }
    return switch format {
    case .jpeg: try jpeg(source, facts)
    case .png: try png(source, facts)
    case .webp: try webP(source, facts)
    case .tiff: try tiff(source, facts)
    case .heic, .avif: try heif(source, facts)
    case .mp4, .mov, .m4a: try movie(source, facts)
    default: throw MetadataError(.stripUnsupported, "a \(format.rawValue) with facts")
    }
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
    let earlier = facts.place.map { EarlierPlace.properties(of: packet, beside: $0) } ?? []
    guard let merged = XMPMerge.merged(own, into: packet, without: earlier) else {
      throw MetadataError(.stripUnsupported, "an XMP packet that cannot be changed")
    }
    return merged
  }
}
