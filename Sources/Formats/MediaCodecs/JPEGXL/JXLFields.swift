import MediaContainers
import MediaModel

/// The fields at the start of a codestream, as far as those of its frames depend on them.
///
/// Source: ISO/IEC 18181-1 annex D.
struct JXLImageFields {
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var previewSize: PixelSize?
  private(set) var extraChannelCount = 0
  private(set) var isXYB = true
  private(set) var isAnimated = false
  private(set) var hasTimecodes = false
  private(set) var hasProfile = false
  /// The names of fields that are taken, by number.
  var removed: [String: Int] = [:]

  mutating func read(_ bits: inout JXLBits) throws(MetadataError) {
    size = try Self.size(&bits)
    let isDefault = try bits.flag()
    if !isDefault {
      let hasFields = try bits.flag()
      if hasFields {
        _ = try bits.read(3)
        if try bits.flag() { _ = try Self.size(&bits) }
        if try bits.take(1) == 1 {
          bits.isTaking = true
          previewSize = try Self.previewSize(&bits)
          bits.isTaking = false
        }
        bits.write(0, 1)
        isAnimated = try bits.flag()
        if isAnimated { try readAnimation(&bits) }
      }
      try Self.readDepth(&bits)
      _ = try bits.flag()
      extraChannelCount = try bits.number(.init((0, 0), (0, 1), (4, 2), (12, 1)))
      for _ in 0..<extraChannelCount { try readExtraChannel(&bits) }
      isXYB = try bits.flag()
      try readColor(&bits)
      if hasFields, try !bits.flag() {
        // How bright the picture is.
        try bits.floats(2)
        _ = try bits.flag()
        try bits.floats(1)
      }
      try Self.readExtensions(&bits)
    }
    try readTransform(&bits)
  }

  /// Returns the size that the header states: a ratio may stand for the width.
  private static func size(_ bits: inout JXLBits) throws(MetadataError) -> PixelSize {
    let isSmall = try bits.flag()
    func side() throws(MetadataError) -> Int {
      if isSmall { return 8 * (try bits.read(5) + 1) }
      return try bits.number(.init((9, 1), (13, 1), (18, 1), (30, 1)))
    }
    let height = try side()
    let ratio = try bits.read(3)
    return PixelSize(width: ratio == 0 ? try side() : width(height, ratio), height: height)
  }

  private static func width(_ height: Int, _ ratio: Int) -> Int {
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    return height * ratios[ratio - 1].0 / ratios[ratio - 1].1
  }

  private static func previewSize(_ bits: inout JXLBits) throws(MetadataError) -> PixelSize {
    let isSmall = try bits.flag()
    func side() throws(MetadataError) -> Int {
      if isSmall { return 8 * (try bits.number(.init((0, 16), (0, 32), (5, 1), (9, 33)))) }
      return try bits.number(.init((6, 1), (8, 65), (10, 321), (12, 1345)))
    }
    let height = try side()
    let ratio = try bits.read(3)
    return PixelSize(width: ratio == 0 ? try side() : width(height, ratio), height: height)
  }

  private mutating func readAnimation(_ bits: inout JXLBits) throws(MetadataError) {
    _ = try bits.number(.init((0, 100), (0, 1000), (10, 1), (30, 1)))
    _ = try bits.number(.init((0, 1), (0, 1001), (8, 1), (10, 1)))
    _ = try bits.number(.init((0, 0), (3, 0), (16, 0), (32, 0)))
    hasTimecodes = try bits.flag()
  }

  private static func readDepth(_ bits: inout JXLBits) throws(MetadataError) {
    if try bits.flag() {
      _ = try bits.number(.init((0, 32), (0, 16), (0, 24), (6, 1)))
      _ = try bits.read(4)
    } else {
      _ = try bits.number(.init((0, 8), (0, 10), (0, 12), (6, 1)))
    }
  }

  private mutating func readExtraChannel(_ bits: inout JXLBits) throws(MetadataError) {
    guard try !bits.flag() else { return }
    let type = try bits.word()
    try Self.readDepth(&bits)
    _ = try bits.number(.init((0, 0), (0, 3), (0, 4), (3, 1)))
    try takeName(&bits, "name of an extra channel")
    switch type {
    case 0: _ = try bits.flag()
    case 2: try bits.floats(4)
    case 5: _ = try bits.number(.init((0, 1), (2, 0), (4, 3), (8, 19)))
    default: break
    }
  }

