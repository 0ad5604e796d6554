import MediaModel

/// Memory and tables for posters and waveforms, reused from one file to the next.
final class PosterBuffers {
  /// The picture under examination, R'G'B'A with 8 bits per sample.
  private(set) var candidate = PlaneBuffer()
  /// A picture of R'G'B'A with 16 bits per sample.
  let wide = PlaneBuffer()
  /// The best picture so far.
  private var kept = PlaneBuffer()
  private let reducer = PixelReducer()
  private var conversion: PosterColorConversion?

  /// Returns a conversion; the last one is cached, since the videos of a folder are of few kinds.
  func conversion(_ kind: PosterColorConversion.Kind) -> PosterColorConversion {
    if let conversion, conversion.kind == kind { return conversion }
    let new = PosterColorConversion(kind)
    conversion = new
    return new
  }

  func keepCandidate() { swap(&candidate, &kept) }

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    for buffer in [candidate, kept, wide] where buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
  }

  /// Returns the planes of the best picture, valid until the next one.
  func planes(of size: PixelSize) throws(ImagingError) -> PlanarPicture {
    let pixels = try kept.reserve(size.width * size.height * 4)
    try reducer.begin(size: size, layout: .rgba, factor: 1)
    try reducer.add(pixels, stride: size.width * 4, count: size.height)
    return try reducer.finish()
  }
}
