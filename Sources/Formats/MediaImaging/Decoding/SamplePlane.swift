/// A plane in a codec's format: samples of 8 bits, or of 9 to 16 bits in two bytes each.
struct SamplePlane {
  var base: UnsafeRawPointer
  /// The number of bytes from one row to the next.
  var stride: Int
  var width: Int
  var height: Int
  /// The bits per sample, 8 to 16, in the lowest bits.
  var bitCount: Int

  private var bytesPerSample: Int { bitCount > 8 ? 2 : 1 }

  /// Returns a part of the plane, which must be inside.
  func cropped(left: Int, top: Int, width: Int, height: Int) -> SamplePlane {
    SamplePlane(
      base: base + top * stride + left * bytesPerSample,
      stride: stride,
      width: width,
      height: height,
      bitCount: bitCount
    )
  }

  /// Averages squares into a plane of 8 bits, rounded to nearest.
  ///
  /// - Parameters:
  ///   - target: A plane with one sample per square; the last squares of a row or column may be
  ///     cut.
  ///   - factor: The side of a square in samples, 1 to 16.
  ///   - sums: Room for `width` numbers.
  func reduce(
    to target: PixelPlane,
    factor: Int,
    sums: UnsafeMutablePointer<UInt32>
  ) {
    let range = 1 << bitCount - 1
    for y in 0..<target.height {
      let first = y * factor
      let count = min(factor, height - first)
      guard count > 0 else { return }
      if factor == 1, bitCount == 8 {
        target.row(y).update(
          from: (base + first * stride).assumingMemoryBound(to: UInt8.self),
          count: min(width, target.width)
        )
        continue
      }
      for index in 0..<count {
        add(base + (first + index) * stride, isFirst: index == 0, to: sums)
      }
      average(sums, to: target.row(y), factor: factor, rowCount: count, range: range)
    }
  }

  private func add(
    _ row: UnsafeRawPointer,
    isFirst: Bool,
    to sums: UnsafeMutablePointer<UInt32>
  ) {
    // Loops without an inner branch can be vectorized.
    if bitCount > 8 {
      let samples = row.assumingMemoryBound(to: UInt16.self)
      if isFirst {
        for x in 0..<width { sums[x] = UInt32(samples[x]) }
      } else {
        for x in 0..<width { sums[x] &+= UInt32(samples[x]) }
      }
    } else {
      let samples = row.assumingMemoryBound(to: UInt8.self)
      if isFirst {
        for x in 0..<width { sums[x] = UInt32(samples[x]) }
      } else {
        for x in 0..<width { sums[x] &+= UInt32(samples[x]) }
      }
    }
  }

  private func average(
    _ sums: UnsafePointer<UInt32>,
    to row: UnsafeMutablePointer<UInt8>,
    factor: Int,
    rowCount: Int,
    range: Int
  ) {
    // A square of 16 by 16 samples of 16 bits sums to 24 bits, which leaves 40 bits for the
    // fraction.
    func inverse(_ area: Int) -> UInt64 { UInt64(255.0 / Double(area * range) * Double(1 << 36)) }
    let half: UInt64 = 1 << 35
    let whole = width / factor
    let scale = inverse(factor * rowCount)
    var x = 0
    for square in 0..<whole {
      var sum: UInt32 = 0
      for _ in 0..<factor {
        sum &+= sums[x]
        x &+= 1
      }
      row[square] = UInt8(truncatingIfNeeded: min((UInt64(sum) &* scale &+ half) &>> 36, 255))
    }
    if x < width {
      var sum: UInt32 = 0
      for column in x..<width { sum &+= sums[column] }
      let area = (width - x) * rowCount
      row[whole] = UInt8(truncatingIfNeeded: min((UInt64(sum) &* inverse(area) &+ half) &>> 36, 255))
    }
  }
}
