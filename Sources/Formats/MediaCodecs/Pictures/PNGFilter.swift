/// PNG's filters, which predict samples from the samples to the left and above.
///
/// Source: PNG specification (third edition) section 9.
@usableFromInline
package enum PNGFilter {
  /// Returns the sample that predicts another one: the left, the one above, or the one above the left.
  @inlinable
  @inline(__always)
  package static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b, c) = (Int16(left), Int16(above), Int16(corner))
    let (fromLeft, fromAbove) = (abs(b &- c), abs(a &- c))
    let fromCorner = abs(a &+ b &- c &- c)
    if fromLeft <= fromAbove, fromLeft <= fromCorner { return left }
    return fromAbove <= fromCorner ? above : corner
  }

  /// Reverses the filter of a row, in place.
  ///
  /// - Parameters:
  ///   - row: The filter's number, then the row.
  ///   - above: The samples of the row above; nil for the first row.
  ///   - count: The number of bytes in the row.
  ///   - step: The number of bytes from a sample to the one left of it, 1 to 8.
  /// - Returns: False if the filter's number is unknown.
  package static func undo(
    _ row: UnsafeMutablePointer<UInt8>,
    above: UnsafePointer<UInt8>?,
    count: Int,
    step: Int
  ) -> Bool {
    let samples = row + 1
    guard let above else {
      switch row[0] {
      case 0, 2: break
      // The row above the first one is zero: the Paeth predictor is then the left sample.
      case 1, 4:
        for index in stride(from: step, to: count, by: 1) {
          samples[index] &+= samples[index - step]
        }
      case 3:
        for index in stride(from: step, to: count, by: 1) {
          samples[index] &+= samples[index - step] >> 1
        }
      default: return false
      }
      return true
    }
    switch row[0] {
    case 0: break
    case 1: undoSub(samples, count, step)
    case 2:
      for index in 0..<count { samples[index] &+= above[index] }
    case 3: undoAverage(samples, above, count, step)
    case 4: undoPaeth(samples, above, count, step)
    default: return false
    }
    return true
  }

  private static func undoSub(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int, _ step: Int) {
    if count > step {
      for index in step..<count { samples[index] &+= samples[index &- step] }
    }
  }

  private static func undoAverage(
    _ samples: UnsafeMutablePointer<UInt8>,
    _ above: UnsafePointer<UInt8>,
    _ count: Int,
    _ step: Int
  ) {
    for index in 0..<min(step, count) { samples[index] &+= above[index] &>> 1 }
    guard count > step else { return }
    for index in step..<count {
      let sum = UInt16(samples[index &- step]) &+ UInt16(above[index])
      samples[index] &+= UInt8(truncatingIfNeeded: sum &>> 1)
    }
  }

  private static func undoPaeth(
    _ samples: UnsafeMutablePointer<UInt8>,
    _ above: UnsafePointer<UInt8>,
    _ count: Int,
    _ step: Int
  ) {
    switch step {
    case 3: undoPaeth(samples, above, count, step: 3)
    case 4: undoPaeth(samples, above, count, step: 4)
    default:
      for index in 0..<min(step, count) { samples[index] &+= above[index] }
      guard count > step else { return }
      for index in step..<count {
        samples[index] &+= paeth(samples[index &- step], above[index], above[index &- step])
      }
    }
  }

  /// Reverses the Paeth filter for three or four samples at once; inlining with a constant argument
  /// specializes it for each.
  @inline(__always)
  private static func undoPaeth(
    _ samples: UnsafeMutablePointer<UInt8>,
    _ above: UnsafePointer<UInt8>,
    _ count: Int,
    step: Int
  ) {
    @inline(__always)
    func load(_ pointer: UnsafePointer<UInt8>) -> SIMD4<Int16> {
      let last = step == 4 ? pointer[3] : 0
      return SIMD4<Int16>(truncatingIfNeeded: SIMD4<UInt8>(pointer[0], pointer[1], pointer[2], last))
    }
    @inline(__always)
    func magnitude(_ value: SIMD4<Int16>) -> SIMD4<Int16> {
      value.replacing(with: 0 &- value, where: value .< 0)
    }
    var left = SIMD4<Int16>()
    var corner = SIMD4<Int16>()
    var index = 0
    while index &+ step <= count {
      let over = load(above + index)
      let (fromLeft, fromAbove) = (over &- corner, left &- corner)
      let (a, b, c) = (
        magnitude(fromLeft), magnitude(fromAbove), magnitude(fromLeft &+ fromAbove)
      )
      let nearest = pointwiseMin(a, pointwiseMin(b, c))
      let predicted = corner.replacing(with: over, where: b .== nearest)
        .replacing(with: left, where: a .== nearest)
      left = (load(UnsafePointer(samples + index)) &+ predicted) & 255
      corner = over
      for channel in 0..<step {
        samples[index &+ channel] = UInt8(truncatingIfNeeded: left[channel])
      }
      index &+= step
    }
  }
}
