/// A rotation with optional mirroring: one of the eight orientations that EXIF numbers.
package struct Turn: Sendable, Hashable {
  /// The clockwise quarter turns after mirroring.
  private var quarters = 0
  private var isMirrored = false

  /// Creates the turn of an orientation; a value outside 1 to 8 means 1, as in other readers.
  package init(orientation: Int = 1) {
    isMirrored = [2, 4, 5, 7].contains(orientation)
    quarters =
      switch orientation {
      case 6, 7: 1
      case 3, 4: 2
      case 5, 8: 3
      default: 0
      }
  }

  /// Returns an orientation after a turn by so many degrees clockwise, a multiple of 90.
  package static func orientation(_ own: Int, rotatedBy degrees: Int) -> Int {
    var turn = Turn(orientation: own)
    turn.rotate(clockwise: degrees / 90)
    return turn.orientation
  }

  /// Adds quarter turns.
  package mutating func rotate(clockwise count: Int) {
    quarters = (quarters + count) & 3
  }

  /// Adds a mirror image, left and right exchanged, or top and bottom.
  package mutating func mirror(leftRight: Bool) {
    // Mirroring after a rotation equals mirroring before the opposite rotation.
    quarters = (4 - quarters + (leftRight ? 0 : 2)) & 3
    isMirrored.toggle()
  }

  /// The EXIF orientation, 1 to 8.
  ///
  /// Source: Exif 2.32 section 4.6.5, Orientation.
  package var orientation: Int {
    isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters]
  }
}
