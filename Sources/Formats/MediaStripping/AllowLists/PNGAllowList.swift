import MediaContainers
import MediaMetadata

/// The chunks of a PNG that an output may have, and their form.
///
/// All chunks that describe color are kept. A chunk of a length that the specification does not
/// give could carry anything, and no decoder uses it.
///
/// Source: PNG (3rd edition) section 11; APNG 1.0.
enum PNGAllowList {
  private typealias Part = AllowList<FourCharacterCode>.Part

  /// The lengths of some chunks depend on the color type.
  static let list = AllowList(
    isOrdered: false,
    [
      Part("IHDR", .copied, "size, depth, color type", 13...13),
      Part(
        "PLTE",
        .copied,
        "the palette of a picture that has one; colors that no pixel uses are black",
        step: 3,
        kinds: [3: 3...768]
      ),
      Part(
        "tRNS",
        .copied,
        "transparency; unused colors are opaque",
        kinds: [0: 2...2, 2: 6...6, 3: 1...256]
      ),
      Part("bKGD", .copied, "background", kinds: [0: 2...2, 2: 6...6, 3: 1...1, 4: 2...2, 6: 6...6]),
      Part("sBIT", .copied, "significant bits", kinds: [0: 1...1, 2: 3...3, 3: 3...3, 4: 2...2, 6: 4...4]),
      Part("gAMA", .copied, "gamma", 4...4),
      Part("cHRM", .copied, "primaries and white point", 32...32),
      Part("sRGB", .copied, "rendering intent", 1...1),
      Part("cICP", .copied, "color space", 4...4),
      Part("mDCV", .copied, "brightness of the mastering display", 24...24),
      Part("cLLI", .copied, "brightness of the picture", 8...8),
      Part("iCCP", .rewritten, "the color profile, under the name \"icc\""),
      Part("eXIf", .rewritten, "orientation 2 to 8, and what `except` keeps"),
      Part("iTXt", .rewritten, XMPProjection.part),
      Part("acTL", .copied, "number of frames, loop count", 8...8),
      Part("fcTL", .copied, "position, size and time of a frame", 26...26, isRepeated: true),
      Part("IDAT", .copied, "the picture, to the end of its zlib stream", isRepeated: true),
      Part("fdAT", .copied, "a frame, to the end of its stream", 4...Int.max, isRepeated: true),
      Part("IEND", .rewritten, "nothing", 0...0),
    ]
  )

  enum Disposition: Equatable {
    case kept
    /// An ICC profile: the chunk's content with a neutral name, and the profile cleaned.
    case profile([UInt8])
    case removed
  }

  /// Returns the disposition of `chunk`, by its type and form alone.
  ///
  /// - Throws: `damaged` when decoding needs it and it cannot have this form; `stripUnsupported`
  ///   when it is critical and its type is not known.
  static func judge(
    _ chunk: PNGChunk,
    colorType: Int,
    in source: ByteSource
  ) throws(MetadataError) -> Disposition {
    guard let part = list[chunk.type] else {
      guard !chunk.isCritical else {
        throw MetadataError(.stripUnsupported, "PNG with \(PNG.name(chunk.type))")
      }
      return .removed
    }
    if chunk.type == "iCCP" {
      return try profile(chunk, in: source).map { .profile($0) } ?? .removed
    }
    guard part.rule == .copied else { return chunk.type == "IEND" ? .kept : .removed }
    if part.allows(chunk.data.count, kind: colorType) { return .kept }
    // With other color types a palette is only a suggestion, with room for 768 bytes of anything.
    guard !chunk.isCritical || part.kinds.map({ $0[colorType] == nil }) == true else {
      throw MetadataError(.damaged, "\(PNG.name(chunk.type)) of impossible length")
    }
    return .removed
  }

  static let profileName = "icc"

  /// Returns the content that is written for an iCCP chunk, or nil when it is removed: it must have
  /// a name of 1 to 79 bytes, a NUL, method 0, and a zlib stream that holds an ICC profile. Only the
  /// cleaned profile is kept, in a new stream. Programs use a profile whose checksum is missing.
  ///
  /// - Throws: `overLimit` for a chunk of more than 4 MiB.
  ///
  /// Source: PNG (3rd edition) section 11.3.2.3; ICC.1:2022 section 7.2.
  static func profile(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) throws(MetadataError) -> [UInt8]? {
    guard chunk.data.count <= ICCProfile.maximumLength else {
      throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
    }
    guard let name = PNGKeyword(chunk, in: source), (1..<80).contains(name.range.count),
      let profile = try? name.bytes(of: source, limit: ICCProfile.maximumLength, needsChecksum: false),
      let clean = ICCProfile.cleaned(profile)
    else { return nil }
    return Array(profileName.utf8) + [0, 0] + Zlib.stored(clean)
  }
}
