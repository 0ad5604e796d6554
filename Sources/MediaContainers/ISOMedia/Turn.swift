/// A turn and perhaps a mirror image, one of the eight that EXIF numbers.
package struct Turn {
  /// Quarters clockwise, after mirroring.
  private var quarters = 0
  private var isMirrored = false

  package init() {}

  package mutating func rotate(clockwise count: Int) {
    quarters = (quarters + count) & 3
  }

  package mutating func mirror(leftRight: Bool) {
    // Mirroring after a turn is mirroring before the opposite turn.
    quarters = (4 - quarters + (leftRight ? 0 : 2)) & 3
    isMirrored.toggle()
  }

  /// Source: Exif 2.32 section 4.6.5, Orientation.
  package var orientation: Int {
    isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters]
  }
}
