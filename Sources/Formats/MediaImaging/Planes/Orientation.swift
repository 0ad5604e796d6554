import MediaModel

/// The transformation that turns a stored picture upright.
///
/// Source: EXIF 2.32, tag 274 (Orientation).
struct Orientation: Hashable {
  private let turn: Turn
  /// Whether rows of the stored picture are columns of the upright one; applied before the flips.
  let isTransposed: Bool
  /// Whether the stored x axis is opposite to the upright axis parallel to it.
  let flipsX: Bool
  /// Whether the stored y axis is opposite to the upright axis parallel to it.
  let flipsY: Bool

  static let upright = Orientation(1)

  /// Creates the orientation of an Exif value; a value outside 1 to 8 means 1, as in other readers.
  init(_ value: Int) {
    turn = Turn(orientation: value)
    isTransposed = (5...8).contains(value)
    flipsX = [2, 3, 7, 8].contains(value)
    flipsY = [3, 4, 6, 7].contains(value)
  }

  /// Returns the orientation of a picture that is turned further, by a multiple of 90 degrees clockwise.
  func rotated(by degrees: Int) -> Orientation {
    Orientation(Turn.orientation(turn.orientation, rotatedBy: degrees))
  }

  var isIdentity: Bool { !isTransposed && !flipsX && !flipsY }

  /// Copies a stored plane into an upright one, whose width and height are those of the stored
  /// plane, swapped if the orientation transposes.
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
