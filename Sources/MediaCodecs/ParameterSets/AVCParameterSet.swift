import MediaContainers

/// The parameter sets of AVC, read to find where they end.
///
/// Source: ITU-T H.264 sections 7.3.2.1.1, 7.3.2.2, E.1.1 and E.1.2.
enum AVCParameterSet {
  /// The profiles whose sequence parameter sets state the sampling of color.
  private static let highProfiles: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]

  /// Reads a sequence parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be.
  static func readSequence(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming {
    let profile = try payload.number(8)
    try payload.skip(16)
    try payload.skipGolombs()
    if highProfiles.contains(profile) {
      let chroma = try payload.golomb(upTo: 3)
      if chroma == 3 { try payload.skip(1) }
      try payload.skipGolombs(2)
      try payload.skip(1)
      if try payload.flag() { try skipScaling(&payload, count: chroma == 3 ? 12 : 8) }
    }
    try payload.skipGolombs()
    switch try payload.golomb(upTo: 2) {
    case 0: try payload.skipGolombs()
    case 1:
      try payload.skip(1)
      try payload.skipGolombs(2)
      try payload.skipGolombs(try payload.golomb(upTo: 255))
    default: break
    }
    try payload.skipGolombs()
    try payload.skip(1)
    try payload.skipGolombs(2)
    if try !payload.flag() { try payload.skip(1) }
    try payload.skip(1)
    if try payload.flag() { try payload.skipGolombs(4) }
    return try payload.flag() ? try readUsability(&payload) : BufferTiming()
  }

  /// Reads a picture parameter set.
  ///
  /// - Parameters:
  ///   - payload: The set's payload.
  ///   - isExtensible: Whether the profile allows the fields that High added.
  ///   - isChroma444: Whether the pictures may be in 4:4:4, which have more matrices.
  /// - Throws: `damaged` for fields that cannot be, and for matrices of an unknown number.
  static func readPicture(
    _ payload: inout RawPayload,
    isExtensible: Bool,
    isChroma444: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs(2)
    try payload.skip(2)
    let groups = try payload.golomb(upTo: 7)
    if groups > 0 { try skipGroups(&payload, groups) }
    try payload.skipGolombs(2)
    try payload.skip(3)
    try payload.skipGolombs(3)
    try payload.skip(3)
    guard isExtensible, payload.hasMore else { return }
    let hasLargeTransform = try payload.flag()
    if try payload.flag() {
      guard !hasLargeTransform || !isChroma444 else { throw RawPayload.damaged }
      try skipScaling(&payload, count: hasLargeTransform ? 8 : 6)
    }
    try payload.skipGolombs()
  }

  private static func skipGroups(_ payload: inout RawPayload, _ groups: Int) throws(MetadataError) {
    switch try payload.golomb(upTo: 6) {
    case 0: try payload.skipGolombs(groups + 1)
    case 2: try payload.skipGolombs(2 * groups)
    case 3, 4, 5:
      try payload.skip(1)
      try payload.skipGolombs()
    case 6:
      let width = groups > 3 ? 3 : groups > 1 ? 2 : 1
      try payload.skip(width * (try payload.golomb() + 1))
    default: break
    }
  }

  private static func skipScaling(_ payload: inout RawPayload, count: Int) throws(MetadataError) {
    for index in 0..<count where try payload.flag() {
      var (last, next) = (8, 8)
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 { next = (last + (try payload.signedGolomb()) % 256 + 256) % 256 }
        if next != 0 { last = next }
      }
    }
  }

  /// Reads the video usability information.
  private static func readUsability(
    _ payload: inout RawPayload
  ) throws(MetadataError) -> BufferTiming {
    try skipColor(&payload)
    if try payload.flag() { try payload.skip(65) }
    var timing = BufferTiming()
    for _ in 0..<2 where try payload.flag() { try readBuffers(&payload, &timing) }
    if !timing.counts.isEmpty { try payload.skip(1) }
    timing.hasPictureStructure = try payload.flag()
    if try payload.flag() {
      try payload.skip(1)
      try payload.skipGolombs(6)
    }
    return timing
  }

  /// Passes over the shape of pixels, the overscan, and the color, as AVC and HEVC have them.
  static func skipColor(_ payload: inout RawPayload) throws(MetadataError) {
    if try payload.flag(), try payload.number(8) == 255 { try payload.skip(32) }
    if try payload.flag() { try payload.skip(1) }
    if try payload.flag() {
      try payload.skip(4)
      if try payload.flag() { try payload.skip(24) }
    }
    if try payload.flag() { try payload.skipGolombs(2) }
  }

  private static func readBuffers(
    _ payload: inout RawPayload,
    _ timing: inout BufferTiming
  ) throws(MetadataError) {
    let count = try payload.golomb(upTo: 31) + 1
    timing.counts.append(count)
    try payload.skip(8)
    for _ in 0..<count {
      try payload.skipGolombs(2)
      try payload.skip(1)
    }
    timing.initialLength = try payload.number(5) + 1
    timing.removalLength = try payload.number(5) + 1
    timing.outputLength = try payload.number(5) + 1
    timing.offsetLength = try payload.number(5)
  }
}
