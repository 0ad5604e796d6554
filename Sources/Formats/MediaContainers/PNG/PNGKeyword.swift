/// The parts of a chunk that begins with a keyword: a text, or an ICC profile with its name.
///
/// Source: PNG (3rd edition) sections 11.3.2.3 and 11.3.3.
package struct PNGKeyword {
  /// The range of the keyword, of any length.
  package let range: Range<Int>
  /// The range of what the keyword names.
  package let content: Range<Int>
  /// Whether the content is a zlib stream.
  package let isCompressed: Bool

  /// Parses a tEXt, zTXt, iTXt or iCCP chunk; nil for other chunks, and when a part is missing or
  /// the compression method unknown.
  package init?(_ chunk: PNGChunk, in source: ByteSource) {
    let limit = chunk.data.upperBound
    guard let end = source.firstOffset(of: [0], in: chunk.data) else { return nil }
    var start = end + 1
    switch chunk.type {
    case "tEXt": isCompressed = false
    case "zTXt", "iCCP":
      guard start < limit, source.byte(at: start) == 0 else { return nil }
      start += 1
      isCompressed = true
    case "iTXt":
      // Compression flag and method, then a terminated language and a terminated translation.
      guard start + 2 < limit,
        let language = source.firstOffset(of: [0], in: (start + 2)..<limit),
        let translation = source.firstOffset(of: [0], in: (language + 1)..<limit)
      else { return nil }
      isCompressed = source.byte(at: start) != 0
      start = translation + 1
    default: return nil
    }
    range = chunk.data.lowerBound..<end
    content = start..<limit
  }

  /// Returns the content, or its first `limit` bytes when it is not compressed.
  ///
  /// - Throws: `overLimit` when it inflates to more than `limit` bytes; `damaged` when it is no zlib
  ///   stream, or its checksum is missing, unless that may be.
  package func bytes(
    of source: ByteSource,
    limit: Int,
    needsChecksum: Bool = true
  ) throws(MetadataError) -> [UInt8] {
    guard isCompressed else {
      return source.bytes(in: content.prefix(limit), limit: limit) ?? []
    }
    return try ZlibStream.content(
      of: ByteSource(source, content),
      limit: limit,
      needsChecksum: needsChecksum
    )
  }
}
