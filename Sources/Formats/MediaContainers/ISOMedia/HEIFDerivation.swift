/// Rewrites the data of a derived picture.
///
/// Source: ISO/IEC 23008-12 sections 6.6.2.2 (iovl) and 6.6.2.3 (grid); ISO/IEC 21496-1 annex C and
/// ISO/IEC 23008-12 section 6.6.2.4 (tmap).
package enum HEIFDerivation {
  /// The maximum length of a derivation in bytes.
  private static let maximumLength = 1 << 16

  /// Returns the canonical bytes of the item, which is derived from `count` others.
  ///
  /// - Throws: `damaged` when the data violate their format; `stripUnsupported` for another
  ///   version.
  package static func data(
    of type: FourCharacterCode,
    madeFrom count: Int,
    in source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    let name = type.displayName
    guard source.length <= maximumLength else {
      throw MetadataError(.damaged, "\(name) of impossible length")
    }
    var fields = ISOFields(source, 0..<source.length, name)
    switch type {
    case "iden":
      guard count == 1 else { throw MetadataError(.damaged, "iden of \(count) pictures") }
      return []
    case "grid":
      let (head, size) = try header(&fields, type)
      let rows = try fields.number(1)
      let columns = try fields.number(1)
      guard (rows + 1) * (columns + 1) == count else {
        throw MetadataError(.damaged, "grid with too many or too few tiles")
      }
      return head + [UInt8(rows), UInt8(columns)] + (try fields.bytes(2 * size))
    case "iovl":
      let (head, size) = try header(&fields, type)
      // The fields are the background color, the size, and the position of each picture.
      return head + (try fields.bytes(8 + 2 * size + count * 2 * size))
    case "tmap":
      return try toneMap(&fields)
    default:
      throw MetadataError(.stripUnsupported, "item of type \(name)")
    }
  }

  /// Returns the version and flags, and the number of bytes of a length.
  private static func header(
    _ fields: inout ISOFields,
    _ type: FourCharacterCode
  ) throws(MetadataError) -> ([UInt8], Int) {
    guard try fields.number(1) == 0 else {
      throw MetadataError(.stripUnsupported, "\(type.displayName) of another version")
    }
    let isLong = try fields.number(1) & 1
    return ([0, UInt8(isLong)], isLong == 1 ? 4 : 2)
  }

  /// Returns a tone map: one gain map for all channels or for three, each with five fractions,
  /// after the headrooms.
  private static func toneMap(
    _ fields: inout ISOFields
  ) throws(MetadataError) -> [UInt8] {
    let head = try fields.bytes(5)
    guard head[0...2] == [0, 0, 0] else {
      throw MetadataError(.stripUnsupported, "tmap of another version")
    }
    let flags = try fields.number(1)
    let isMultichannel = flags & 0x80 != 0
    let hasCommonDenominator = flags & 0x08 != 0
    let channels = isMultichannel ? 3 : 1
    let length = hasCommonDenominator ? 4 + 8 + channels * 20 : 16 + channels * 40
    // Reserved bits are zero.
    let kept = UInt8(flags & (0x80 | 0x40 | 0x08 | 0x04))
    return head + [kept] + (try fields.bytes(length))
  }
}
