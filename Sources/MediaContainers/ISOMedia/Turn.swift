/// A rotation with optional mirroring: one of the eight orientations that EXIF numbers.
package struct Turn {
  /// The clockwise quarter turns after mirroring.
  private var quarters = 0
  private var isMirrored = false

  package init() {}

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

  /// Adds the turn of an irot or imir property; others have none.
  ///
  /// Source: ISO/IEC 23008-12 sections 6.5.10 (irot) and 6.5.12 (imir).
  package mutating func add(_ property: ISOBox, of source: ByteSource) {
    guard !property.body.isEmpty, let value = source.uint8(at: property.body.lowerBound) else {
      return
    }
    // irot turns counterclockwise.
    if property.type == "irot" { rotate(clockwise: 4 - value & 3) }
    if property.type == "imir" { mirror(leftRight: value & 1 == 1) }
  }

  /// The EXIF orientation, 1 to 8.
  ///
  /// Source: Exif 2.32 section 4.6.5, Orientation.
  package var orientation: Int {
    isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters]
  }
}
