import CTurboJPEG

/// Encodes upright planes as a baseline JPEG, luma alone or 4:2:0.
///
/// Source: tjCompressFromYUVPlanes (libjpeg-turbo 2.1).
final class JPEGEncoder {
  private let handle: tjhandle?
  private let buffer = PlaneBuffer()

  init() { handle = tjInitCompress() }

  deinit {
    if let handle { tjDestroy(handle) }
  }

  /// Encodes planes.
  ///
  /// - Parameters:
  ///   - planes: Luma of the picture's size; chroma, if any, of half that size, rounded up.
  ///   - quality: 1 to 100.
  ///   - profile: The profile to embed, unchanged.
  /// - Returns: A whole JPEG file.
  /// - Throws: `internal` when the planes have other sizes, `overLimit` if memory runs out.
  func encode(
    _ planes: [PixelPlane],
    quality: Int,
    profile: ColorProfile?
  ) throws(ImagingError) -> [UInt8] {
    guard let luma = planes.first, planes.count == 1 || planes.count == 3 else {
      throw ImagingError(.internal, "\(planes.count) planes")
    }
    // turbojpeg reads as many luma samples as its chroma covers.
    luma.fillToEven()
    let subsampling = Int32((planes.count == 1 ? TJSAMP_GRAY : TJSAMP_420).rawValue)
    let (width, height) = (Int32(luma.width), Int32(luma.height))
    var size = tjBufSize(width, height, subsampling)
    guard size != UInt.max, size < 1 << 32 else { throw ImagingError(.internal, "tjBufSize") }
    let base = try buffer.reserve(Int(size))
    var output: UnsafeMutablePointer<UInt8>? = base
    var pointers: [UnsafePointer<UInt8>?] = planes.map { UnsafePointer($0.base) }
    var strides = planes.map { Int32($0.stride) }
    let status = tjCompressFromYUVPlanes(
      handle,
      &pointers,
      width,
      &strides,
      height,
      subsampling,
      &output,
      &size,
      Int32(min(max(quality, 1), 100)),
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
    )
    guard status == 0, size >= 20 else { throw TurboJPEGMessage(handle).ownError }
    let encoded = UnsafeBufferPointer(start: base, count: Int(size))
    guard let profile else { return Array(encoded) }
    // SOI and JFIF's APP0 take 20 bytes; the profile follows them.
    let segments = profile.segments
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count + segments.count)
    bytes += encoded[..<20]
    bytes += segments
    bytes += encoded[20...]
    return bytes
  }

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
  }
}
