package import MediaModel

/// What a decoder may take for one picture; checked before memory is taken.
package struct ImagingLimits: Sendable, Hashable {
  /// Length of the file; 1 TiB by default.
  package var maximumByteCount: Int
  /// Width times height, as stored; 256 million by default.
  package var maximumPixelCount: Int
  /// The longer side in pixels; 65,500 by default, which is libjpeg's own.
  package var maximumSide: Int
  /// Pictures in one file: frames of an animation, pages; 10,000 by default.
  package var maximumFrameCount: Int
  /// Bytes of text in one file, as stored; 16 MiB by default. Text is never unpacked.
  package var maximumTextBytes: Int
  /// Bytes of an ICC profile; 4 MiB by default.
  package var maximumProfileBytes: Int
  /// Bytes of coefficients that a JPEG in several scans makes its decoder hold; 512 MiB by default.
  package var maximumCoefficientBytes: Int
  /// Scans of a progressive JPEG times its 8×8 blocks; 1,000 million by default, some seconds.
  package var maximumBlockPasses: Int

  package init(
    maximumByteCount: Int = 1 << 40,
    maximumPixelCount: Int = 256_000_000,
    maximumSide: Int = 65_500,
    maximumFrameCount: Int = 10_000,
    maximumTextBytes: Int = 16 << 20,
    maximumProfileBytes: Int = 4 << 20,
    maximumCoefficientBytes: Int = 512 << 20,
    maximumBlockPasses: Int = 1_000_000_000
  ) {
    self.maximumByteCount = maximumByteCount
    self.maximumPixelCount = maximumPixelCount
    self.maximumSide = maximumSide
    self.maximumFrameCount = maximumFrameCount
    self.maximumTextBytes = maximumTextBytes
    self.maximumProfileBytes = maximumProfileBytes
    self.maximumCoefficientBytes = maximumCoefficientBytes
    self.maximumBlockPasses = maximumBlockPasses
  }

  /// What a manifest allows, and the decoders' own limits.
  package init(_ limits: ItemLimits) {
    self.init(
      maximumByteCount: limits.bytes,
      maximumPixelCount: limits.pixels,
      maximumFrameCount: limits.frames,
      maximumTextBytes: limits.textBytes,
      maximumProfileBytes: limits.profileBytes
    )
  }
}

extension ImagingLimits {
  func check(width: Int, height: Int) throws(ImagingError) {
    guard width > 0, height > 0 else {
      throw ImagingError(.damaged, "a side of 0 pixels: \(width)x\(height)")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixelCount else {
      throw ImagingError(
        .overLimit,
        "pixels: \(width)x\(height), at most \(maximumPixelCount) are allowed"
      )
    }
    guard max(width, height) <= maximumSide else {
      throw ImagingError(
        .overLimit,
        "pixels: \(width)x\(height), at most \(maximumSide) a side can be decoded"
      )
    }
  }

  func check(byteCount: Int) throws(ImagingError) {
    try check(byteCount, "bytes", maximumByteCount)
  }

  func check(frameCount: Int) throws(ImagingError) {
    try check(frameCount, "frames", maximumFrameCount)
  }

  func check(textByteCount: Int) throws(ImagingError) {
    try check(textByteCount, "textBytes", maximumTextBytes)
  }

  func check(profileByteCount: Int) throws(ImagingError) {
    try check(profileByteCount, "profileBytes", maximumProfileBytes)
  }

  /// The limit's name is the manifest's.
  private func check(_ count: Int, _ name: String, _ maximum: Int) throws(ImagingError) {
    guard count <= maximum else {
      throw ImagingError(.overLimit, "\(name): \(count), at most \(maximum) are allowed")
    }
  }
}
