import MediaModel

/// Takes everything out of a PNG that is not needed to show it; the picture is not inflated.
///
/// Kept, with checked checksums: header, palette, picture, transparency, colour, the frames of an
/// APNG. Written anew: an ICC profile under the name "icc", an eXIf chunk with nothing but an
/// orientation of 2 to 8. All else goes: texts, times, pHYs (dots per inch), bKGD, and everything
/// after the IEND.
enum PNGStripper {
  static let profileName = "icc"

  static func editList<Source: ByteSource>(
    of source: Source,
    orientation: Int
  ) throws(MetadataError) -> EditList {
    let header = try PNGHeader(of: source)
    var builder = EditListBuilder(sourceLength: source.length)
    try builder.copy(0..<PNG.signature.count)
    var parser = try PNGParser(source)
    var state = State()
    while let chunk = try parser.next() {
      var judgement = try PNGAllowList.judge(chunk, colourType: header.colourType, in: source)
      if try !state.accepts(chunk, isWellFormed: judgement != .removed) { judgement = .removed }
      switch judgement {
      case .removed:
        builder.remove(PNG.name(chunk.type))
      case .profile(let stream):
        try parser.check(chunk)
        try appendProfile(stream, of: source, to: &builder)
        if stream.upperBound < chunk.data.upperBound {
          builder.remove("bytes after the ICC profile")
        }
      case .shortenedProfile(let stream):
        try parser.check(chunk)
        try builder.literal(PNG.chunk("iCCP", Array(profileName.utf8) + [0, 0] + stream))
        builder.remove("bytes after the ICC profile")
      case .kept where chunk.type == "IEND":
        // Always the same twelve bytes.
        try builder.literal(PNG.chunk("IEND", []))
        if chunk.data.count > 0 { builder.remove("IEND data") }
      case .kept:
        try parser.check(chunk)
        try builder.copy(chunk.range)
        if chunk.type == "IHDR", (2...8).contains(orientation) {
          try builder.literal(PNG.chunk("eXIf", MinimalExif.block(orientation: orientation)))
        }
      }
    }
    guard state.picture != .before else { throw MetadataError(.damaged, "no IDAT") }
    if parser.offset < source.length { builder.remove("trailer") }
    return builder.finish()
  }

  /// The profile's own bytes under a name that says nothing.
  private static func appendProfile<Source: ByteSource>(
    _ stream: Range<Int>,
    of source: Source,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    let type: FourCharacterCode = "iCCP"
    let head = type.bytes + Array(profileName.utf8) + [0, 0]
    var sum = CRC32()
    sum.add(head)
    sum.add(stream, of: source)
    try builder.literal(PNG.uint32(head.count - 4 + stream.count) + head)
    try builder.copy(stream)
    try builder.literal(PNG.uint32(Int(sum.value)))
  }
}

extension PNGStripper {
  /// Where a decoder would stand.
  struct State {
    enum Picture {
      case before
      case within
      case after
    }

    private(set) var picture = Picture.before
    private var isAnimated = false
    private var sawHeader = false
    private var sawPalette = false
    private var seen: Set<FourCharacterCode> = []

    /// Whether a chunk of this type means something here; one that is not well-formed goes, and so
    /// counts as not seen.
    ///
    /// - Throws: `damaged` when it cannot stand here at all.
    mutating func accepts(
      _ chunk: PNGChunk,
      isWellFormed: Bool
    ) throws(MetadataError) -> Bool {
      let type = chunk.type
      if picture == .within, type != "IDAT" { picture = .after }
      guard isWellFormed else { return false }
      switch type {
      case "IHDR":
        guard !sawHeader else { throw MetadataError(.damaged, "a second IHDR") }
        sawHeader = true
        return true
      case "PLTE":
        guard picture == .before, !sawPalette else {
          throw MetadataError(.damaged, "a second PLTE")
        }
        sawPalette = true
        return true
      case "IDAT":
        guard picture != .after else { throw MetadataError(.damaged, "IDAT that is not one piece") }
        picture = .within
        return true
      case "acTL": isAnimated = isAnimated || picture == .before
      // Frames that nothing announces are no frames: they would be pictures that nobody sees.
      case "fcTL": return isAnimated
      case "fdAT": return isAnimated && picture == .after
      default: break
      }
      guard PNGAllowList.standsOnceBeforePicture(type) else { return true }
      return picture == .before && seen.insert(type).inserted
    }
  }
}
