import MediaContainers

/// The parameter sets of HEVC, read to find where they end; those with extensions beyond the range
/// extension are not read.
///
/// Source: ITU-T H.265 sections 7.3.2.1 to 7.3.2.3, 7.3.3, 7.3.4, 7.3.7, E.2.1 and E.2.2.
enum HEVCParameterSet {
  /// Reads a video parameter set, and returns the buffers that it describes; nil for none.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions.
  static func readVideo(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming? {
    try payload.skip(12)
    let layers = try payload.number(3)
    try payload.skip(17)
    try skipProfile(&payload, layers)
    try skipOrdering(&payload, layers)
    let highest = try payload.number(6)
    let sets = try payload.golomb(upTo: 1023)
    try payload.skip(sets * (highest + 1))
    var buffers: BufferTiming?
    if try payload.flag() {
      try payload.skip(64)
      if try payload.flag() { try payload.skipGolombs() }
      var timing = BufferTiming()
      for index in 0..<(try payload.golomb(upTo: 1024)) {
        try payload.skipGolombs()
        // One without the common part has that of the one before.
        let hasCommon = index == 0 ? true : try payload.flag()
        try readBuffers(&payload, layers, hasCommon: hasCommon, &timing)
        buffers = timing
      }
    }
    guard try !payload.flag() else { throw RawPayload.damaged }
    return buffers
  }

  /// Reads a sequence parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions that are not read.
  static func readSequence(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming {
    try payload.skip(4)
    let layers = try payload.number(3)
    try payload.skip(1)
    try skipProfile(&payload, layers)
    try payload.skipGolombs()
    if try payload.golomb(upTo: 3) == 3 { try payload.skip(1) }
    try payload.skipGolombs(2)
    if try payload.flag() { try payload.skipGolombs(4) }
    try payload.skipGolombs(2)
    let orderLength = try payload.golomb(upTo: 12) + 4
    try skipOrdering(&payload, layers)
    try payload.skipGolombs(6)
    if try payload.flag(), try payload.flag() { try skipScaling(&payload) }
    try payload.skip(2)
    if try payload.flag() {
      try payload.skip(8)
      try payload.skipGolombs(2)
      try payload.skip(1)
    }
    try skipReferences(&payload)
    if try payload.flag() { try payload.skip((try payload.golomb(upTo: 32)) * (orderLength + 1)) }
    try payload.skip(2)
    let timing = try payload.flag() ? try readUsability(&payload, layers) : BufferTiming()
    if try payload.flag() {
      let hasRange = try payload.flag()
      let hasLayers = try payload.flag()
      guard try payload.number(6) == 0 else { throw RawPayload.damaged }
      try payload.skip((hasRange ? 9 : 0) + (hasLayers ? 1 : 0))
    }
    return timing
  }

  /// Reads a picture parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions that are not read.
  static func readPicture(_ payload: inout RawPayload) throws(MetadataError) {
    try payload.skipGolombs(2)
    try payload.skip(7)
    try payload.skipGolombs(3)
    try payload.skip(1)
    let skipsTransform = try payload.flag()
    if try payload.flag() { try payload.skipGolombs() }
    try payload.skipGolombs(2)
    try payload.skip(4)
    let hasTiles = try payload.flag()
    try payload.skip(1)
    if hasTiles {
      let (columns, rows) = (try payload.golomb(upTo: 255), try payload.golomb(upTo: 255))
      if try !payload.flag() { try payload.skipGolombs(columns + rows) }
      try payload.skip(1)
    }
    try payload.skip(1)
    if try payload.flag() {
      try payload.skip(1)
      if try !payload.flag() { try payload.skipGolombs(2) }
    }
    if try payload.flag() { try skipScaling(&payload) }
    try payload.skip(1)
    try payload.skipGolombs()
    try payload.skip(1)
    guard try payload.flag() else { return }
    let hasRange = try payload.flag()
    guard try payload.number(7) == 0 else { throw RawPayload.damaged }
    guard hasRange else { return }
    if skipsTransform { try payload.skipGolombs() }
    try payload.skip(1)
    if try payload.flag() {
      try payload.skipGolombs()
      try payload.skipGolombs(2 * (try payload.golomb(upTo: 5) + 1))
    }
    try payload.skipGolombs(2)
  }

  private static func skipProfile(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) {
    try payload.skip(96)
    var length = 0
    for _ in 0..<layers {
      if try payload.flag() { length += 88 }
      if try payload.flag() { length += 8 }
    }
    if layers > 0 { length += 2 * (8 - layers) }
    try payload.skip(length)
  }

  private static func skipOrdering(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) {
    try payload.skipGolombs(try payload.flag() ? 3 * (layers + 1) : 3)
  }

  private static func skipScaling(_ payload: inout RawPayload) throws(MetadataError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        if try payload.flag() {
          try payload.skipGolombs(min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0))
        } else {
          try payload.skipGolombs()
        }
      }
    }
  }

  /// Passes over the sets of pictures to which others refer.
  private static func skipReferences(_ payload: inout RawPayload) throws(MetadataError) {
    var last = 0
    for index in 0..<(try payload.golomb(upTo: 64)) {
      if index > 0, try payload.flag() {
        try payload.skip(1)
        try payload.skipGolombs()
        var count = 0
        for _ in 0...last {
          // A picture is in the set unless both bits are zero.
          if try payload.flag() {
            count += 1
          } else if try payload.flag() {
            count += 1
          }
        }
        last = count
      } else {
        last = try payload.golomb(upTo: 16)
        last += try payload.golomb(upTo: 16)
        for _ in 0..<last {
          try payload.skipGolombs()
          try payload.skip(1)
        }
      }
      guard last <= 32 else { throw RawPayload.damaged }
    }
  }

  /// Reads the video usability information.
  private static func readUsability(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) -> BufferTiming {
    try AVCParameterSet.skipColor(&payload)
    try payload.skip(2)
    var timing = BufferTiming()
    timing.hasPictureStructure = try payload.flag()
    if try payload.flag() { try payload.skipGolombs(4) }
    if try payload.flag() {
      try payload.skip(64)
      if try payload.flag() { try payload.skipGolombs() }
      if try payload.flag() { try readBuffers(&payload, layers, hasCommon: true, &timing) }
    }
    if try payload.flag() {
      try payload.skip(3)
      try payload.skipGolombs(5)
    }
    return timing
  }

  private static func readBuffers(
    _ payload: inout RawPayload,
    _ layers: Int,
    hasCommon: Bool,
    _ timing: inout BufferTiming
  ) throws(MetadataError) {
    if hasCommon {
      timing.counts = []
      for _ in 0..<2 where try payload.flag() { timing.counts.append(0) }
      if !timing.counts.isEmpty {
        timing.hasParts = try payload.flag()
        if timing.hasParts { try payload.skip(19) }
        try payload.skip(8)
        if timing.hasParts { try payload.skip(4) }
        timing.initialLength = try payload.number(5) + 1
        timing.removalLength = try payload.number(5) + 1
        timing.outputLength = try payload.number(5) + 1
      }
    }
    for _ in 0...layers {
      let isFixed = try payload.flag()
      let isFixedWithin = isFixed ? true : try payload.flag()
      var isLowDelay = false
      if isFixedWithin { try payload.skipGolombs() } else { isLowDelay = try payload.flag() }
      let count = isLowDelay ? 1 : try payload.golomb(upTo: 31) + 1
      // Messages have one entry for each buffer of the highest layer.
      timing.counts = timing.counts.map { _ in count }
      for _ in 0..<(count * timing.counts.count) {
        try payload.skipGolombs(timing.hasParts ? 4 : 2)
        try payload.skip(1)
      }
    }
  }
}
