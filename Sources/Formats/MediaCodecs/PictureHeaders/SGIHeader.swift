package import MediaContainers
package import MediaModel

/// The header of a Silicon Graphics image (SGI, RGB).
///
/// Source: The SGI Image File Format, version 1.00.
package struct SGIHeader: PictureHeader {
  package let size: PixelSize
  private let header: HeaderTable.Values

  private static let table = HeaderTable.big([
    .init("MAGIC", 0, 2, 474...474), .init("STORAGE", 2, 1, 0...1), .init("BPC", 3, 1, 1...2),
    .init("DIMENSION", 4, 2, 1...3), .init("XSIZE", 6, 2, 1...65_535), .init("YSIZE", 8, 2),
    .init("ZSIZE", 10, 2), .init("DUMMY", 20, 4, 0...0), .init("COLORMAP", 104, 4, 0...3),
  ])

  package init?(of source: ByteSource) {
    guard let header = Self.table.read(source) else { return nil }
    self.header = header
    let height = header["DIMENSION"] == 1 ? 1 : header["YSIZE"]
    size = PixelSize(width: header["XSIZE"], height: height)
  }

  package func missingPart(of source: ByteSource) -> String? {
    let rowCount = size.height * (header["DIMENSION"] == 3 ? header["ZSIZE"] : 1)
    guard header["STORAGE"] == 1 else {
      return source.has(size.width * rowCount * header["BPC"], at: 512) ? nil : "pixels"
    }
    guard source.has(8 * rowCount, at: 512) else { return "tables of rows" }
    let areThere = (0..<rowCount).allSatisfy { row in
      guard let start = source.uint32(at: 512 + 4 * row),
        let length = source.uint32(at: 512 + 4 * (rowCount + row))
      else { return false }
      return source.has(length, at: start)
    }
    return areThere ? nil : "a row"
  }
}
