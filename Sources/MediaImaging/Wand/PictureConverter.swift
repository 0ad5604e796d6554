package import MediaModel

/// Converts pictures to JPEG, one after the other, and reuses memory and tables.
///
/// The picture keeps its size; it is upright, sRGB and opaque, and has no metadata. An instance is not
/// safe to share between threads: each worker has its own.
package final class PictureConverter {
  /// The most pixels of a picture: it has up to 4 bytes a pixel decoded, 3 upright, and 3 in the encoder,
  /// and a worker that converts has 1 GiB.
  private static let maximumPixels = 80_000_000

  private let source: OpaquePictures
  private let encoder = JPEGEncoder()
  private let converter = PixelConverter()

  /// Creates a converter, which takes no time.
  package init() {
    var limits = ImagingLimits()
    limits.item.pixels = min(limits.item.pixels, Self.maximumPixels)
    source = OpaquePictures(limits: limits)
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
  ///   - quality: 1 to 100.
  ///   - background: The color behind transparent areas.
  /// - Returns: The JPEG, named `jpeg`.
  /// - Throws: ``ImagingError``: `overLimit` for a picture that does not fit in the worker's memory.
  package func jpeg(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    quality: Int,
    background: RGBColor = .white
  ) throws(ImagingError) -> Thumbnail {
    let pixels = try source.picture(
      of: bytes,
      format: format,
      orientation: orientation,
      box: .maximum,
      background: background
    )
    guard MagickRuntime.isStarted, !MagickRuntime.allows(pixels.size) else {
      let wand = try Wand(pixels)
      // The conversion takes the place of the picture: edges of color stay sharp.
      let file = try wand.jpeg(quality: quality, keepsChroma: quality >= 90)
      return Thumbnail(name: "jpeg", pixelSize: pixels.size, bytes: file)
    }
    // Debian's policy gives ImageMagick 256 MiB, which are 33 million pixels; a phone makes 48 million.
    defer { encoder.trim(above: 0) }
    let planes = try converter.planes(of: pixels)
    let file = try encoder.encode(planes, quality: quality, profile: nil)
    return Thumbnail(name: "jpeg", pixelSize: pixels.size, bytes: file)
  }
}

/// Decodes pictures to upright, opaque sRGB pixels.
final class OpaquePictures {
  /// The number of bytes that each buffer of a decoder keeps for the next picture.
  private static let keptByteCount = 1 << 20

  private let limits: ImagingLimits
  private let decoders: PictureDecoders
  private let renderer: ThumbnailRenderer

  init(limits: ImagingLimits) {
    self.limits = limits
    let profiles = ProfileConverter()
    decoders = PictureDecoders(profiles: profiles)
    renderer = ThumbnailRenderer(
      scaler: PlaneScaler(),
      finisher: ThumbnailFinisher(profiles: profiles)
    )
  }

  /// Decodes the first picture of a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content.
  ///   - orientation: The Exif orientation, 1 to 8; not used for formats whose decoder applies it.
  ///   - box: The box in pixels into which a larger picture is reduced, as a whole.
  ///   - background: The color behind transparent areas.
  /// - Returns: Gray or RGB pixels without a profile.
  /// - Throws: ``ImagingError``.
  func picture(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    box: PixelSize,
    background: RGBColor
  ) throws(ImagingError) -> PixelPicture {
    guard bytes.count > 0 else { throw ImagingError(.damaged, "an empty file") }
    try limits.check(byteCount: bytes.count)
    let decoder = decoders[format]
    defer { decoder.trim(above: Self.keptByteCount) }
    var demand = ThumbnailDemand(
      specifications: [
        ThumbnailSpec(
          name: "pixels",
          size: box,
          contentMode: .aspectFit,
          colorSpace: .sRGB,
          background: background
        )
      ],
      orientation: Orientation(PictureDecoders.turns(format) ? 1 : orientation)
    )
    demand.keepsChroma = true
    var pictures: [PixelPicture] = []
    let request = DecodeRequest(
      bytes: bytes,
      format: format,
      demand: demand,
      limits: limits,
      acceptDamaged: false
    )
    try decoder.decode(request) { (picture, demand) throws(ImagingError) in
      pictures += try renderer.opaquePictures(of: picture, demand: demand)
    }
    guard let picture = pictures.first else { throw ImagingError(.damaged, "no picture") }
    return picture
  }
}
