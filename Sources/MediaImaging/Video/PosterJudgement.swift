import MediaModel

/// How much a picture shows.
struct PosterJudgement {
  /// The darkest that counts as light, 0 to 255.
  static let darkest = 32
  /// Of all pixels, how many have to be light, in hundredths.
  static let lightHundredths = 2
  /// The spread of red, green and blue together below which a picture is one color.
  static let flatVariance = 24.0

  /// Less than 2 in 100 pixels are lighter than 32: the rule of FFmpeg's blackframe.
  private(set) var isBlack = false
  /// All of it is about one color.
  private(set) var isFlat = false
  /// A decoder had to guess some of it.
  private(set) var isBroken = false
  private var variance = 0.0

  init() {}

  /// - Parameters:
  ///   - pixels: Rows of R'G'B'A without gaps.
  ///   - size: Of the picture.
  ///   - isBroken: What the decoder says.
  init(_ pixels: UnsafePointer<UInt8>, _ size: PixelSize, isBroken: Bool) {
    let count = size.width * size.height
    var light = 0
    var (sums, squares) = ([0, 0, 0], [0, 0, 0])
    // Some ten thousand pixels tell as much as all of them; the step keeps clear of whole columns.
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

  /// Whole before broken; of those, the one with more in it.
  func showsMore(than other: PosterJudgement) -> Bool {
    if isBroken != other.isBroken { return other.isBroken }
    return variance > other.variance
  }
}
