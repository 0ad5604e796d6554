/// What a decoder may take for one picture; checked before memory is taken.
package struct ImagingLimits: Sendable, Hashable {
  /// Width times height, as stored; 256 million by default.
  package var maximumPixelCount: Int
  /// The longer side in pixels; 65,500 by default, which is libjpeg's own.
  package var maximumSide: Int
  /// Bytes of coefficients that a JPEG in several scans makes its decoder hold; 512 MiB by default.
  package var maximumCoefficientBytes: Int
  /// Scans of a progressive JPEG times its 8×8 blocks; 1,000 million by default, some seconds.
  package var maximumBlockPasses: Int
  /// Bytes of an ICC profile that travels along; above it, pixels are converted to sRGB instead.
  package var maximumProfileBytes: Int

  package init(
    maximumPixelCount: Int = 256_000_000,
    maximumSide: Int = 65_500,
    maximumCoefficientBytes: Int = 512 << 20,
    maximumBlockPasses: Int = 1_000_000_000,
    maximumProfileBytes: Int = 64 << 10
  ) {
    self.maximumPixelCount = maximumPixelCount
    self.maximumSide = maximumSide
    self.maximumCoefficientBytes = maximumCoefficientBytes
    self.maximumBlockPasses = maximumBlockPasses
    self.maximumProfileBytes = maximumProfileBytes
  }

  func check(width: Int, height: Int) throws(ImagingError) {
    guard width > 0, height > 0 else {
      throw ImagingError(.damaged, "a side of 0 pixels: \(width)x\(height)")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixelCount, max(width, height) <= maximumSide else {
      throw ImagingError(.overLimit, "\(width)x\(height) pixels")
    }
  }
}
