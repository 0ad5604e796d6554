import CTurboJPEG
import MediaContainers
import MediaModel

/// Decodes JPEG scaled in the DCT domain, directly to the planes that the file holds.
///
/// It is fast because chroma is not upsampled and color is not converted; thumbnails are encoded
/// from such planes again. ``ReducedReader`` reads an eighth and a quarter of the size if it can;
/// it leaves every file that is not plain and valid to libjpeg-turbo.
///
/// Source: tjDecompressToYUVPlanes (libjpeg-turbo 2.1).
final class JPEGDecoder {
  private let decompressor = TurboJPEGDecompressor()
  private let buffer = PlaneBuffer()

  /// The reader for the scales that nearly all thumbnails need; nil leaves all files to
  /// libjpeg-turbo.
  private let reducedReader: ReducedReader?

  /// The file size in bytes above which building the reader's tables is worthwhile.
  private let minimumByteCount: Int

  init(reducedReader: ReducedReader? = ReducedReader(), minimumByteCount: Int = 100_000) {
    self.reducedReader = reducedReader
    self.minimumByteCount = minimumByteCount
  }

  /// The way in which a JPEG can be decoded.
  enum Kind {
    /// Luma, or luma and chroma with subsampling that turbojpeg supports.
    case planes(subsampling: Int32)
    /// RGB, or sampling factors that turbojpeg has no name for; ink is CMYK or YCCK.
    case pixels(isInk: Bool)
  }

  func kind(of bytes: UnsafeRawBufferPointer) throws(ImagingError) -> Kind {
    var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
    let message = decompressor.run { handle in
      tjDecompressHeader3(
        handle,
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        UInt(bytes.count),
        &width,
        &height,
        &subsampling,
        &colorspace
      )
    }
    if let message, !message.isWarning {
      guard message.text.holds("subsampling type") else { throw message.error }
      subsampling = -1
    }
    if colorspace == TJCS_CMYK.rawValue || colorspace == TJCS_YCCK.rawValue {
      return .pixels(isInk: true)
    }
    let isPlanar = colorspace == TJCS_YCbCr.rawValue || colorspace == TJCS_GRAY.rawValue
    return isPlanar && subsampling >= 0
      ? .planes(subsampling: subsampling) : .pixels(isInk: false)
  }

  /// Decodes to at least `eighths` eighths of the stored size.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: The header of the file.
  ///   - subsampling: The subsampling that ``kind(of:)`` returned.
  ///   - eighths: The scale in eighths, 1 to 8.
  ///   - acceptDamaged: Whether to return libjpeg's result for a damaged file.
  /// - Returns: Planes that are valid until the next call.
  /// - Throws: `damaged` on a warning of libjpeg that samples are missing.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    subsampling: Int32,
    eighths: Int,
    acceptDamaged: Bool = false
  ) throws(ImagingError) -> PlanarPicture {
    let size = header.pixelSize
    let width = Self.scaled(size.width, eighths)
    let height = Self.scaled(size.height, eighths)
    let actual = Self.decodedEighths(of: size, for: eighths)
    let sizes = try Self.planeSizes(width, height, subsampling)
    let chroma = Self.chromaFactors(subsampling)
    func picture(_ planes: [PixelPlane]) -> PlanarPicture {
      // turbojpeg pads luma to whole chroma samples, and leaves the padding uninitialized.
      var planes = planes
      planes[0] = planes[0].cropped(width: width, height: height)
      return PlanarPicture(
        planes: planes,
        width: Double(size.width * actual) / 8,
        height: Double(size.height * actual) / 8,
        chromaWidth: chroma.width,
        chromaHeight: chroma.height
      )
    }
    if actual == eighths, eighths <= 2, bytes.count >= minimumByteCount,
      let planes = try reducedReader?.planes(of: bytes, header: header, eighths: eighths, sizes: sizes)
    {
      return picture(planes)
    }
    let planes = try buffer.planes(sizes)
    var pointers: [UnsafeMutablePointer<UInt8>?] = planes.map(\.base)
    var strides = planes.map { Int32($0.stride) }
    try decompressor.decode(bytes, header: header, acceptDamaged: acceptDamaged) {
      handle,
      bytes,
      count,
      flags in
      tjDecompressToYUVPlanes(handle, bytes, count, &pointers, Int32(width), &strides, Int32(height), flags)
    }
    return picture(planes)
  }

  /// Returns the sizes of the planes of a picture, luma first.
  private static func planeSizes(
    _ width: Int,
    _ height: Int,
    _ subsampling: Int32
  ) throws(ImagingError) -> [(width: Int, height: Int)] {
    let isGray = subsampling == TJSAMP_GRAY.rawValue
    let sizes = (0..<(isGray ? 1 : 3)).map { plane in
      (
        width: Int(tjPlaneWidth(Int32(plane), Int32(width), subsampling)),
        height: Int(tjPlaneHeight(Int32(plane), Int32(height), subsampling))
      )
    }
    guard sizes.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
      throw ImagingError(.internal, "tjPlaneWidth")
    }
    return sizes
  }

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
    reducedReader?.trim(above: byteCount)
  }

  /// Returns a side scaled to the given eighths, rounded up to whole samples.
  static func scaled(_ side: Int, _ eighths: Int) -> Int { (side * eighths + 7) / 8 }

  /// Returns the scale that turbojpeg takes for a size scaled to `eighths`: the largest that fits;
  /// with few pixels, several do.
  static func decodedEighths(of size: PixelSize, for eighths: Int) -> Int {
    let (width, height) = (scaled(size.width, eighths), scaled(size.height, eighths))
    let fitting = (eighths...16).last {
      scaled(size.width, $0) <= width && scaled(size.height, $0) <= height
    }
    return fitting ?? eighths
  }

  private static func chromaFactors(_ subsampling: Int32) -> (width: Double, height: Double) {
    switch subsampling {
    case Int32(TJSAMP_422.rawValue): (2, 1)
    case Int32(TJSAMP_420.rawValue): (2, 2)
    case Int32(TJSAMP_440.rawValue): (1, 2)
    case Int32(TJSAMP_411.rawValue): (4, 1)
    default: (1, 1)
    }
  }
}
