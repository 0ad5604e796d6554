import CLCMS2

/// Converts pixels from a profile's color space to sRGB: gray stays gray, all others become RGB.
///
/// Source: cmsCreateTransform (Little CMS 2).
final class ColorTransform {
  private let handle: cmsHTRANSFORM

  /// Creates a transform for 8-bit samples; nil if the profile is invalid or of another color space
  /// than `layout`. Layouts with alpha are not supported.
  init?(from profile: ColorProfile, layout: PixelLayout) {
    let formats: (source: UInt32, target: UInt32)
    switch (layout, profile.space) {
    case (.gray, .gray): formats = (clcms2_gray_8, clcms2_gray_8)
    case (.rgb, .rgb): formats = (clcms2_rgb_8, clcms2_rgb_8)
    case (.cmyk, .cmyk): formats = (clcms2_cmyk_8, clcms2_rgb_8)
    case (.invertedCMYK, .cmyk): formats = (clcms2_cmyk_8_reversed, clcms2_rgb_8)
    default: return nil
    }
    let handle = profile.withHandle { source in
      ColorProfile.withStandardHandle(isGray: layout == .gray) { target in
        // A matrix profile has one rendering intent; table profiles for print have a perceptual
        // one.
        cmsCreateTransform(
          source,
          formats.source,
          target,
          formats.target,
          UInt32(INTENT_PERCEPTUAL),
          UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION)
        )
      }
    }
    guard let handle else { return nil }
    self.handle = handle
  }

  /// Creates a transform from samples of any depth to 8-bit samples; alpha, if any, is copied.
  ///
  /// Linear-light samples have too few dark levels to be reduced to 8 bits before the conversion.
  init?(from profile: ColorProfile, layout: PixelLayout, depth: SampleDepth) {
    let isGray = layout == .gray || layout == .grayAlpha
    guard !layout.isInk, profile.space == (isGray ? .gray : .rgb) else { return nil }
    let channels: UInt32 = isGray ? 1 : 3
    let alpha: Int32 = layout.hasAlpha ? 1 : 0
    let handle = profile.withHandle { source in
      ColorProfile.withStandardHandle(isGray: isGray) { target in
        cmsCreateTransform(
          source,
          clcms2_format(channels, alpha, Int32(depth.byteCount), depth == .sixteenBigEndian ? 1 : 0),
          target,
          clcms2_format(channels, alpha, 1, 0),
          UInt32(INTENT_PERCEPTUAL),
          UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION) | UInt32(cmsFLAGS_COPY_ALPHA)
        )
      }
    }
    guard let handle else { return nil }
    self.handle = handle
  }

  /// Returns an sRGB color converted to a profile's color space: three samples, or one of gray.
  static func samples(of color: (UInt8, UInt8, UInt8), in profile: ColorProfile) -> [UInt8]? {
    guard profile.space == .rgb || profile.space == .gray else { return nil }
    let isGray = profile.space == .gray
    let handle = profile.withHandle { target in
      ColorProfile.withStandardHandle(isGray: false) { source in
        cmsCreateTransform(
          source,
          clcms2_rgb_8,
          target,
          isGray ? clcms2_gray_8 : clcms2_rgb_8,
          UInt32(INTENT_PERCEPTUAL),
          UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION)
        )
      }
    }
    guard let handle else { return nil }
    defer { cmsDeleteTransform(handle) }
    var output = [UInt8](repeating: 0, count: isGray ? 1 : 3)
    cmsDoTransform(handle, [color.0, color.1, color.2], &output, 1)
    return output
  }

  deinit { cmsDeleteTransform(handle) }

  func apply(
    _ pixels: UnsafeRawPointer,
    to target: UnsafeMutablePointer<UInt8>,
    pixelCount: Int
  ) {
    cmsDoTransform(handle, pixels, target, UInt32(clamping: pixelCount))
  }
}

extension ColorProfile {
  /// Calls `body` with an open handle of the profile.
  ///
  /// - Returns: The value that `body` returns, or nil when the bytes do not parse.
  fileprivate func withHandle<Result>(_ body: (cmsHPROFILE) -> Result?) -> Result? {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(clamping: bytes.count)) else {
      return nil
    }
    defer { cmsCloseProfile(handle) }
    return body(handle)
  }

  /// Calls `body` with an open handle of sRGB, or of gray with sRGB's curve.
  fileprivate static func withStandardHandle<Result>(
    isGray: Bool,
    _ body: (cmsHPROFILE) -> Result?
  ) -> Result? {
    guard let handle = isGray ? makeGray() : cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(handle) }
    return body(handle)
  }

  private static func makeGray() -> cmsHPROFILE? {
    // The curve of IEC 61966-2-1, with its parameters in the order of ICC.1 table 68.
    guard
      let curve = cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    else { return nil }
    defer { cmsFreeToneCurve(curve) }
    return cmsCreateGrayProfile(cmsD50_xyY(), curve)
  }
}
