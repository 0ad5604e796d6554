package import MediaModel

extension Turn {
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
}
