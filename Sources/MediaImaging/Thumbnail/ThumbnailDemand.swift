import MediaModel

/// What all thumbnails of one picture together ask of its decoder.
struct ThumbnailDemand {
  /// A decoded picture this much larger than the thumbnail gives the quality of a full decode.
  static let oversampling = 1.9

  var specifications: [ThumbnailSpec]
  var orientation: Orientation
  /// Whether a video without pictures may be shown by its sound.
  var allowsAudio = true
  /// Whether a smaller picture within the file may stand for it.
  var allowsEmbedded = true

  /// Whether a transparent picture has to be given with its alpha. Else a decoder may, or may paint
  /// it on the ``background``.
  var wantsAlpha: Bool {
    specifications.contains { $0.format != .jpeg || $0.background != background }
  }

  /// Whether a thumbnail must carry the picture's own profile, whatever that is.
  var keepsProfile: Bool { specifications.contains { $0.colorSpace == .keep } }

  /// What is seen through a transparent picture, when ``wantsAlpha`` is false.
  var background: RGBColor { specifications.first?.background ?? .white }

  /// The smallest scale at which a picture must be decoded, at most 1; 0 when nothing is wanted.
  func scale(for stored: PixelSize) -> Double {
    let upright =
      orientation.isTransposed
      ? PixelSize(width: stored.height, height: stored.width) : stored
    let largest = specifications.map {
      ThumbnailGeometry(picture: upright, specification: $0).scale
    }.max()
    return min(1, Self.oversampling * (largest ?? 0))
  }
}
