import MediaModel

/// A measure of the content that a picture shows.
struct PosterMeasure {
  /// The lowest level that counts as light, 0 to 255.
  static let darkest = 32
  /// The percentage of pixels that must be light.
  static let lightHundredths = 2
  /// The variance of red, green and blue together below which a picture is of one color.
  static let flatVariance = 24.0

  /// Whether fewer than 2 in 100 pixels are lighter than 32: the rule of FFmpeg's blackframe.
  private(set) var isBlack = false
  /// Whether the whole picture is nearly one color.
  private(set) var isFlat = false
  /// Whether the decoder had to conceal errors or missing references.
  private(set) var isBroken = false
  private var variance = 0.0

  init() {}

  /// Measures a picture.
  ///
  /// - Parameters:
  ///   - pixels: The rows of R'G'B'A without gaps.
  ///   - size: The size of the picture in pixels.
  ///   - isBroken: Whether the decoder reports concealed errors.
  init(_ pixels: UnsafePointer<UInt8>, _ size: PixelSize, isBroken: Bool) {
    let count = size.width * size.height
    var light = 0
    var (sums, squares) = ([0, 0, 0], [0, 0, 0])
    // Sampling some ten thousand pixels is sufficient; the step must not select whole columns.
    var step = max(1, count / 16_384)
    if step > 1, size.width % step == 0 { step += 1 }
    var taken = 0
    for index in stride(from: 0, to: count, by: step) {
      let pixel = pixels + 4 * index
      let (red, green, blue) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
      if (77 * red + 150 * green + 29 * blue) >> 8 >= Self.darkest { light += 1 }
      sums[0] += red
      sums[1] += green
      sums[2] += blue
      squares[0] += red * red
      squares[1] += green * green
      squares[2] += blue * blue
      taken += 1
    }
    isBlack = light * 100 < taken * Self.lightHundredths
    for (sum, square) in zip(sums, squares) {
      let mean = Double(sum) / Double(taken)
      variance += Double(square) / Double(taken) - mean * mean
    }
    isFlat = variance < Self.flatVariance
    self.isBroken = isBroken
  }

  var showsSomething: Bool { !isBlack && !isFlat && !isBroken }

  /// Returns whether this picture is preferred: whole before broken, then higher variance.
  func showsMore(than other: PosterMeasure) -> Bool {
    if isBroken != other.isBroken { return other.isBroken }
    return variance > other.variance
  }
}
