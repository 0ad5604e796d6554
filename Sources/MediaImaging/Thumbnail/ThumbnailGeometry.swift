import MediaModel

/// Which part of an upright picture a thumbnail shows, and at which size.
struct ThumbnailGeometry: Hashable {
  /// Of the upright thumbnail, each side at least 1 pixel and never more than the picture's.
  let size: PixelSize
  /// Thumbnail pixels for each picture pixel, at most 1.
  let scale: Double
  /// The part that is shown, centred, in picture pixels.
  let cropWidth: Double
  let cropHeight: Double

  /// Sides are rounded to nearest, halves up, in whole numbers.
  init(picture: PixelSize, specification: ThumbnailSpec) {
    // JPEG holds no more than 65,535 pixels a side, so a larger box asks for nothing more.
    let box = PixelSize(
      width: min(max(specification.size.width, 1), 65_535),
      height: min(max(specification.size.height, 1), 65_535)
    )
    let width = min(max(picture.width, 1), 1 << 30)
    let height = min(max(picture.height, 1), 1 << 30)
    // box.width / width < box.height / height, without the division.
    let widthBinds = box.width * height < box.height * width
    switch specification.contentMode {
    case .aspectFit:
      if box.width >= width && box.height >= height {
        size = PixelSize(width: width, height: height)
        scale = 1
      } else if widthBinds {
        size = PixelSize(
          width: box.width,
          height: Self.rounded(height, times: box.width, over: width)
        )
        scale = Double(box.width) / Double(width)
      } else {
        size = PixelSize(
          width: Self.rounded(width, times: box.height, over: height),
          height: box.height
        )
        scale = Double(box.height) / Double(height)
      }
      cropWidth = Double(width)
      cropHeight = Double(height)
    case .aspectFill:
      if box.width >= width || box.height >= height {
        // Filling the box would enlarge: what stands over is cropped, nothing is resized.
        size = PixelSize(width: min(box.width, width), height: min(box.height, height))
        scale = 1
      } else {
        size = box
        scale =
          widthBinds
          ? Double(box.height) / Double(height) : Double(box.width) / Double(width)
      }
      cropWidth = min(Double(size.width) / scale, Double(width))
      cropHeight = min(Double(size.height) / scale, Double(height))
    }
  }

  private static func rounded(_ value: Int, times numerator: Int, over denominator: Int) -> Int {
    max(1, (2 * value * numerator + denominator) / (2 * denominator))
  }
}
