/// Caches transforms of the most recent profiles, since pictures of one camera share a profile.
final class ProfileConverter {
  private struct Key: Hashable {
    var profile: ColorProfile
    var layout: PixelLayout
  }

  private struct Entry {
    /// The transform; nil if the profile is unusable.
    var transform: ColorTransform?
    var changesNothing: Bool
  }

  private static let maximumEntryCount = 8

  private var entries: [Key: Entry] = [:]

  /// Returns the transform of a profile; nil if the profile is unusable or of another color space.
  func transform(from profile: ColorProfile, layout: PixelLayout) -> ColorTransform? {
    entry(for: profile, layout).transform
  }

  /// Returns whether pixels look the same without the profile: within one level of 255.
  func isStandard(_ profile: ColorProfile, isGray: Bool) -> Bool {
    entry(for: profile, isGray ? .gray : .rgb).changesNothing
  }

  /// Returns a transform for whole rows before they are reduced, for profiles whose samples are
  /// close to linear light; nil for all other profiles, which are converted after the reduction.
  func earlyTransform(
    from profile: ColorProfile?,
    layout: PixelLayout,
    depth: SampleDepth
  ) -> ColorTransform? {
    guard let profile, profile.space == .rgb || profile.space == .gray,
      let transform = transform(from: profile, layout: profile.space == .gray ? .gray : .rgb)
    else { return nil }
    var shown: [UInt8] = [0, 0, 0]
    transform.apply([128, 128, 128] as [UInt8], to: &shown, pixelCount: 1)
    // The test sample is half of full scale: linear light gives 188 in sRGB, a gamma of 1.8 gives
    // 147.
    guard shown[0] >= 170 else { return nil }
    return ColorTransform(from: profile, layout: layout, depth: depth)
  }

  private func entry(for profile: ColorProfile, _ layout: PixelLayout) -> Entry {
    let key = Key(profile: profile, layout: layout)
    if let entry = entries[key] { return entry }
    if entries.count >= Self.maximumEntryCount { entries.removeAll(keepingCapacity: true) }
    let transform = ColorTransform(from: profile, layout: layout)
    let entry = Entry(
      transform: transform,
      changesNothing: transform.map { Self.changesNothing($0, layout) } ?? false
    )
    entries[key] = entry
    return entry
  }

  private static func changesNothing(_ transform: ColorTransform, _ layout: PixelLayout) -> Bool {
    let levels = stride(from: UInt8(0), through: 255, by: 51)
    let samples: [UInt8]
    switch layout {
    case .gray: samples = Array(UInt8.min...UInt8.max)
    case .rgb:
      samples = levels.flatMap { red in
        levels.flatMap { green in levels.flatMap { blue in [red, green, blue] } }
      }
    default: return false
    }
    var output = [UInt8](repeating: 0, count: samples.count)
    transform.apply(samples, to: &output, pixelCount: samples.count / layout.channelCount)
    return zip(samples, output).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }
}
