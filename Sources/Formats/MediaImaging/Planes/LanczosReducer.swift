import Glibc

/// Resizes a plane where zimg has no filter: to outputs or from sources of up to 3 pixels a side.
///
/// It is slower than zimg, and exact for any size; samples outside the plane repeat its edge.
enum LanczosReducer {
  private struct Taps {
    /// The index of the first sample; may be negative.
    var first: Int
    var weights: [Float]
  }

  static func reduce(_ source: PixelPlane, region: PlaneRegion, to target: PixelPlane) {
    let columns = taps(count: target.width, from: region.left, extent: region.width)
    let rows = taps(count: target.height, from: region.top, extent: region.height)
    var narrowed = [Float](repeating: 0, count: target.width * source.height)
    for y in 0..<source.height {
      let row = source.row(y)
      for (x, column) in columns.enumerated() {
        var sum: Float = 0
        for (index, weight) in column.weights.enumerated() {
          sum += weight * Float(row[min(max(column.first + index, 0), source.width - 1)])
        }
        narrowed[y * target.width + x] = sum
      }
    }
    for (y, row) in rows.enumerated() {
      let output = target.row(y)
      for x in 0..<target.width {
        var sum: Float = 0
        for (index, weight) in row.weights.enumerated() {
          let sourceY = min(max(row.first + index, 0), source.height - 1)
          sum += weight * narrowed[sourceY * target.width + x]
        }
        output[x] = UInt8(min(max(sum.rounded(), 0), 255))
      }
    }
  }

  private static func taps(count: Int, from start: Double, extent: Double) -> [Taps] {
    let step = extent / Double(count)
    let stretch = max(step, 1)
    return (0..<count).map { index in
      let center = start + (Double(index) + 0.5) * step
      let first = Int((center - 3 * stretch).rounded(.down))
      let last = Int((center + 3 * stretch).rounded(.up))
      let weights = (first...last).map { lanczos((Double($0) + 0.5 - center) / stretch) }
      let total = weights.reduce(0, +)
      return Taps(first: first, weights: weights.map { Float($0 / total) })
    }
  }

  private static func lanczos(_ x: Double) -> Double {
    guard abs(x) < 3 else { return 0 }
    guard abs(x) > 1e-9 else { return 1 }
    let angle = x * Double.pi
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}
