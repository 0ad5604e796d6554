import MediaContainers
import MediaModel

/// The color information of a PNG, which several chunks can give.
///
/// Source: PNG specification (third edition) sections 4.3 and 11.3.2: cICP, then iCCP, then sRGB,
/// then gAMA and cHRM.
struct PNGColors {
  private var codePoints: (primaries: Int, transfer: Int)?
  private var icc: ColorProfile?
  private var isStandard = false
  private var gamma: Double?
  private var points: [Double]?

  /// Reads a chunk that describes colors.
  ///
  /// - Throws: `overLimit` for a profile that decompresses to more than the limit.
  mutating func read(
    _ type: String,
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    func number(_ index: Int) -> Double {
      Double(ByteSource(bytes).number(at: body.lowerBound + 4 * index, count: 4) ?? 0)
        / 100_000
    }
    switch type {
    case "cICP" where body.count == 4:
      codePoints = (Int(bytes[body.lowerBound]), Int(bytes[body.lowerBound + 1]))
    case "iCCP": icc = try Self.unpack(bytes, body, limits)
    case "sRGB": isStandard = true
    case "gAMA" where body.count == 4: gamma = number(0)
    case "cHRM" where body.count == 32: points = (0..<8).map(number)
    default: break
    }
  }

  /// Returns the profile; nil is sRGB.
  func profile(isGray: Bool) -> ColorProfile? {
    if let codePoints {
      return ColorProfile(
        primaries: codePoints.primaries,
        transfer: codePoints.transfer,
        isGray: isGray
      )
    }
    if let icc { return icc }
    if isStandard { return nil }
    return ColorProfile(points: points, gamma: gamma, isGray: isGray)
  }

  private static func unpack(
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> ColorProfile? {
    // The profile name of at most 79 bytes, its terminator, and compression method 0.
    guard let end = bytes[body].prefix(80).firstIndex(of: 0), end + 2 < body.upperBound,
      bytes[end + 1] == 0
    else { return nil }
    let stream = ByteSource(ByteSource(bytes), (end + 2)..<body.upperBound)
    do throws(MetadataError) {
      return ColorProfile(try ZlibStream.content(of: stream, limit: limits.item.profileBytes))
    } catch {
      if error.code == .overLimit {
        try limits.check(profileByteCount: limits.item.profileBytes + 1)
      }
      return nil
    }
  }
}