  /// Takes a name, and writes an empty one.
  mutating func takeName(_ bits: inout JXLBits, _ name: String) throws(MetadataError) {
    bits.isTaking = true
    defer { bits.isTaking = false }
    let count = try bits.number(.init((0, 0), (4, 0), (5, 16), (10, 48)))
    for _ in 0..<count { _ = try bits.read(8) }
    if count > 0 { removed[name, default: 0] += 1 }
    bits.write(0, 2)
  }

  private mutating func readColor(_ bits: inout JXLBits) throws(MetadataError) {
    guard try !bits.flag() else { return }
    hasProfile = try bits.flag()
    // 1 is gray, 2 XYB.
    let space = try bits.word()
    guard !hasProfile else { return }
    func point() throws(MetadataError) {
      for _ in 0..<2 {
        _ = try bits.number(.init((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)))
      }
    }
    if space != 2, try bits.word() == 2 { try point() }
    if space != 1, space != 2, try bits.word() == 2 { for _ in 0..<3 { try point() } }
    if space != 2 { _ = try bits.flag() ? try bits.read(24) : try bits.word() }
    _ = try bits.word()
  }

  private func readTransform(_ bits: inout JXLBits) throws(MetadataError) {
    guard try !bits.flag() else { return }
    if isXYB, try !bits.flag() { try bits.floats(16) }
    let weights = try bits.read(3)
    for (bit, count) in [(1, 15), (2, 55), (4, 210)] where weights & bit != 0 {
      try bits.floats(count)
    }
  }

  /// Reads the flags of extensions, of which no version of the standard has any.
  static func readExtensions(_ bits: inout JXLBits) throws(MetadataError) {
    guard try bits.long() == 0 else {
      throw MetadataError(.stripUnsupported, "a JPEG XL with extensions")
    }
  }
}

/// The fields of a frame, as far as the length of the frame depends on them.
///
/// Source: ISO/IEC 18181-1 annex F; libjxl 0.7, frame_header.cc.
struct JXLFrameFields {
  private enum Kind { static let (low, reference) = (1, 2) }
  private static let usesLowFrequencies = 0x20

  private let imageSize: PixelSize
  private var size: PixelSize
  private var upsampling = 1
  private var groupShift = 1
  private var passCount = 1
  private var level = 0
  private(set) var isLast = true

  init(size: PixelSize) { (imageSize, self.size) = (size, size) }

  mutating func read(
    _ bits: inout JXLBits,
    of image: inout JXLImageFields
  ) throws(MetadataError) {
    guard try !bits.flag() else { return }
    let kind = try bits.read(2)
    let isModular = try bits.flag()
    guard let flags = try bits.long() else { throw MetadataError(.damaged, "a frame's flags") }
    let isYCbCr = image.isXYB ? false : try bits.flag()
    if flags & Self.usesLowFrequencies == 0 {
      if isYCbCr { _ = try bits.read(6) }
      upsampling = 1 << (try bits.read(2))
      for _ in 0..<image.extraChannelCount { _ = try bits.read(2) }
    }
    if isModular { groupShift = try bits.read(2) } else if image.isXYB { _ = try bits.read(6) }
    if kind != Kind.reference { try readPasses(&bits) }
    if kind == Kind.low { level = try bits.read(2) + 1 }
    let isPartial = kind == Kind.low ? false : try readPlace(&bits, kind)
    var (replaces, duration, reference) = (true, 0, 0)
    isLast = false
    if kind != Kind.low, kind != Kind.reference {
      replaces = try Self.readBlending(&bits, image.extraChannelCount, isPartial)
      for _ in 0..<image.extraChannelCount {
        _ = try Self.readBlending(&bits, image.extraChannelCount, isPartial)
      }
      if image.isAnimated {
        duration = try bits.number(.init((0, 0), (0, 1), (8, 0), (32, 0)))
        if image.hasTimecodes { try Self.takeTimecode(&bits, &image) }
      }
      isLast = try bits.flag()
    }
    if kind != Kind.low, !isLast { reference = try bits.read(2) }
    let mayBeReferenced = !isLast && (duration == 0 || reference != 0)
    if kind == Kind.reference
      || kind != Kind.low && mayBeReferenced && replaces && !isPartial
    {
      _ = try bits.flag()
    }
    try image.takeName(&bits, "name of a frame")
    try Self.readFilter(&bits, isModular)
    try JXLImageFields.readExtensions(&bits)
  }

