import CTurboJPEG
import MediaContainers
import MediaModel

/// Decodes every JPEG that libjpeg-turbo does: planes where it can, pixels where it must; and with
/// FFmpeg the processes that it lacks.
final class JPEGPictureDecoder: PictureDecoder {
  private let planeDecoder = JPEGDecoder()
  private lazy var pixelDecoder = JPEGPixelDecoder(profiles: profiles)
  private lazy var rareDecoder = JPEGRareDecoder()
  private let profiles: ProfileConverter
  /// A file without its stray bytes.
  private let clean = PlaneBuffer()

  init(profiles: ProfileConverter) { self.profiles = profiles }

  func trim(above byteCount: Int) {
    if clean.capacity > byteCount { clean.release() }
    planeDecoder.trim(above: byteCount)
    pixelDecoder.trim(above: byteCount)
    rareDecoder.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let header = try JPEGHeader(request.bytes)
    try request.limits.check(header, in: request.bytes)
    guard header.hasStrayBytes else { return try decode(request, header: header) }
    // libjpeg tells only its first warning, and this harmless one would hide a real one.
    var cleaned = request
    cleaned.bytes = try header.withoutStrayBytes(request.bytes, clean)
    return try decode(cleaned, header: try JPEGHeader(cleaned.bytes))
  }

  private func decode(
    _ request: DecodeRequest,
    header: JPEGHeader
  ) throws(ImagingError) -> DecodedPicture? {
    let source = ByteSource(request.bytes)
    let profile = (try? header.profile.bytes(in: source, limit: .max)).flatMap(ColorProfile.init)
    guard header.frame.isDecodable else {
      return try rareDecoder.decode(request, header: header, profile: profile)
    }
    let size = header.pixelSize
    let scale = request.demand.scale(for: size)
    let smallest = max(1, min(8, Int((8 * scale).rounded(.up))))
    // libjpeg-turbo has vector code for 8 and none for 7: all of a picture is decoded in 0.77 of the
    // time that seven eighths of it take.
    let eighths = smallest == 7 ? 8 : smallest
    let planar: PlanarPicture
    var kept = profile
    switch try planeDecoder.kind(of: request.bytes) {
    case .planes(let subsampling):
      planar = try planeDecoder.decode(
        request.bytes,
        header: header,
        subsampling: subsampling,
        eighths: eighths,
        acceptDamaged: request.acceptDamaged
      )
    case .pixels(let isInk):
      planar = try pixelDecoder.decode(
        request.bytes,
        header: header,
        isInk: isInk,
        profile: profile,
        eighths: eighths,
        acceptDamaged: request.acceptDamaged
      )
      if isInk { kept = nil }
    }
    return DecodedPicture(planar: planar, size: size, profile: kept)
  }
}

extension ImagingLimits {
  fileprivate func check(
    _ header: JPEGHeader,
    in bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) {
    guard header.frame.isDecodable || JPEGRareDecoder.supports(header.frame) else {
      throw ImagingError(.unsupported, "JPEG process, \(header.frame.precision) bits a sample")
    }
    try check(width: header.pixelSize.width, height: header.pixelSize.height)
    try check(profileByteCount: header.profile.declared)
    guard header.frame.isProgressive else { return }
    let blocks = header.blockCount
    // A coefficient is two bytes, a block has 64.
    guard blocks * 128 <= maximumCoefficientBytes else {
      throw ImagingError(.overLimit, "\(blocks) blocks of coefficients")
    }
    let scans = header.scanCount(in: bytes)
    guard scans * blocks <= maximumBlockPasses else {
      throw ImagingError(.overLimit, "\(scans) scans of \(blocks) blocks")
    }
  }
}
