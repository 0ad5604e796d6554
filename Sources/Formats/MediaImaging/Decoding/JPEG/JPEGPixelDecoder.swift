import CTurboJPEG
import MediaContainers
import MediaModel

/// Decodes JPEG that is not luma and chroma of a usual ratio: RGB, CMYK, YCCK, odd sampling
/// factors.
///
/// The picture is scaled in the DCT domain as well; CMYK is converted to sRGB after that.
///
/// Source: tjDecompress2 (libjpeg-turbo 2.1); Adobe technical note 5116 (inverted ink).
final class JPEGPixelDecoder {
  private let decompressor = TurboJPEGDecompressor()
  private let buffer = PlaneBuffer()
  private let reducer = PixelReducer()
  private let profiles: ProfileConverter

  init(profiles: ProfileConverter) { self.profiles = profiles }

  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
  }

  /// Decodes to at least `eighths` eighths of the stored size.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: The header of the file.
  ///   - isInk: Whether the file is CMYK or YCCK.
  ///   - profile: The profile, used for ink only; one of another color space is ignored.
  ///   - eighths: The scale in eighths, 1 to 8.
  ///   - acceptDamaged: Whether to return libjpeg's result for a damaged file.
  /// - Returns: Planes that are valid until the next call.
  /// - Throws: `damaged` on a warning of libjpeg that samples are missing.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    isInk: Bool,
    profile: ColorProfile?,
    eighths: Int,
    acceptDamaged: Bool
  ) throws(ImagingError) -> PlanarPicture {
    let width = JPEGDecoder.scaled(header.pixelSize.width, eighths)
    let height = JPEGDecoder.scaled(header.pixelSize.height, eighths)
    let actual = JPEGDecoder.decodedEighths(of: header.pixelSize, for: eighths)
    let layout: PixelLayout = isInk ? .invertedCMYK : .rgb
    let pixels = try buffer.reserve(width * height * layout.channelCount)
    try decompressor.decode(bytes, header: header, acceptDamaged: acceptDamaged) {
      handle,
      bytes,
      count,
      flags in
      tjDecompress2(
        handle,
        bytes,
        count,
        pixels,
        Int32(width),
        0,
        Int32(height),
        (isInk ? TJPF_CMYK : TJPF_RGB).rawValue,
        flags
      )
    }
    let ink =
      isInk ? profile.flatMap { profiles.transform(from: $0, layout: .invertedCMYK) } : nil
    let size = PixelSize(width: width, height: height)
    try reducer.begin(size: size, layout: layout, factor: 1, ink: ink)
    try reducer.add(pixels, stride: width * layout.channelCount, count: height)
    var planar = try reducer.finish()
    planar.width = Double(header.pixelSize.width * actual) / 8
    planar.height = Double(header.pixelSize.height * actual) / 8
    return planar
  }
}
