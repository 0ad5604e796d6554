import MediaModel

/// Memory and tables for posters and waveforms, kept from one file to the next.
final class PosterBuffers {
  /// The picture that is looked at, R'G'B'A of 8 bits.
  private(set) var candidate = PlaneBuffer()
  /// R'G'B'A of 16 bits.
  let wide = PlaneBuffer()
  /// The best one so far.
  private var kept = PlaneBuffer()
  private let reducer = PixelReducer()
  private var conversion: PosterColorConversion?

  /// The last one is kept: a folder's videos are of few kinds.
  func conversion(_ kind: PosterColorConversion.Kind) -> PosterColorConversion {
    if let conversion, conversion.kind == kind { return conversion }
    let new = PosterColorConversion(kind)
    conversion = new
    return new
  }

  func keepCandidate() { swap(&candidate, &kept) }

  /// Gives large buffers back.
  func trim(above byteCount: Int) {
    for buffer in [candidate, kept, wide] where buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
  }

  /// Planes of the picture that was kept, valid until the next one.
  func planes(of size: PixelSize) throws(ImagingError) -> PlanarPicture {
    let pixels = try kept.reserve(size.width * size.height * 4)
    try reducer.begin(size: size, layout: .rgba, factor: 1)
    try reducer.add(pixels, stride: size.width * 4, count: size.height)
    return try reducer.finish()
  }
}
