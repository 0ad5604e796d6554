/// Keeps what was worked out about the last few profiles: pictures of one camera share one.
final class ProfileConverter {
  private struct Key: Hashable {
    var profile: ColorProfile
    var layout: PixelLayout
  }

  private struct Entry {
    /// Nil when the profile does not work.
    var transform: ColorTransform?
    var changesNothing: Bool
  }

  private static let maximumEntryCount = 8

  private var entries: [Key: Entry] = [:]

  /// Nil when the profile does not work, or is of another space.
  func transform(from profile: ColorProfile, layout: PixelLayout) -> ColorTransform? {
    entry(for: profile, layout).transform
  }

  /// Whether samples mean the same with the profile as without: within one level of 255.
  func isStandard(_ profile: ColorProfile, isGray: Bool) -> Bool {
    entry(for: profile, isGray ? .gray : .rgb).changesNothing
  }

  /// A transform for whole rows before they are reduced, when samples stand for light rather than for
  /// what is seen; nil for all other profiles, which are converted when the picture is small.
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
    // Half of the light is 188 in sRGB; half of a sample of gamma 1.8 is 147.
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
