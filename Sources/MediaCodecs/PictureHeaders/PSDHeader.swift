package import MediaContainers
package import MediaModel

/// The header of a Photoshop document, with where its sections lie.
///
/// Source: Adobe Photoshop file format specification, "File header section" and the sections after it.
package struct PSDHeader: PictureHeader {
  package let size: PixelSize
  /// Whether this is the large document format (PSB).
  package let isLarge: Bool
  /// The image resources, clamped to the file.
  package let resources: Range<Int>
  private let channelCount: Int
  private let depth: Int

  package init?(of source: ByteSource) {
    guard source.holds("8BPS", at: 0), let version = source.uint16(at: 4),
      [1, 2].contains(version),
      source.isZero(in: 6..<12), let channels = source.uint16(at: 12), (1...56).contains(channels),
      let height = source.uint32(at: 14), let width = source.uint32(at: 18),
      let depth = source.uint16(at: 22), [1, 8, 16, 32].contains(depth),
      let mode = source.uint16(at: 24), mode <= 9, mode != 5, mode != 6
    else { return nil }
    size = PixelSize(width: width, height: height)
    isLarge = version == 2
    (channelCount, self.depth) = (channels, depth)
    let start = 30 + (source.uint32(at: 26) ?? 0) + 4
    let count = source.uint32(at: start - 4) ?? 0
    resources = (start..<(start + count)).clamped(to: 0..<source.length)
  }

  package func missingPart(of source: ByteSource) -> String? {
    guard let colors = source.uint32(at: 26), source.has(colors, at: 30),
      let count = source.uint32(at: 30 + colors), source.has(count, at: 34 + colors)
    else { return "image resources" }
    var start = 34 + colors + count
    let widthOfLength = isLarge ? 8 : 4
    guard let layers = source.number(at: start, count: widthOfLength),
      source.has(layers, at: start + widthOfLength)
    else { return "layers" }
    start += widthOfLength + layers
    let rows = size.height.multipliedReportingOverflow(by: channelCount)
    guard let compression = source.uint16(at: start), !rows.overflow else { return "pixels" }
    start += 2
    switch compression {
    case 0:
      let row = (size.width * depth + 7) / 8
      let length = row.multipliedReportingOverflow(by: rows.partialValue)
      return !length.overflow && source.has(length.partialValue, at: start) ? nil : "pixels"
    case 1:
      let widthOfCount = isLarge ? 4 : 2
      var length = 0
      for row in 0..<rows.partialValue {
        guard let count = source.number(at: start + row * widthOfCount, count: widthOfCount) else {
          return "pixels"
        }
        length += count
      }
      return source.has(length, at: start + rows.partialValue * widthOfCount)
        ? nil : "pixels"
    default: return nil
    }
  }
}
