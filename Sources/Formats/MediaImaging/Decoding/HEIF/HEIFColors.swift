import MediaContainers
import MediaModel

/// The color description of a picture, from a HEIF file or its codec.
///
/// Source: ISO/IEC 14496-12 section 12.1.5 (colr); ITU-T H.273 section 8.
struct HEIFColors {
  /// The code points, where 2 is unspecified; nil if only an ICC profile is present.
  var coded: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?
  /// The range of the ICC profile in the file.
  var profile: Range<Int>?

  init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
    coded = (primaries, transfer, matrix, isFullRange)
  }

  /// Reads the colr properties of an item; nil if it has none.
  init?(_ items: HEIFItems, item: Int) {
    for property in items.properties(of: item) where property.type == "colr" {
      let body = property.body
      guard body.count >= 4 else { continue }
      switch items.source.code(at: body.lowerBound) {
      case "prof", "rICC": profile = profile ?? body.dropFirst(4)
      case "nclx":
        let numbers = [4, 6, 8].compactMap { items.source.uint16(at: body.lowerBound + $0) }
        guard coded == nil, body.count >= 11, numbers.count == 3,
          let flags = items.source.uint8(at: body.lowerBound + 10)
        else { continue }
        coded = (numbers[0], numbers[1], numbers[2], flags & 0x80 != 0)
      default: break
      }
    }
    if coded == nil, profile == nil { return nil }
  }

  /// The encoding of luma and chroma; nil if only libheif can convert it.
  ///
  /// Unspecified values mean JPEG's encoding.
  var encoding: YCbCrEncoding? {
    guard let coded else { return .jfif }
    return YCbCrEncoding(matrix: coded.matrix, isFullRange: coded.isFullRange)
  }

  /// Returns the ICC profile, or a profile of the code points; nil is sRGB.
  ///
  /// - Throws: `overLimit` for an ICC profile of more bytes than allowed.
  func profile(
    in items: HEIFItems,
    limits: ImagingLimits
  ) throws(ImagingError) -> ColorProfile? {
    if let profile {
      try limits.check(profileByteCount: profile.count)
      if let profile = ColorProfile(Array(items.bytes[profile])) { return profile }
    }
    return coded.flatMap { ColorProfile(primaries: $0.primaries, transfer: $0.transfer) }
  }
}
