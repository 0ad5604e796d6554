import MediaCodecs
import MediaContainers
import MediaMetadata

/// The marker segments of a JPEG 2000 codestream that an output may have.
///
/// Source: ISO/IEC 15444-1 annex A; 15444-15 annex A (CAP).
enum J2KAllowList {
  static let start = "SOC"
  static let tile = "SOT"
  static let data = "tile data"
  static let end = "EOC"
  static let list = AllowList<String>(
    isOrdered: false,
    [
      .init(start, .copied, "nothing", 0...0),
      .init("SIZ", .copied, "size, tiles, components and their depth"),
      .init("CAP", .copied, "what a decoder must be able to do (HTJ2K)", isRepeated: true),
      .init("COD", .copied, "coding style", isRepeated: true),
      .init("COC", .copied, "coding style of a component", isRepeated: true),
      .init("QCD", .copied, "quantisation", isRepeated: true),
      .init("QCC", .copied, "quantisation of a component", isRepeated: true),
      .init("RGN", .copied, "region of interest", isRepeated: true),
      .init("POC", .copied, "progression order", isRepeated: true),
      .init("PPM", .copied, "packet headers", isRepeated: true),
      .init("PPT", .copied, "packet headers of a tile-part", isRepeated: true),
      .init("CRG", .copied, "where components lie", isRepeated: true),
      .init(tile, .rewritten, "tile, length, and which part of it", 8...8, isRepeated: true),
      .init(data, .copied, "coded data", isRepeated: true),
      .init(end, .copied, "nothing", 0...0),
    ]
  )
  /// The segments that only help to find parts of the picture quickly, or describe it; their content
  /// cannot be compared with anything.
  private static let indexes: Set<String> = ["TLM", "PLM", "PLT", "CPF", "COM"]

  /// Returns whether a segment is left out: an index, a comment, or a marker without parameters, which
  /// decoders skip.
  static func removes(_ segment: J2KCodestream.Segment) -> Bool {
    segment.isBare || indexes.contains(segment.name)
  }

  /// Returns whether a segment that the list has is copied; false for one that is removed.
  ///
  /// - Throws: `stripUnsupported` for a marker of another part of the standard; `damaged` for one
  ///   that is longer or shorter than its fields, or of a component that is not there.
  static func copies(
    _ segment: J2KCodestream.Segment,
    of codestream: J2KCodestream,
    in source: ByteSource
  ) throws(MetadataError) -> Bool {
    if removes(segment) { return false }
    guard list[segment.name] != nil else {
      throw MetadataError(.stripUnsupported, "a JPEG 2000 codestream with \(segment.name)")
    }
    // It has a bit for each part of the standard, and two bytes for each bit: this is part 15, HTJ2K.
    if segment.name == "CAP", source.uint32(at: segment.content.lowerBound) != 0x0002_0000 {
      throw MetadataError(.stripUnsupported, "a JPEG 2000 codestream with CAP of other parts")
    }
    guard hasOnlyFields(segment, of: codestream, in: source) else {
      throw MetadataError(.damaged, "\(segment.name) of impossible length")
    }
    return true
  }

  /// Returns whether a segment is as long as its fields are, so that nothing stands behind them.
  private static func hasOnlyFields(
    _ segment: J2KCodestream.Segment,
    of codestream: J2KCodestream,
    in source: ByteSource
  ) -> Bool {
    let (content, count) = (segment.content, segment.content.count)
    let index = codestream.componentCount < 257 ? 1 : 2
    func byte(_ offset: Int) -> Int { source.uint8(at: content.lowerBound + offset) ?? 0 }
    // Decoders refuse numbers of a component that the picture lacks.
    var isComponent: Bool {
      (index == 1 ? byte(0) : byte(0) << 8 | byte(1)) < codestream.componentCount
    }
    // Sizes of precincts follow if the first bit of the style says so: one for each resolution.
    func precincts(_ style: Int, _ levels: Int) -> Int {
      byte(style) & 1 == 1 ? byte(levels) + 1 : 0
    }
    func isQuantization(_ count: Int, at style: Int) -> Bool {
      switch byte(style) & 0x1F {
      case 0: count % 3 == 2 && count <= 98
      case 1: count == 3
      case 2: count % 6 == 3 && count <= 195
      default: false
      }
    }
    switch segment.name {
    case "SIZ": return count == 36 + 3 * codestream.componentCount
    case "CAP": return count == 6
    case "COD": return count == 10 + precincts(0, 5)
    case "COC": return isComponent && count == index + 6 + precincts(index, index + 1)
    case "QCD": return isQuantization(count, at: 0)
    case "QCC": return isComponent && isQuantization(count - index, at: index)
    case "RGN": return isComponent && count == index + 2
    case "POC": return count > 0 && count % (5 + 2 * index) == 0
    case "CRG": return count == 4 * codestream.componentCount
    default: return true
    }
  }
}

/// The boxes of a JPEG 2000 file that an output may have.
///
/// Source: ISO/IEC 15444-1 annex I.
enum JP2AllowList {
  static let file = AllowList<FourCharacterCode>([
    .init("jP  ", .copied, "the signature", 4...4),
    .init("ftyp", .rewritten, "the brand: JP2, or JPH for HTJ2K", 12...12),
    .init("jp2h", .rewritten, "the boxes below"),
    .init(
      "uuid",
      .rewritten,
      XMPProjection.part + ", in an XMP packet; with `except` an Exif block",
      isRepeated: true
    ),
    .init("jp2c", .rewritten, "the codestream, see below"),
  ])
  static let header = AllowList<FourCharacterCode>(
    isOrdered: false,
    [
      .init("ihdr", .rewritten, "size, components, depth", 14...14),
      .init("bpcc", .copied, "depth of each component", 1...16_384),
      .init("colr", .rewritten, "a color space by its number, or the color profile", isRepeated: true),
      .init("pclr", .copied, "the palette"),
      .init("cmap", .copied, "which component a channel is made of", step: 4),
      .init("cdef", .copied, "what each channel means, alpha too"),
    ]
  )
}
