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
  private let header: HeaderTable.Values

  private static let table = HeaderTable.big([
    .init("Signature", 0, 4, 0x3842_5053...0x3842_5053), .init("Version", 4, 2, 1...2),
    .init("Reserved", 6, 6, 0...0), .init("Channels", 12, 2, 1...99), .init("Height", 14, 4),
    .init("Width", 18, 4), .init("Depth", 22, 2, 1...1, 8...8, 16...16, 32...32),
    .init("Color mode", 24, 2, 0...4, 7...9),
  ])

  package init?(of source: ByteSource) {
    guard let header = Self.table.read(source) else { return nil }
    self.header = header
    size = header.size("Width", "Height")
    isLarge = header["Version"] == 2
    let start = 30 + (source.uint32(at: 26) ?? 0) + 4
    let count = source.uint32(at: start - 4) ?? 0
    resources = (start..<(start + count)).clamped(to: 0..<source.length)
  }

  package func missingPart(of source: ByteSource) -> String? {
    var position = 26
    // Color mode data, image resources, layers and masks: each begins with its length.
    for (name, width) in [
      ("image resources", 4), ("image resources", 4), ("layers", isLarge ? 8 : 4),
    ] {
      guard let count = source.number(at: position, count: width),
        source.has(count, at: position + width)
      else { return name }
      position += width + count
    }
    guard let compression = source.uint16(at: position) else { return "pixels" }
    position += 2
    let rows = size.height * header["Channels"]
    var length = 0
    switch compression {
    case 0:
      let row = (size.width * header["Depth"] + 7) / 8
      let product = row.multipliedReportingOverflow(by: rows)
      length = product.overflow ? .max : product.partialValue
    case 1:
      // The counts of bytes of all rows come first.
      let width = isLarge ? 4 : 2
      for _ in 0..<rows {
        guard let count = source.number(at: position, count: width) else { return "pixels" }
        length += count
        position += width
      }
    default: return nil
    }
    return source.has(length, at: position) ? nil : "pixels"
  }
}
