package import MediaModel

/// Converts pictures to JPEG, one after the other, and reuses memory and tables.
///
/// The picture keeps its size; it is upright, sRGB and opaque, and has no metadata. An instance is not
/// safe to share between threads: each worker has its own.
package final class PictureConverter {
  /// The most pixels of a picture: it has up to 4 bytes a pixel decoded, 3 upright, and 3 in the encoder,
  /// and a worker that converts has 1 GiB.
  private static let maximumPixels = 80_000_000

  private let decoder: ImageThumbnailer
  private let encoder = JPEGEncoder()
  private let converter = PixelConverter()

  /// Creates a converter, which takes no time.
  package init() {
    var limits = ImagingLimits()
    limits.item.pixels = min(limits.item.pixels, Self.maximumPixels)
    decoder = ImageThumbnailer(limits: limits)
  }

  /// Converts the first picture of a file.
  ///
  /// ImageMagick encodes what its policy allows it to hold, with whole chroma from quality 90 on;
  /// libjpeg-turbo encodes the rest, with chroma of half the size.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content.
  ///   - orientation: The Exif orientation, 1 to 8; not used for formats whose decoder applies it.
  ///   - rotation: The degrees by which the upright picture is turned, clockwise: 0, 90, 180 or 270.
  ///   - quality: 1 to 100.
  ///   - background: The color behind transparent areas.
  /// - Returns: The JPEG, named `jpeg`.
  /// - Throws: ``ImagingError``: `overLimit` for a picture that does not fit in the worker's memory.
  package func jpeg(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    rotation: Int = 0,
    quality: Int,
    background: RGBColor = .white
  ) throws(ImagingError) -> Thumbnail {
    let pixels = try decoder.opaquePicture(
      of: bytes,
      format: format,
      orientation: orientation,
      rotation: rotation,
      box: .maximum,
      background: background
    )
    let file: [UInt8]
    if MagickRuntime.allows(pixels.size) {
      // The conversion takes the place of the picture: edges of color stay sharp.
      file = try Wand(pixels).jpeg(quality: quality, keepsChroma: quality >= 90)
    } else {
      // Debian's policy gives ImageMagick 256 MiB, which are 33 million pixels; a phone makes 48 million.
      defer { encoder.trim(above: 0) }
      file = try encoder.encode(try converter.planes(of: pixels), quality: quality, profile: nil)
    }
    return Thumbnail(name: "jpeg", pixelSize: pixels.size, bytes: file)
  }
}
