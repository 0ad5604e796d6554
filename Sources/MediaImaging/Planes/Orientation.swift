/// How a stored picture is turned to stand upright.
///
/// Source: EXIF 2.32, tag 274 (Orientation).
struct Orientation: Hashable {
  /// Rows of the stored picture are columns of the upright one; done before the flips are undone.
  let isTransposed: Bool
  /// The stored x axis runs against the upright axis that it lies along.
  let flipsX: Bool
  /// The stored y axis runs against the upright axis that it lies along.
  let flipsY: Bool

  static let upright = Orientation(1)

  /// A value outside 1 to 8 is taken for 1, as readers do.
  init(_ value: Int) {
    isTransposed = (5...8).contains(value)
    flipsX = [2, 3, 7, 8].contains(value)
    flipsY = [3, 4, 6, 7].contains(value)
  }

  var isIdentity: Bool { !isTransposed && !flipsX && !flipsY }

  /// Copies a stored plane into an upright one, whose sides are the stored plane's, swapped if the
  /// orientation says so.
  func apply(from stored: PixelPlane, to upright: PixelPlane) {
    for y in 0..<upright.height {
      let row = upright.row(y)
      for x in 0..<upright.width {
        let storedX = isTransposed ? y : x
        let storedY = isTransposed ? x : y
        row[x] =
          stored.row(flipsY ? stored.height - 1 - storedY : storedY)[
            flipsX ? stored.width - 1 - storedX : storedX
          ]
      }
    }
  }
}
