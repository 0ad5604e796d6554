package import MediaModel

private typealias Tag = TIFFTag

/// The division of a page's pixels into strips or tiles.
///
/// Source: TIFF 6.0 sections 3 and 15.
package struct TIFFLayout {
  /// The number of strips or tiles in all planes.
  package let count: Int
  private let piecesPerPlane: Int
  private let pieceWidth: Int
  private let rowLength: Int
  private let rowsPerPiece: Int
  private let rowsOfLastPiece: Int

  /// Computes the layout from the tags of a page.
  ///
  /// - Parameters:
  ///   - numbers: The values of ImageWidth to TileLength by tag, each within the tag's valid range.
  ///   - isTiled: Whether the page has tiles instead of strips.
  ///   - samples: The number of samples per pixel.
  /// - Throws: `damaged` when a size is missing or impossibly large.
  package init(
    _ numbers: [Int: [Int]],
    isTiled: Bool,
    samples: Int
  ) throws(MetadataError) {
    guard let width = numbers[Tag.imageWidth]?.first, let height = numbers[Tag.imageLength]?.first
    else {
      throw MetadataError(.damaged, "a page without a size")
    }
    let bits = numbers[Tag.bitsPerSample] ?? [1]
    let isPlanar = numbers[Tag.planarConfiguration]?.first == 2 && samples > 1
    let planes = isPlanar ? samples : 1
    let bitsOfPixel =
      bits.count == 1 || isPlanar
      ? bits[0] * (isPlanar ? 1 : samples) : bits.reduce(0, +)
    if isTiled {
      guard let tileWidth = numbers[Tag.tileWidth]?.first,
        let tileHeight = numbers[Tag.tileLength]?.first
      else {
        throw MetadataError(.damaged, "tiles of no size")
      }
      let across = (width + tileWidth - 1) / tileWidth
      let down = (height + tileHeight - 1) / tileHeight
      piecesPerPlane = across * down
      pieceWidth = tileWidth
      rowLength = (tileWidth * bitsOfPixel + 7) / 8
      rowsPerPiece = tileHeight
      rowsOfLastPiece = tileHeight
    } else {
      let rows = min(numbers[Tag.rowsPerStrip]?.first ?? height, height)
      piecesPerPlane = (height + rows - 1) / rows
      pieceWidth = width
      rowLength = (width * bitsOfPixel + 7) / 8
      rowsPerPiece = rows
      rowsOfLastPiece = height - (piecesPerPlane - 1) * rows
    }
    count = piecesPerPlane * planes
  }

  /// Returns the number of bytes of a strip or tile without compression.
  package func byteCount(ofPiece index: Int) -> Int { rowLength * size(ofPiece: index).height }

  /// Returns the size of a strip or tile in pixels; the last strip has the rows that are left.
  package func size(ofPiece index: Int) -> PixelSize {
    let isLast = index % piecesPerPlane == piecesPerPlane - 1
    return PixelSize(width: pieceWidth, height: isLast ? rowsOfLastPiece : rowsPerPiece)
  }
}
