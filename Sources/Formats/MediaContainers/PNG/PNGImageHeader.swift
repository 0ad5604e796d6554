package import MediaModel

/// The size and the form of a PNG's pixels.
///
/// Source: PNG (3rd edition) sections 7.2, 8.1 and 11.2.1.
package struct PNGImageHeader {
  /// The meaning of a pixel's samples.
  package enum ColorType: Int {
    case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6

    /// The number of samples of a pixel.
    package var channelCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  /// The size of the picture in pixels.
  package let size: PixelSize
  /// The bits of a sample: 1, 2, 4, 8 or 16.
  package let bitDepth: Int
  /// The meaning of a pixel's samples.
  package let colorType: ColorType
  /// Whether the pixels are stored in seven passes.
  package let isInterlaced: Bool

  /// Parses the data of an IHDR chunk; nil for a bit depth, color type or method that does not
  /// exist.
  package init?(_ data: Range<Int>, in source: ByteSource) {
    let start = data.lowerBound
    guard data.count >= 13, let width = source.uint32(at: start),
      let height = source.uint32(at: start + 4), let bitDepth = source.uint8(at: start + 8),
      let colorType = source.uint8(at: start + 9).flatMap(ColorType.init),
      [1, 2, 4, 8, 16].contains(bitDepth), source.uint16(at: start + 10) == 0,
      let interlacing = source.uint8(at: start + 12), interlacing <= 1
    else { return nil }
    size = PixelSize(width: width, height: height)
    self.bitDepth = bitDepth
    self.colorType = colorType
    isInterlaced = interlacing == 1
  }

  /// Whether pixels of the color type may have this depth.
  package var hasAllowedDepth: Bool {
    switch colorType {
    case .gray: true
    case .palette: bitDepth <= 8
    case .rgb, .grayAlpha, .rgba: bitDepth >= 8
    }
  }

  /// The number of bytes from a sample to the same one of the next pixel, at least 1.
  package var pixelByteCount: Int { max(1, colorType.channelCount * bitDepth / 8) }

  /// Returns the number of bytes of a row without its filter byte.
  package func rowByteCount(width: Int) -> Int {
    (width * colorType.channelCount * bitDepth + 7) / 8
  }

  /// Returns the passes in which a picture or a frame of `size` is stored: one, or seven.
  package func passes(of size: PixelSize) -> [PNGPass] {
    let origins = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    return (isInterlaced ? origins : [(0, 0, 1, 1)]).map { left, top, stepX, stepY in
      let width = (size.width - left + stepX - 1) / stepX
      return PNGPass(
        left: left,
        top: top,
        stepX: stepX,
        stepY: stepY,
        width: width,
        height: (size.height - top + stepY - 1) / stepY,
        rowByteCount: rowByteCount(width: width)
      )
    }
  }
}

/// A pass of a picture: one of seven when it is interlaced, else the only one.
package struct PNGPass {
  /// The column of the first pixel.
  package let left: Int
  /// The row of the first pixel.
  package let top: Int
  /// The distance of two pixels of a row.
  package let stepX: Int
  /// The distance of two rows.
  package let stepY: Int
  /// The number of pixels of a row; no row is stored when it is 0.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The number of bytes of a row without its filter byte.
  package let rowByteCount: Int

  /// The number of bytes of the pass, filter bytes included.
  package var byteCount: Int { width > 0 ? (rowByteCount + 1) * height : 0 }
}
