import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from a PNG that is not needed to show it; pixels are read only to find which
/// colors of a palette they use.
///
/// Kept, with verified checksums, are the header, the palette without unused colors, the picture up to
/// the end of its zlib stream, transparency, background, color, and the frames of an APNG. Written anew
/// are a cleaned ICC profile under the name "icc", an eXIf chunk with an orientation of 2 to 8 and values
/// that `except` names, and XMP with those. Everything else is removed: texts, times, pHYs (dots
/// per inch), and everything after the IEND.
enum PNGStripper: CodedPictureStripper {
  static func strip(
    _ source: ByteSource,
    cache: PictureDataCache,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let header = try PNGHeader(of: source)
    let decoded = builder.edits ? try PNGPictures(of: source, cache: cache) : nil
    var pictures = decoded.map { PNGPictureWriter($0) }
    try builder.copy(0..<PNG.signature.count)
    var parser = try PNGParser(source)
    var state = State(header)
    while let chunk = try parser.next() {
      var disposition = try PNGAllowList.judge(chunk, colorType: header.colorType, in: source)
      if try !state.accepts(chunk, isWellFormed: disposition != .removed) { disposition = .removed }
      if builder.edits, disposition != .removed { try parser.check(chunk) }
      switch disposition {
      case .removed:
        builder.remove(PNG.name(chunk.type)) { list(chunk, of: source, header: header, into: &$0) }
      case .profile(let content):
        if source.bytes(in: chunk.data, limit: content.count) != content {
          builder.remove("iCCP name or parts")
        }
        builder.show { listProfile(chunk, of: source, to: &$0) }
        try builder.literal(PNG.chunk("iCCP", content))
      case .kept where chunk.type == "IEND":
        // The output's IEND is always the same twelve bytes.
        try builder.literal(PNG.chunk("IEND", []))
        if chunk.data.count > 0 { builder.remove("IEND data") }
      case .kept where chunk.type == "IDAT" || chunk.type == "fdAT":
        try pictures?.append(chunk, of: source, to: &builder)
      case .kept where isPalette(chunk, header):
        guard let decoded else { continue }
        let content = try decoded.colors.cleared(chunk, of: source)
        if source.bytes(in: chunk.data, limit: content.count) == content {
          try builder.copy(chunk.range)
        } else {
          try builder.literal(PNG.chunk(chunk.type, content))
          builder.remove("unused colors")
        }
      case .kept:
        try builder.copy(chunk.range)
        if chunk.type == "IHDR", builder.edits { try appendValues(of: source, to: &builder) }
      }
    }
    guard state.picture != .before || !builder.edits else {
      throw MetadataError(.damaged, "no IDAT")
    }
    builder.removeTrailer(from: parser.offset, of: source)
  }

  /// Returns whether a chunk has a value for each color of a picture with a palette.
  static func isPalette(_ chunk: PNGChunk, _ header: PNGHeader) -> Bool {
    header.colorType == 3 && (chunk.type == "PLTE" || chunk.type == "tRNS")
  }

  /// Appends the orientation and the kept values.
  private static func appendValues(
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    var kept = builder.options.kept(of: PNGMetadata.self, in: source)
    // A live photo's still is never a PNG.
    kept.contentIdentifier = nil
    let orientation = PNGFacts.exif(of: source).orientation
    if let block = ExifWriter.block(orientation: orientation, kept: kept) {
      try builder.literal(PNG.chunk("eXIf", block))
    }
    if let packet = XMPWriter.packet(kept: kept) {
      try builder.literal(PNG.chunk("iTXt", PNGMetadata.xmpHead + packet))
    }
  }
}

extension PNGStripper {
  /// The state of a decoder at the current chunk.
  struct State {
    enum Picture {
      case before
      case within
      case after
    }

    private(set) var picture = Picture.before
    private let header: PNGHeader
    private var sawHeader = false
    private var sawPalette = false
    private var seen: Set<FourCharacterCode> = []

    /// Starts before the first chunk of a picture.
    init(_ header: PNGHeader) { self.header = header }

    /// Returns whether a decoder uses a chunk of this type here; one that is not well-formed is
    /// removed and therefore counts as not seen.
    ///
    /// - Throws: `damaged` when it must not occur here.
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
      // Frames without an acTL chunk are not shown by any decoder, so they are removed.
      case "fcTL": return header.isAnimated
      case "fdAT": return header.isAnimated && picture == .after
      case "IEND": return true
      // Of colors that do not stand in front of it a decoder knows nothing.
      case "tRNS", "bKGD":
        if header.colorType == 3, !sawPalette { return false }
      default: break
      }
      // A decoder ignores a second chunk, and one after the picture.
      return picture == .before && seen.insert(type).inserted
    }
  }
}
