import CMagickWand
import MediaModel

/// Where a first frame stands in the picture that a person sees.
struct Canvas {
  var size: PixelSize
  var frame: PixelSize
  var left = 0
  var top = 0

  /// GIF and WebP place frames on a canvas; elsewhere offsets say nothing about the picture.
  init(_ image: UnsafeMutablePointer<Image>, format: MediaFormat) {
    frame = PixelSize(
      width: Int(clamping: image.pointee.columns),
      height: Int(clamping: image.pointee.rows)
    )
    size = frame
    let page = image.pointee.page
    guard format == .gif || format == .webp, page.x >= 0, page.y >= 0, page.x < 1 << 20,
      page.y < 1 << 20, Int(clamping: page.width) >= page.x + frame.width,
      Int(clamping: page.height) >= page.y + frame.height
    else { return }
    size = PixelSize(width: Int(clamping: page.width), height: Int(clamping: page.height))
    left = page.x
    top = page.y
  }
}
