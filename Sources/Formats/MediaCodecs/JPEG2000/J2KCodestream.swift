package import MediaContainers

/// The marker segments and tile-parts of a JPEG 2000 codestream, from SOC to EOC.
///
/// Source: ISO/IEC 15444-1 annex A.
package struct J2KCodestream {
  /// A marker with its parameters.
  package struct Segment {
    package let marker: Int
    /// The range with the marker.
    package let range: Range<Int>
    /// Whether the marker stands alone, without a length.
    package var isBare: Bool { range.count == 2 }
    /// The range behind the marker and the length.
    package var content: Range<Int> { range.dropFirst(4) }
    /// The name that the standard gives the marker, or its number.
    package var name: String {
      J2KCodestream.names[marker] ?? "marker 0x" + String(marker, radix: 16, uppercase: true)
    }
  }

  /// A part of a tile: a header, and coded data.
  package struct TilePart {
    /// The twelve bytes of SOT.
    package let start: Range<Int>
    /// The segments between SOT and SOD.
    package let segments: [Segment]
    /// SOD and the coded data.
    package let data: Range<Int>
    /// Whether SOT states a length; the last tile-part may leave it open.
    package let statesLength: Bool
  }

  /// The segments of the main header; SIZ is the first.
  package private(set) var header: [Segment] = []
  /// The tile-parts in the order of the file.
  package private(set) var tileParts: [TilePart] = []
  /// The number of components.
  package let componentCount: Int
  /// The range of EOC, the last two bytes.
  package private(set) var end: Range<Int>

  /// The names of the markers of part 1, and of CAP of part 15.
  private static let names: [Int: String] = [
    0xFF50: "CAP", 0xFF51: "SIZ", 0xFF52: "COD", 0xFF53: "COC", 0xFF55: "TLM", 0xFF56: "PRF",
    0xFF57: "PLM", 0xFF58: "PLT", 0xFF59: "CPF", 0xFF5C: "QCD", 0xFF5D: "QCC", 0xFF5E: "RGN",
    0xFF5F: "POC", 0xFF60: "PPM", 0xFF61: "PPT", 0xFF63: "CRG", 0xFF64: "COM",
  ]
  private static let startOfTile = 0xFF90
  private static let startOfData = 0xFF93
  private static let endOfCodestream = 0xFFD9
  /// The most segments and tile-parts together.
  private static let maximumParts = 1 << 19

  /// Reads the codestream that begins with `range`; bytes may follow its end.
  ///
  /// - Throws: `damaged` for lengths that do not fit, and for a codestream without an end;
  ///   `overLimit` for more than half a million parts.
  package init(of source: ByteSource, in range: Range<Int>) throws(MetadataError) {
    guard let size = J2KHeader(of: source, in: range) else {
      throw MetadataError(.damaged, "no codestream with a size")
    }
    componentCount = size.componentCount
    end = range.upperBound..<range.upperBound
    let limit = range.upperBound
    var count = 0
    func segments(
      from start: Int,
      to end: Int,
      until last: Int
    ) throws(MetadataError) -> [Segment] {
      var segments: [Segment] = []
      var position = start
      while position + 4 <= end, let marker = source.uint16(at: position), marker != last {
        guard let length = J2KHeader.length(ofSegment: marker, at: position, of: source),
          length <= end - position
        else { break }
        count += 1
        guard count <= Self.maximumParts else {
          throw MetadataError(.overLimit, "too many marker segments")
        }
        segments.append(Segment(marker: marker, range: position..<(position + length)))
        position += length
      }
      guard position + 2 <= end, source.uint16(at: position) == last else {
        throw MetadataError(.damaged, "a header of the codestream that ends early")
      }
      return segments
    }
    header = try segments(from: range.lowerBound + 2, to: limit, until: Self.startOfTile)
    var position = header.last?.range.upperBound ?? limit
    while position + 14 <= limit, source.uint16(at: position) == Self.startOfTile {
      guard source.uint16(at: position + 2) == 10, let length = source.uint32(at: position + 6),
        length == 0 || length >= 14 && length <= limit - position
      else { throw MetadataError(.damaged, "a tile-part of impossible length") }
      count += 1
      guard count <= Self.maximumParts else {
        throw MetadataError(.overLimit, "too many tile-parts")
      }
      let start = position..<(position + 12)
      var end = length == 0 ? limit : position + length
      let inner = try segments(from: start.upperBound, to: end, until: Self.startOfData)
      let data = inner.last?.range.upperBound ?? start.upperBound
      if length == 0 { end = Self.endOffset(of: source, in: (data + 2)..<limit) ?? limit }
      tileParts.append(TilePart(start: start, segments: inner, data: data..<end, statesLength: length > 0))
      position = end
    }
    guard !tileParts.isEmpty else { throw MetadataError(.damaged, "no tile") }
    guard position + 2 <= limit, source.uint16(at: position) == Self.endOfCodestream else {
      throw MetadataError(.damaged, "no end of the codestream behind its tiles")
    }
    end = position..<(position + 2)
  }

  /// Returns the offset of EOC behind a tile-part of open length: coded data hold no byte pair
  /// above 0xFF8F but SOP and EPH.
  private static func endOffset(of source: ByteSource, in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while let marker = source.firstOffset(of: [0xFF], in: position..<range.upperBound) {
      if source.uint16(at: marker) == endOfCodestream { return marker }
      position = marker + 1
    }
    return nil
  }
}
