package import MediaContainers
import MediaModel

/// The header and the frames of a JPEG XL codestream, from its first byte to the end of its last
/// frame; no pixel is decoded.
///
/// A codestream has no part for metadata, but fields that may hold some: names of frames and of extra
/// channels, timecodes, texts of the color profile, and a preview. ``header`` and each frame's
/// ``Frame/header`` are written without them.
///
/// Source: ISO/IEC 18181-1 annexes D (headers), F (frame header) and F.3 (TOC).
package struct JXLCodestream {
  /// A frame: its header with the lengths of its sections, and the sections.
  package struct Frame {
    /// The header as it stands in the codestream.
    package let start: Range<Int>
    /// The header as an output has it.
    package let header: [UInt8]
    /// The sections of coded data.
    package let data: Range<Int>
    /// Whether it is a smaller picture that an output does not have.
    package let isPreview: Bool
  }

  /// The header of the picture as it stands in the codestream.
  package private(set) var start = 0..<0
  /// The header as an output has it.
  package private(set) var header: [UInt8] = []
  /// All frames, in order; the last one says that it is.
  package private(set) var frames: [Frame] = []
  /// The color profile as it stands in the codestream; nil for colors by number.
  package private(set) var profile: [UInt8]?
  /// The name of what a color profile loses.
  package static let profileParts = "ICC profile parts"
  /// The names of fields that an output does not have, by number.
  package private(set) var removed: [String: Int] = [:]
  /// The length of the codestream in bytes.
  package var length: Int { frames.last?.data.upperBound ?? start.upperBound }

  /// The most frames; those of an hour at 18 a second.
  private static let maximumFrames = 1 << 16
  /// The most sections of all frames: twelve bits make one, and each takes memory here. A picture of
  /// 100,000 x 100,000 pixels has 155,000.
  private static let maximumSections = 1 << 20
  private static let sectionLength = JXLBits.Distribution(
    (10, 0),
    (14, 1024),
    (22, 17_408),
    (30, 4_211_712)
  )

  private var sectionsLeft = maximumSections
  private var symbolsLeft = JXLBits.maximumSymbols

  /// Reads the codestream that a source begins with; bytes may follow its end.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for a codestream that ends early;
  ///   `stripUnsupported` for extensions, and for a color profile that no program can use;
  ///   `overLimit` for more than 65,536 frames or 1,048,576 sections, for codes of more than 4,194,304
  ///   symbols, or a color profile of more than 4 MiB.
  package init(of source: ByteSource) throws(MetadataError) {
    var image = JXLImageFields()
    var bits = JXLBits(source, from: 0)
    guard try bits.read(16) == 0x0AFF else { throw MetadataError(.damaged, "no codestream") }
    try image.read(&bits)
    if image.hasProfile {
      let embedded = try JXLProfile.read(&bits)
      guard let clean = ICCProfile.cleaned(embedded) else {
        throw MetadataError(.stripUnsupported, "a JPEG XL whose color profile is of no use")
      }
      JXLProfile.write(clean, to: &bits)
      if clean != embedded { image.removed[Self.profileParts, default: 0] += 1 }
      profile = embedded
    }
    try bits.align()
    start = 0..<(bits.position / 8)
    header = bits.written
    symbolsLeft = bits.symbolsLeft
    if let size = image.previewSize {
      image.removed["preview"] = 1
      _ = try append(size, true, &image, source)
    }
    while try append(image.size, false, &image, source) {
      guard frames.count < Self.maximumFrames else {
        throw MetadataError(.overLimit, "too many frames")
      }
    }
    removed = image.removed
  }

  /// Returns whether a source ends before its codestream does.
  static func isCut(_ source: ByteSource) -> Bool {
    do {
      _ = try Self(of: source)
      return false
    } catch {
      return error == JXLBits.ended
    }
  }

  /// Reads the next frame; false for the last.
  private mutating func append(
    _ size: PixelSize,
    _ isPreview: Bool,
    _ image: inout JXLImageFields,
    _ source: ByteSource
  ) throws(MetadataError) -> Bool {
    let first = length
    var bits = JXLBits(source, from: first, symbols: symbolsLeft)
    var frame = JXLFrameFields(size: size)
    try frame.read(&bits, of: &image)
    let count = try frame.sectionCount()
    sectionsLeft -= count
    guard sectionsLeft >= 0 else { throw MetadataError(.overLimit, "too many sections") }
    // Each length takes at least twelve bits.
    guard count <= bits.left / 12 else { throw JXLBits.ended }
    if try bits.flag() { try Self.readOrder(&bits, of: count) }
    try bits.align()
    var total = 0
    for _ in 0..<count {
      total += try bits.number(Self.sectionLength)
    }
    try bits.align()
    symbolsLeft = bits.symbolsLeft
    let start = bits.position / 8
    guard total <= source.length - start else { throw JXLBits.ended }
    frames.append(
      Frame(start: first..<start, header: bits.written, data: start..<(start + total), isPreview: isPreview)
    )
    return !frame.isLast
  }

  /// Reads the order of sections, which is kept as it is.
  private static func readOrder(_ bits: inout JXLBits, of count: Int) throws(MetadataError) {
    func context(_ value: Int) -> Int { min(7, Int.bitWidth - value.leadingZeroBitCount) }
    var entropy = try JXLEntropy(&bits, contextCount: 8)
    let end = try entropy.next(&bits, context: context(count))
    guard end <= count else { throw JXLEntropy.damaged }
    var last = 0
    for index in 0..<end {
      last = try entropy.next(&bits, context: context(last))
      guard last < count - index else { throw JXLEntropy.damaged }
    }
    try entropy.finish()
  }
}
