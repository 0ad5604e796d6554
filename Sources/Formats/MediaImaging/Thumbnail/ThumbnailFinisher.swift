import MediaModel

/// Encodes upright planes as a thumbnail file: converts color and handles transparency.
///
/// Planes that need neither conversion nor alpha are encoded directly.
final class ThumbnailFinisher {
  /// The profile size in bytes up to which embedding the profile is cheaper than converting pixels.
  static let smallProfileByteCount = 4096

  private let jpegEncoder = JPEGEncoder()
  private let webpEncoder = WebPEncoder()
  private let pngEncoder = PNGEncoder()
  private let converter = PixelConverter()
  private let profiles: ProfileConverter

  private let cleanedProfile: ([UInt8]) -> [UInt8]?

  init(profiles: ProfileConverter, cleanedProfile: @escaping ([UInt8]) -> [UInt8]?) {
    self.profiles = profiles
    self.cleanedProfile = cleanedProfile
  }

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) { jpegEncoder.trim(above: byteCount) }

  /// Returns whether chroma must be as large as luma.
  static func needsFullChroma(_ specification: ThumbnailSpec, hasAlpha: Bool) -> Bool {
    hasAlpha || specification.format == .png
  }

  /// Encodes a thumbnail.
  ///
  /// - Parameters:
  ///   - picture: The upright picture in the thumbnail's size; its chroma may have half the size
  ///     unless ``needsFullChroma(_:hasAlpha:)``.
  ///   - specification: The format, the color space and the background.
  ///   - profile: The profile of the planes; one of another color space is ignored.
  /// - Returns: The whole file.
  /// - Throws: `internal` if a library call fails, `overLimit` if memory runs out.
  func file(
    of picture: PlanarPicture,
    specification: ThumbnailSpec,
    profile: ColorProfile?
  ) throws(ImagingError) -> [UInt8] {
    let isGray = picture.planes.count == 1
    let plan = self.plan(for: profile, specification: specification, isGray: isGray)
    if picture.alpha == nil, plan.transform == nil {
      switch specification.format {
      case .jpeg:
        return try jpegEncoder.encode(picture.planes, quality: specification.quality, profile: plan.kept)
      case .webp:
        return try webpEncoder.encode(picture.planes, quality: specification.quality, profile: plan.kept)
      case .png: break
      }
    }
    var pixels = try converter.pixels(of: picture)
    if let alpha = picture.alpha {
      let isFlattened = specification.format == .jpeg
      if !isFlattened || plan.transform != nil { pixels.divide(by: alpha) }
      if let transform = plan.transform { convert(pixels, transform) }
      if isFlattened {
        if plan.transform != nil { pixels.multiply(by: alpha) }
        let background = specification.background
        if isGray, !background.isGray, plan.kept == nil { pixels = try pixels.colored() }
        pixels.flatten(alpha, on: samples(of: background, layout: pixels.layout, in: plan.kept))
      } else {
        pixels = try pixels.joined(with: alpha)
      }
    } else if let transform = plan.transform {
      convert(pixels, transform)
    }
    switch specification.format {
    case .jpeg:
      return try jpegEncoder.encode(
        try converter.planes(of: pixels),
        quality: specification.quality,
        profile: plan.kept
      )
    case .webp:
      return try webpEncoder.encode(
        try pixels.colored(),
        quality: specification.quality,
        profile: plan.kept
      )
    case .png: return try pngEncoder.encode(pixels, profile: plan.kept)
    }
  }

  /// Returns sRGB pixels over a background, without a profile.
  ///
  /// - Parameters:
  ///   - picture: The upright picture.
  ///   - background: The color behind transparent areas.
  ///   - profile: The profile of the planes; one of another color space is ignored.
  /// - Returns: Gray or RGB pixels.
  /// - Throws: `internal` if a library call fails, `overLimit` if memory runs out.
  func opaquePixels(
    of picture: PlanarPicture,
    on background: RGBColor,
    profile: ColorProfile?
  ) throws(ImagingError) -> PixelPicture {
    let isGray = picture.planes.count == 1
    let transform = profile.flatMap { profile in
      profile.space == (isGray ? .gray : .rgb) && !profiles.isStandard(profile, isGray: isGray)
        ? profiles.transform(from: profile, layout: isGray ? .gray : .rgb) : nil
    }
    var pixels = try converter.pixels(of: picture)
    guard let alpha = picture.alpha else {
      if let transform { convert(pixels, transform) }
      return pixels
    }
    if let transform {
      pixels.divide(by: alpha)
      convert(pixels, transform)
      pixels.multiply(by: alpha)
    }
    if isGray, !background.isGray { pixels = try pixels.colored() }
    pixels.flatten(alpha, on: samples(of: background, layout: pixels.layout, in: nil))
    return pixels
  }

  private func convert(_ pixels: PixelPicture, _ transform: ColorTransform) {
    transform.apply(pixels.base, to: pixels.base, pixelCount: pixels.pixelCount)
  }

  private func plan(
    for profile: ColorProfile?,
    specification: ThumbnailSpec,
    isGray: Bool
  ) -> (kept: ColorProfile?, transform: ColorTransform?) {
    guard let profile, profile.space == (isGray ? .gray : .rgb) else { return (nil, nil) }
    // WebP has no gray, and a gray profile does not describe its three samples.
    let isKeepable = !(isGray && specification.format == .webp)
    switch specification.colorSpace {
    case .keep where isKeepable:
      if let kept = cleaned(profile) { return (kept, nil) }
    case nil where isKeepable && profile.bytes.count <= Self.smallProfileByteCount:
      if profiles.isStandard(profile, isGray: isGray) { return (nil, nil) }
      if let kept = cleaned(profile) { return (kept, nil) }
    default: break
    }
    if profiles.isStandard(profile, isGray: isGray) { return (nil, nil) }
    return (nil, profiles.transform(from: profile, layout: isGray ? .gray : .rgb))
  }

  /// Returns the profile with its colors but without the metadata of its maker.
  private func cleaned(_ profile: ColorProfile) -> ColorProfile? {
    cleanedProfile(profile.bytes).flatMap { ColorProfile($0) }
  }

  private func samples(
    of color: RGBColor,
    layout: PixelLayout,
    in profile: ColorProfile?
  ) -> [UInt8] {
    let plain = [color.red, color.green, color.blue]
    if let profile, color != .white,
      let samples = ColorTransform.samples(of: (color.red, color.green, color.blue), in: profile)
    {
      return samples
    }
    guard layout == .gray else { return plain }
    // The luma of JFIF.
    let luma = 299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue)
    return [UInt8((luma + 500) / 1000)]
  }
}

extension RGBColor {
  fileprivate var isGray: Bool { red == green && green == blue }
}
