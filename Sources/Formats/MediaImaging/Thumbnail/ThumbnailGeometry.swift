import MediaModel

/// The part of an upright picture that a thumbnail shows, and the thumbnail's size.
struct ThumbnailGeometry: Hashable {
  /// The size of the upright thumbnail, each side at least 1 pixel and never more than the
  /// picture's.
  let size: PixelSize
  /// The number of thumbnail pixels per picture pixel, at most 1.
  let scale: Double
  /// The size of the centered part that is shown, in picture pixels.
  let cropWidth: Double
  let cropHeight: Double

  /// Computes the geometry in integers; sides are rounded to nearest, halves up.
  init(picture: PixelSize, specification: ThumbnailSpec) {
    let largest = specification.format.largestSide
    let box = PixelSize(
      width: min(max(specification.size.width, 1), largest),
      height: min(max(specification.size.height, 1), largest)
    )
    let width = min(max(picture.width, 1), 1 << 30)
    let height = min(max(picture.height, 1), 1 << 30)
    // This is box.width / width < box.height / height, without the division.
    let widthBinds = box.width * height < box.height * width
    switch specification.contentMode {
    case .aspectFit:
      if box.width >= width && box.height >= height {
        size = PixelSize(width: width, height: height)
        scale = 1
      } else if widthBinds {
        size = PixelSize(width: box.width, height: Self.rounded(height, times: box.width, over: width))
        scale = Double(box.width) / Double(width)
      } else {
        size = PixelSize(width: Self.rounded(width, times: box.height, over: height), height: box.height)
        scale = Double(box.height) / Double(height)
      }
      cropWidth = Double(width)
      cropHeight = Double(height)
    case .aspectFill:
      if box.width >= width || box.height >= height {
        // Filling the box would enlarge the picture: crop the excess and do not resize.
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
