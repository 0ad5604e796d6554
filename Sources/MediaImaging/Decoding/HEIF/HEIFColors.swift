import MediaModel

/// What a HEIF file, or its codec, says about a picture's colors.
///
/// Source: ISO/IEC 14496-12 section 12.1.5 (colr); ITU-T H.273 section 8.
struct HEIFColors {
  /// Code points; 2 is unspecified. Nil: nothing but an ICC profile is there.
  var coded: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?
  /// Where the ICC profile stands.
  var profile: Range<Int>?

  init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
    coded = (primaries, transfer, matrix, isFullRange)
  }

  /// Nil when an item has no colr property.
  init?(_ items: HEIFItems, item: Int) {
    for property in items.properties(of: item) where property.type == HEIFItems.colr {
      let body = property.body
      guard let type = items.bytes.number(at: body.lowerBound, count: 4, in: body) else {
        continue
      }
      switch UInt32(type) {
      case HEIFBytes.code("prof"), HEIFBytes.code("rICC"):
        profile = profile ?? (body.lowerBound + 4)..<body.upperBound
      case HEIFBytes.code("nclx"):
        let numbers = [4, 6, 8].compactMap {
          items.bytes.number(at: body.lowerBound + $0, count: 2, in: body)
        }
        guard coded == nil, numbers.count == 3,
          let flags = items.bytes.number(at: body.lowerBound + 10, count: 1, in: body)
        else { continue }
        coded = (numbers[0], numbers[1], numbers[2], flags & 0x80 != 0)
      default: break
      }
    }
    if coded == nil, profile == nil { return nil }
  }

  /// How planes were made of colors; nil when only libheif can convert them.
  ///
  /// Without a word it is as in JPEG.
  var encoding: YCbCrEncoding? {
    guard let coded else { return .jfif }
    return YCbCrEncoding(matrix: coded.matrix, isFullRange: coded.isFullRange)
  }

  /// The ICC profile, or one of the code points; nil is sRGB.
  ///
  /// - Throws: `overLimit` for an ICC profile of more bytes than allowed.
  func profile(
    in items: HEIFItems,
    limits: ImagingLimits
  ) throws(ImagingError) -> ColorProfile? {
    if let profile {
      try limits.check(profileByteCount: profile.count)
      if let profile = ColorProfile(Array(items.bytes.bytes[profile])) { return profile }
    }
    return coded.flatMap { ColorProfile(primaries: $0.primaries, transfer: $0.transfer) }
  }
}
