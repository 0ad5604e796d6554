package import MediaContainers
package import MediaModel

/// The start of a JPEG 2000 codestream: the size of its picture, and the chain of its tile-parts.
///
/// Source: ISO/IEC 15444-1 annex A (SIZ, SOT, EOC).
package struct J2KHeader: PictureHeader {
  package let size: PixelSize
  /// The number of components; a decoder holds 4 bytes of each pixel for each.
  package let componentCount: Int
  /// The codestream in its source; a file may go on behind it.
  private let range: Range<Int>

  package init?(of source: ByteSource) { self.init(of: source, in: 0..<source.length) }

  /// Reads a codestream that is a part of a file, such as the body of jp2c.
  package init?(of source: ByteSource, in range: Range<Int>) {
    let start = range.lowerBound
    guard source.uint32(at: start) == 0xFF4F_FF51, let length = source.uint16(at: start + 4),
      length >= 41, let right = source.uint32(at: start + 8),
      let bottom = source.uint32(at: start + 12), let left = source.uint32(at: start + 16),
      let top = source.uint32(at: start + 20), let components = source.uint16(at: start + 40),
      components > 0, length == 38 + 3 * components
    else { return nil }
    size = PixelSize(width: max(0, right - left), height: max(0, bottom - top))
    componentCount = components
    self.range = range.clamped(to: 0..<source.length)
  }

  /// The marker segments of the main header: marker, and range with the marker.
  package static func segments(
    of source: ByteSource,
    in range: Range<Int>
  ) -> [(marker: Int, range: Range<Int>)] {
    var segments: [(marker: Int, range: Range<Int>)] = []
    var position = range.lowerBound + 2
    while let marker = source.uint16(at: position), marker != 0xFF90, marker >= 0xFF4F,
      let length = source.uint16(at: position + 2), length >= 2,
      length <= range.upperBound - position - 2, segments.count < 65_536
    {
      segments.append((marker, position..<(position + 2 + length)))
      position += 2 + length
    }
    return segments
  }

  package func missingPart(of source: ByteSource) -> String? {
    let header = Self.segments(of: source, in: range)
    var position = header.last?.range.upperBound ?? range.lowerBound + 2
    var count = 0
    while source.uint16(at: position) == 0xFF90, position < range.upperBound {
      guard let length = source.uint32(at: position + 6) else { return "a tile" }
      // The last tile-part may be as long as the codestream is.
      if length == 0 { return nil }
      guard length >= 14, length <= range.upperBound - position else { return "a tile" }
      position += length
      count += 1
    }
    guard count > 0 else { return "a tile" }
    return position + 2 <= range.upperBound ? nil : "the end of the codestream"
  }
}
