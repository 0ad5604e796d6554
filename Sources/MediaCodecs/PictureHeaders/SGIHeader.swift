package import MediaContainers
package import MediaModel

/// The header of a Silicon Graphics image (SGI, RGB).
///
/// Source: The SGI Image File Format, version 1.00.
package struct SGIHeader: PictureHeader {
  package let size: PixelSize
  private let isRunLength: Bool
  private let bytesPerSample: Int
  private let rowCount: Int

  private static let headerLength = 512

  package init?(of source: ByteSource) {
    guard source.uint16(at: 0) == 474, let storage = source.uint8(at: 2), storage <= 1,
      let bytes = source.uint8(at: 3), (1...2).contains(bytes),
      let dimensions = source.uint16(at: 4), (1...3).contains(dimensions),
      let width = source.uint16(at: 6), let height = source.uint16(at: 8),
      let channels = source.uint16(at: 10), width > 0, source.isZero(in: 20..<24),
      let map = source.uint32(at: 104), map <= 3
    else { return nil }
    size = PixelSize(width: width, height: dimensions == 1 ? 1 : height)
    isRunLength = storage == 1
    bytesPerSample = bytes
    rowCount = size.height * (dimensions == 3 ? channels : 1)
  }

  package func missingPart(of source: ByteSource) -> String? {
    guard isRunLength else {
      let length = size.width * rowCount * bytesPerSample
      return source.has(length, at: Self.headerLength) ? nil : "pixels"
    }
    guard source.has(8 * rowCount, at: Self.headerLength) else { return "tables of rows" }
    for row in 0..<rowCount {
      guard let start = source.uint32(at: Self.headerLength + 4 * row),
        let length = source.uint32(at: Self.headerLength + 4 * (rowCount + row)),
        source.has(length, at: start)
      else { return "a row" }
    }
    return nil
  }
}