  private mutating func readPasses(_ bits: inout JXLBits) throws(MetadataError) {
    passCount = try bits.number(.init((0, 1), (0, 2), (0, 3), (3, 4)))
    guard passCount > 1 else { return }
    let count = try bits.number(.init((0, 0), (0, 1), (0, 2), (1, 3)))
    for _ in 1..<passCount { _ = try bits.read(2) }
    for _ in 0..<count { _ = try bits.read(2) }
    for _ in 0..<count { _ = try bits.number(.init((0, 0), (0, 1), (0, 2), (3, 0))) }
  }

  /// Reads where the frame lies; returns whether it leaves a part of the picture uncovered.
  private mutating func readPlace(
    _ bits: inout JXLBits,
    _ kind: Int
  ) throws(MetadataError) -> Bool {
    guard try bits.flag() else { return false }
    let side = JXLBits.Distribution((8, 0), (11, 256), (14, 2304), (30, 18_688))
    func offset() throws(MetadataError) -> Int {
      let value = try bits.number(side)
      return value & 1 == 0 ? value >> 1 : -(value >> 1) - 1
    }
    let x = kind == Kind.reference ? 0 : try offset()
    let y = kind == Kind.reference ? 0 : try offset()
    let (width, height) = (try bits.number(side), try bits.number(side))
    if width > 0, height > 0 { size = PixelSize(width: width, height: height) }
    guard kind != Kind.reference else { return false }
    return x > 0 || y > 0 || width + x < imageSize.width || height + y < imageSize.height
  }

  /// Reads how a frame is put over another; returns whether it replaces it.
  private static func readBlending(
    _ bits: inout JXLBits,
    _ extraChannelCount: Int,
    _ isPartial: Bool
  ) throws(MetadataError) -> Bool {
    let mode = try bits.number(.init((0, 0), (0, 1), (0, 2), (2, 3)))
    let usesAlpha = extraChannelCount > 0 && (mode == 2 || mode == 3)
    if usesAlpha { _ = try bits.number(.init((0, 0), (0, 1), (0, 2), (3, 3))) }
    if usesAlpha || mode == 4 { _ = try bits.flag() }
    if mode != 0 || isPartial { _ = try bits.read(2) }
    return mode == 0
  }

  private static func takeTimecode(
    _ bits: inout JXLBits,
    _ image: inout JXLImageFields
  ) throws(MetadataError) {
    if try bits.take(32) != 0 { image.removed["timecode", default: 0] += 1 }
    bits.write(0, 32)
  }

  private static func readFilter(
    _ bits: inout JXLBits,
    _ isModular: Bool
  ) throws(MetadataError) {
    guard try !bits.flag() else { return }
    if try bits.flag(), try bits.flag() { try bits.floats(6) }
    if try bits.read(2) > 0 {
      if !isModular, try bits.flag() { try bits.floats(8) }
      if try bits.flag() { try bits.floats(5) }
      if try bits.flag() { try bits.floats(isModular ? 3 : 4) }
      if isModular { try bits.floats(1) }
    }
    try JXLImageFields.readExtensions(&bits)
  }

  /// Returns the number of sections: one for all, or the common ones and one for each group and pass.
  func sectionCount() throws(MetadataError) -> Int {
    func sides(_ side: Int, _ length: Int) -> Int { (side + length - 1) / length }
    let scale = upsampling << (3 * level)
    let (width, height) = (sides(size.width, scale), sides(size.height, scale))
    func groups(_ length: Int) -> Int { sides(width, length) * sides(height, length) }
    let count = groups(128 << groupShift)
    if count == 1, passCount == 1 { return 1 }
    return 2 + groups(1024 << groupShift) + count * passCount
  }
}
