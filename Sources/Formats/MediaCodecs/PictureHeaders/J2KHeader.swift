package import MediaContainers
package import MediaModel

/// The start of a JPEG 2000 codestream: the size of its picture, and the chain of its tile-parts.
///
/// Source: ISO/IEC 15444-1 annex A (SIZ, SOT, EOC) and equations B-1 and B-2.
package struct J2KHeader: PictureHeader {
  /// The size of the components, which decoders show: of the largest of them if some are subsampled.
  /// The picture may begin anywhere on the reference grid.
  package let size: PixelSize
  /// Where on the reference grid the picture begins: points to the right, and down.
  package let origin: (x: Int, y: Int)
  /// Whether a component has no sample at some points of the reference grid.
  package let isSubsampled: Bool
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
    var size = PixelSize(width: 0, height: 0)
    var isSubsampled = false
    for index in 0..<components {
      guard let across = source.uint8(at: start + 43 + 3 * index), across > 0,
        let down = source.uint8(at: start + 44 + 3 * index), down > 0
      else { return nil }
      isSubsampled = isSubsampled || across > 1 || down > 1
      size.width = max(size.width, (right + across - 1) / across - (left + across - 1) / across)
      size.height = max(size.height, (bottom + down - 1) / down - (top + down - 1) / down)
    }
    (self.size, self.isSubsampled, origin) = (size, isSubsampled, (left, top))
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
    while let marker = source.uint16(at: position), marker != 0xFF90,
      let length = length(ofSegment: marker, at: position, of: source),
      length <= range.upperBound - position, segments.count < 65_536
    {
      segments.append((marker, position..<(position + length)))
      position += length
    }
    return segments
  }

  /// Returns the length of a marker segment of a header with its marker, in bytes; nil for what is none.
  /// Markers from 0xFF30 to 0xFF3F have no parameters and no length.
  ///
  /// Source: ISO/IEC 15444-1 section A.1.3.
  static func length(
    ofSegment marker: Int,
    at offset: Int,
    of source: ByteSource
  ) -> Int? {
    if 0xFF30...0xFF3F ~= marker { return 2 }
    guard marker >= 0xFF40, let length = source.uint16(at: offset + 2), length >= 2 else {
      return nil
    }
    return 2 + length
  }

  /// The number of wavelet levels that each component has, as the main header states them; 0 without a statement.
  ///
  /// Source: ISO/IEC 15444-1 sections A.6.1 (COD) and A.6.2 (COC).
  package func levelCount(of source: ByteSource) -> Int {
    let counts = Self.segments(of: source, in: range).compactMap { marker, range -> Int? in
      switch marker {
      case 0xFF52: source.uint8(at: range.lowerBound + 9)
      case 0xFF53: source.uint8(at: range.lowerBound + (componentCount < 257 ? 6 : 7))
      default: nil
      }
    }
    return counts.min().map { min($0, 32) } ?? 0
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
