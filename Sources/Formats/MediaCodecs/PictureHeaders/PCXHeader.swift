package import MediaContainers
package import MediaModel

/// The header of a PCX.
///
/// Source: ZSoft PCX File Format Technical Reference Manual.
package struct PCXHeader: PictureHeader {
  package let size: PixelSize
  /// Whether each pixel is one bit.
  package let isBilevel: Bool
  private let rowsLength: Int
  private let hasPalette: Bool

  private static let table = HeaderTable.little([
    .init("Manufacturer", 0, 1, 10...10), .init("Version", 1, 1, 0...0, 2...5),
    .init("Encoding", 2, 1, 1...1), .init("BitsPerPixel", 3, 1, 1...2, 4...4, 8...8),
    .init("Xmin", 4, 2), .init("Ymin", 6, 2), .init("Xmax", 8, 2), .init("Ymax", 10, 2),
    .init("Reserved", 64, 1, 0...0), .init("NPlanes", 65, 1, 1...4), .init("BytesPerLine", 66, 2),
    .init("first run", 128, 1),
  ])

  package init?(of source: ByteSource) {
    guard let header = Self.table.read(source), header["Xmin"] <= header["Xmax"],
      header["Ymin"] <= header["Ymax"]
    else { return nil }
    let (bits, planes) = (header["BitsPerPixel"], header["NPlanes"])
    size = PixelSize(
      width: header["Xmax"] - header["Xmin"] + 1,
      height: header["Ymax"] - header["Ymin"] + 1
    )
    isBilevel = bits * planes == 1
    rowsLength = size.height * planes * header["BytesPerLine"]
    hasPalette = header["Version"] == 5 && bits == 8 && planes == 1
    guard 8 * header["BytesPerLine"] >= size.width * bits else { return nil }
  }

  /// A PCX states no length: its runs are counted.
  package func missingPart(of source: ByteSource) -> String? {
    var (left, position) = (rowsLength, 128)
    while left > 0 {
      guard let byte = source.uint8(at: position) else { return "pixels" }
      left -= byte >= 0xC0 ? byte & 0x3F : 1
      position += byte >= 0xC0 ? 2 : 1
    }
    // The palette of 256 colors lies behind the pixels, with a byte in front.
    let end = position + (hasPalette ? 769 : 0)
    return end <= source.length ? nil : hasPalette ? "colors" : "pixels"
  }
}
