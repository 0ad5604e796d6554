package import MediaModel

/// Limits of a decoder for one picture, checked before memory is allocated.
package struct ImagingLimits: Sendable, Hashable {
  /// The limits that a manifest sets.
  package var item: ItemLimits
  /// The longer side in pixels; 65,500, which is libjpeg's own limit.
  let maximumSide = 65_500
  /// Bytes of coefficients that a JPEG in several scans makes its decoder hold; 512 MiB.
  let maximumCoefficientBytes = 512 << 20
  /// Scans of a progressive JPEG times its 8×8 blocks; 1,000 million by default, some seconds.
  package var maximumBlockPasses: Int

  package init(_ item: ItemLimits = ItemLimits(), maximumBlockPasses: Int = 1_000_000_000) {
    (self.item, self.maximumBlockPasses) = (item, maximumBlockPasses)
  }
}

extension ImagingLimits {
  func check(width: Int, height: Int) throws(ImagingError) {
    guard width > 0, height > 0 else {
      throw ImagingError(.damaged, "a side of 0 pixels: \(width)x\(height)")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= item.pixels else {
      throw ImagingError(.overLimit, "pixels: \(width)x\(height), at most \(item.pixels) are allowed")
    }
    guard max(width, height) <= maximumSide else {
      throw ImagingError(
        .overLimit,
        "pixels: \(width)x\(height), at most \(maximumSide) a side can be decoded"
      )
    }
  }

  func check(byteCount: Int) throws(ImagingError) {
    try check(byteCount, "bytes", item.bytes)
  }

  func check(frameCount: Int) throws(ImagingError) {
    try check(frameCount, "frames", item.frames)
  }

  func check(textByteCount: Int) throws(ImagingError) {
    try check(textByteCount, "textBytes", item.textBytes)
  }

  func check(profileByteCount: Int) throws(ImagingError) {
    try check(profileByteCount, "profileBytes", item.profileBytes)
  }

  /// The limit's name is the manifest's.
  private func check(_ count: Int, _ name: String, _ maximum: Int) throws(ImagingError) {
    guard count <= maximum else {
      throw ImagingError(.overLimit, "\(name): \(count), at most \(maximum) are allowed")
    }
  }
}
