import CTurboJPEG
import MediaModel

/// Decodes every JPEG that libjpeg-turbo does: planes where it can, pixels where it must.
final class JPEGPictureDecoder: PictureDecoder {
  private let planeDecoder = JPEGDecoder()
  private lazy var pixelDecoder = JPEGPixelDecoder(profiles: profiles)
  private let profiles: ProfileConverter
  /// A file without its stray bytes.
  private let clean = PlaneBuffer()

  init(profiles: ProfileConverter) { self.profiles = profiles }

  func trim(above byteCount: Int) {
    if clean.capacity > byteCount { clean.release() }
    planeDecoder.trim(above: byteCount)
    pixelDecoder.trim(above: byteCount)
  }

  func decode(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    demand: ThumbnailDemand,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) -> DecodedPicture? {
    let header = try JPEGHeader(bytes)
    try limits.check(header, in: bytes)
    if header.strayByteCount > 0 {
      // libjpeg tells only its first warning, and this harmless one would hide a real one.
      let bytes = try header.withoutStrayBytes(bytes, clean)
      return try decode(bytes, header: try JPEGHeader(bytes), demand, acceptDamaged)
    }
    return try decode(bytes, header: header, demand, acceptDamaged)
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    _ demand: ThumbnailDemand,
    _ acceptDamaged: Bool
  ) throws(ImagingError) -> DecodedPicture? {
    let profile = header.profile.flatMap(ColorProfile.init)
    let size = PixelSize(width: header.width, height: header.height)
    let scale = demand.scale(for: size)
    let smallest = max(1, min(8, Int((8 * scale).rounded(.up))))
    // libjpeg-turbo has vector code for 8 and none for 7: all of a picture is decoded in 0.77 of the
    // time that seven eighths of it take.
    let eighths = smallest == 7 ? 8 : smallest
    let planar: PlanarPicture
    var kept = profile
    switch try planeDecoder.kind(of: bytes) {
    case .planes(let subsampling):
      planar = try planeDecoder.decode(
        bytes,
        header: header,
        subsampling: subsampling,
        eighths: eighths,
        acceptDamaged: acceptDamaged
      )
    case .pixels(let isInk):
      planar = try pixelDecoder.decode(
        bytes,
        header: header,
        isInk: isInk,
        profile: profile,
        eighths: eighths,
        acceptDamaged: acceptDamaged
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
    guard header.isDecodable, header.precision == 8 else {
      throw ImagingError(.unsupported, "JPEG process, \(header.precision) bits a sample")
    }
    try check(width: header.width, height: header.height)
    try check(profileByteCount: header.profile?.count ?? 0)
    guard header.isProgressive else { return }
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
