package import MediaContainers
package import MediaModel

/// The header of a PCX.
///
/// Source: ZSoft PCX File Format Technical Reference Manual.
package struct PCXHeader: PictureHeader {
  package let size: PixelSize
  /// Whether each pixel is one bit.
  package let isBilevel: Bool
  private let planeCount: Int
  private let rowLength: Int
  private let hasPalette: Bool

  package init?(of source: ByteSource) {
    guard source.byte(at: 0) == 10, let version = source.uint8(at: 1), version <= 5, version != 1,
      source.uint8(at: 2) == 1, let bits = source.uint8(at: 3), [1, 2, 4, 8].contains(bits),
      let left = source.uint16(at: 4, order: .little),
      let top = source.uint16(at: 6, order: .little),
      let right = source.uint16(at: 8, order: .little),
      let bottom = source.uint16(at: 10, order: .little), left <= right, top <= bottom,
      source.byte(at: 64) == 0, let planes = source.uint8(at: 65), (1...4).contains(planes),
      let rowLength = source.uint16(at: 66, order: .little), source.length > 128
    else { return nil }
    size = PixelSize(width: right - left + 1, height: bottom - top + 1)
    isBilevel = bits * planes == 1
    (planeCount, self.rowLength) = (planes, rowLength)
    hasPalette = version == 5 && bits == 8 && planes == 1
    guard 8 * rowLength >= size.width * bits else { return nil }
  }

  /// A PCX states no length: its runs are counted.
  package func missingPart(of source: ByteSource) -> String? {
    var left = size.height * planeCount * rowLength
    var position = 128
    while left > 0 {
      guard let byte = source.uint8(at: position) else { return "pixels" }
      let isRun = byte >= 0xC0
      left -= isRun ? byte & 0x3F : 1
      position += isRun ? 2 : 1
    }
    // The palette of 256 colors lies behind the pixels, with a byte in front.
    let end = position + (hasPalette ? 769 : 0)
    return end <= source.length ? nil : hasPalette ? "colors" : "pixels"
  }
}
