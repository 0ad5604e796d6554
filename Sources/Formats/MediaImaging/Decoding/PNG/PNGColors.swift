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
    _ chunk: PNGChunk,
    of source: ByteSource,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    let (start, length) = (chunk.data.lowerBound, chunk.data.count)
    func number(_ index: Int) -> Double {
      Double(source.uint32(at: start + 4 * index) ?? 0) / 100_000
    }
    switch chunk.type {
    case "cICP" where length == 4:
      codePoints = (source.uint8(at: start) ?? 0, source.uint8(at: start + 1) ?? 0)
    case "iCCP": icc = try Self.unpack(chunk, of: source, limits)
    case "sRGB": isStandard = true
    case "gAMA" where length == 4: gamma = number(0)
    case "cHRM" where length == 32: points = (0..<8).map(number)
    default: break
    }
  }

  /// Returns the profile; nil is sRGB.
  func profile(isGray: Bool) -> ColorProfile? {
    if let codePoints {
      return ColorProfile(primaries: codePoints.primaries, transfer: codePoints.transfer, isGray: isGray)
    }
    if let icc { return icc }
    if isStandard { return nil }
    return ColorProfile(points: points, gamma: gamma, isGray: isGray)
  }

  private static func unpack(
    _ chunk: PNGChunk,
    of source: ByteSource,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> ColorProfile? {
    guard let name = PNGKeyword(chunk, in: source), name.range.count < 80 else { return nil }
    do throws(MetadataError) {
      return ColorProfile(try name.bytes(of: source, limit: limits.item.profileBytes))
    } catch {
      if error.code == .overLimit {
        try limits.check(profileByteCount: limits.item.profileBytes + 1)
      }
      return nil
    }
  }
}
