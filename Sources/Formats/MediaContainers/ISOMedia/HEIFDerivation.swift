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
      let color = try fields.bytes(8)
      let numbers = try fields.bytes((1 + count) * 2 * size)
      // Those of 32 bits are sizes and signed positions of fewer.
      guard
        size == 2
          || stride(from: 0, to: numbers.count, by: 4).allSatisfy({ [0, 0xFF].contains(numbers[$0]) })
      else { throw fields.damaged }
      return head + color + numbers
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

  /// Returns a tone map: a version, and the numbers of a gain map.
  private static func toneMap(
    _ fields: inout ISOFields
  ) throws(MetadataError) -> [UInt8] {
    let head = try fields.bytes(6)
    guard head[0...2] == [0, 0, 0] else {
      throw MetadataError(.stripUnsupported, "tmap of another version")
    }
    guard
      let numbers = GainMapNumbers(Array(head[1...]) + (try fields.bytes(GainMapNumbers.length(of: head[5]))))
    else {
      throw fields.damaged
    }
    return [0] + numbers.bytes
  }
}
