import MediaModel

/// The combined requirements of all thumbnails of one picture on its decoder.
struct ThumbnailDemand {
  /// The oversampling factor at which a reduced decode gives the quality of a full decode.
  static let oversampling = 1.9

  var specifications: [ThumbnailSpec]
  /// The orientation of a picture that does not give its own.
  var orientation: Orientation
  /// The degrees by which the upright picture is turned, clockwise: 0, 90, 180 or 270.
  var rotation = 0
  /// Whether a video without pictures may be shown by its audio's waveform.
  var allowsAudio = true
  /// Whether a smaller picture embedded in the file may be used instead.
  var allowsEmbedded = true

  /// Whether chroma keeps the size of luma.
  var keepsChroma = false

  /// Whether a thumbnail must embed the picture's own profile, whatever it is.
  var keepsProfile: Bool { specifications.contains { $0.colorSpace == .keep } }

  /// Returns how a picture is shown whose own orientation is `own`.
  func shown(_ own: Orientation? = nil) -> Orientation {
    (own ?? orientation).rotated(by: rotation)
  }

  /// Returns the smallest scale at which a picture must be decoded, at most 1; 0 if no thumbnails
  /// are requested.
  func scale(for stored: PixelSize) -> Double {
    let upright =
      shown().isTransposed
      ? PixelSize(width: stored.height, height: stored.width) : stored
    let largest = specifications.map {
      ThumbnailGeometry(picture: upright, specification: $0).scale
    }.max()
    return min(1, Self.oversampling * (largest ?? 0))
  }
}
