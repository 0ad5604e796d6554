/// The coefficients of a block that a small picture needs.
struct LowCoefficients {
  var mean: Int32 = 0
  /// The coefficients of the lowest horizontal, vertical and diagonal frequency.
  var across: Int32 = 0
  var down: Int32 = 0
  var diagonal: Int32 = 0

  init() {}

  /// Those of a table or block of 64 in zigzag order.
  init(of table: [Int32]) {
    (mean, across, down, diagonal) = (table[0], table[1], table[2], table[4])
  }

  /// Writes the samples of a block: one at an eighth of the size, two by two at a quarter.
  @inline(__always)
  func write(to base: UnsafeMutablePointer<UInt8>, stride: Int, x: Int, y: Int, eighths: Int) {
    if eighths == 1 {
      base[y &* stride &+ x] = Self.sample(mean)
      return
    }
    // This is an inverse DCT of two by two coefficients.
    let target = base + (2 &* y &* stride &+ 2 &* x)
    let (left, right) = (mean &+ across, mean &- across)
    let (leftStep, rightStep) = (down &+ diagonal, down &- diagonal)
    target[0] = Self.sample(left &+ leftStep)
    target[1] = Self.sample(right &+ rightStep)
    target[stride] = Self.sample(left &- leftStep)
    target[stride &+ 1] = Self.sample(right &- rightStep)
  }

  @inline(__always)
  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(((value &+ 4) &>> 3) &+ 128, 0), 255))
  }
}
