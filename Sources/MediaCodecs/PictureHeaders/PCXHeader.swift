package import MediaContainers
package import MediaModel

/// The header of a PCX.
///
/// Source: ZSoft PCX File Format Technical Reference Manual.
package struct PCXHeader: PictureHeader {
  package let size: PixelSize
  /// Whether each pixel is one bit.
  package let isBilevel: Bool

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
    guard 8 * rowLength >= size.width * bits else { return nil }
  }

  /// A PCX does not say how long its runs are together.
  package func missingPart(of source: ByteSource) -> String? { nil }
}
