import CMagickWand
import Glibc
import MediaModel

/// A picture that ImageMagick holds, 8 bytes a pixel.
///
/// Source: MagickWand (ImageMagick 6), wand/magick-image.h.
final class Wand {
  private let handle: MagickHandle
  private let isGray: Bool

  /// Makes a picture of one color.
  ///
  /// - Throws: `overLimit` when ImageMagick's policy or the memory does not allow it, or ImageMagick cannot
  ///   be started.
  init(size: PixelSize, color: RGBColor) throws(ImagingError) {
    handle = try Self.start(size)
    isGray = false
    let paint = NewPixelWand()
    defer { DestroyPixelWand(paint) }
    PixelSetColor(paint, color.text)
    try check(MagickNewImage(handle.wand, size.width, size.height, paint))
  }

  /// Makes a picture of gray or RGB pixels.
  ///
  /// - Throws: As ``init(size:color:)``.
  init(_ picture: PixelPicture) throws(ImagingError) {
    handle = try Self.start(picture.size)
    isGray = picture.layout == .gray
    try check(
      MagickConstituteImage(
        handle.wand,
        picture.size.width,
        picture.size.height,
        picture.layout == .gray ? "I" : "RGB",
        CharPixel,
        picture.base
      )
    )
  }

  private static func start(_ size: PixelSize) throws(ImagingError) -> MagickHandle {
    guard MagickRuntime.allows(size) else {
      throw ImagingError(
        .overLimit,
        "pixels: \(size.width)x\(size.height), ImageMagick's policy allows fewer"
      )
    }
    return try MagickHandle()
  }

  /// Draws a picture over this one, its left upper corner at this place, in pixels.
  func draw(_ picture: Wand, left: Int, top: Int) throws(ImagingError) {
    try check(cmagick_draw_over(handle.wand, picture.handle.wand, left, top))
  }

  /// Draws one line of text.
  ///
  /// - Parameters:
  ///   - text: The text, which means itself: no part of it is a command or the name of a file.
  ///   - font: The font.
  ///   - left: The left end, in pixels.
  ///   - baseline: The line on which the letters stand, in pixels from the top.
  /// - Throws: `decoderMissing` without the font.
  func draw(
    _ text: String,
    in font: WandFont,
    left: Int,
    baseline: Int
  ) throws(ImagingError) {
    try check(MagickAnnotateImage(handle.wand, font.pointer, Double(left), Double(baseline), 0, text))
  }

  /// Returns the width of one line of text, in pixels.
  func width(of text: String, in font: WandFont) throws(ImagingError) -> Double {
    guard let metrics = MagickQueryFontMetrics(handle.wand, font.pointer, text) else {
      throw failure
    }
    defer { MagickRelinquishMemory(metrics) }
    // Source: MagickQueryFontMetrics, element 4: text width.
    return metrics[4]
  }

  /// Encodes the picture as a JPEG without metadata.
  ///
  /// - Parameters:
  ///   - quality: 1 to 100.
  ///   - keepsChroma: Whether chroma has the size of luma (4:4:4) instead of half of it (4:2:0).
  /// - Returns: A whole file.
  /// - Throws: `overLimit` if memory runs out, `internal` if the coder fails.
  func jpeg(quality: Int, keepsChroma: Bool) throws(ImagingError) -> [UInt8] {
    try check(MagickSetImageFormat(handle.wand, "JPEG"))
    try check(MagickSetImageCompressionQuality(handle.wand, min(max(quality, 1), 100)))
    let factor = keepsChroma ? 1.0 : 2.0
    try check(MagickSetSamplingFactors(handle.wand, 2, [factor, factor]))
    try check(MagickStripImage(handle.wand))
    // ImageMagick would write a page without colors as a gray JPEG.
    if !isGray { try check(MagickSetType(handle.wand, TrueColorType)) }
    var count = 0
    guard let bytes = MagickGetImageBlob(handle.wand, &count), count > 0 else { throw failure }
    defer { MagickRelinquishMemory(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func check(_ status: MagickBooleanType) throws(ImagingError) {
    guard status == MagickTrue else { throw failure }
  }

  /// The error of the last call.
  private var failure: ImagingError {
    handle.error ?? ImagingError(.internal, "MagickWand")
  }
}

/// A font in one size and color.
final class WandFont {
  fileprivate let pointer: OpaquePointer

  /// DejaVu Sans, which Debian's ImageMagick brings along: libfontconfig1 depends on it.
  static let path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  /// Makes a font; it is read when text is drawn.
  ///
  /// - Parameters:
  ///   - size: The height of a line without the space between lines, in pixels.
  ///   - color: The color of the letters.
  /// - Throws: `decoderMissing` without the font, `internal` when ImageMagick cannot be started.
  init(size: Int, color: RGBColor) throws(ImagingError) {
    guard access(Self.path, R_OK) == 0 else {
      throw ImagingError(.decoderMissing, "fonts-dejavu-core")
    }
    guard MagickRuntime.isStarted, let wand = NewDrawingWand() else {
      throw ImagingError(.internal, "NewDrawingWand")
    }
    pointer = wand
    let paint = NewPixelWand()
    defer { DestroyPixelWand(paint) }
    PixelSetColor(paint, color.text)
    DrawSetFillColor(wand, paint)
    DrawSetFont(wand, Self.path)
    DrawSetFontSize(wand, Double(size))
    DrawSetTextEncoding(wand, "UTF-8")
  }

  deinit { DestroyDrawingWand(pointer) }
}
