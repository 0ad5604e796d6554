import MediaContainers
import MediaModel

/// The chunks of a PNG that decoding its first picture needs.
///
/// Source: PNG specification (third edition) sections 5, 11 and 13.
struct PNGStructure {
  let header: PNGImageHeader
  /// The red, green and blue samples of each palette entry.
  private(set) var palette: [UInt8] = []
  /// The data of `tRNS`.
  private(set) var transparency: [UInt8] = []
  /// The ranges of compressed pixels, in order.
  private(set) var data: [Range<Int>] = []
  /// The profile from iCCP, from code points or from chromaticities; nil is sRGB.
  let profile: ColorProfile?

  /// Reads the chunks.
  ///
  /// - Throws: `damaged`, and `overLimit` for pixels, frames, text and profile.
  init(
    _ bytes: UnsafeRawBufferPointer,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) {
    let source = ByteSource(bytes)
    guard source.holds("IHDR", at: 12), var parser = try? PNGParser(source)
    else { throw ImagingError(.damaged, "no PNG header") }
    var header: PNGImageHeader?
    var colors = PNGColors()
    var textByteCount = 0
    while let chunk = parser.nextLenient() {
      let name = PNG.name(chunk.type)
      let isIntact = parser.isIntact(chunk)
      if chunk.isCritical, !isIntact, !acceptDamaged {
        throw ImagingError(.damaged, "\(name) ends early or has a wrong checksum")
      }
      switch chunk.type {
      case "IHDR": header = try Self.header(chunk, of: source, limits)
      case "PLTE": palette = Array(bytes[chunk.data])
      case "IDAT": data.append(chunk.data)
      case "IEND": break
      case "tRNS": if isIntact { transparency = Array(bytes[chunk.data]) }
      case "acTL":
        let frameCount = source.uint32(at: chunk.data.lowerBound) ?? 0
        if isIntact { try limits.check(frameCount: frameCount) }
      case "iCCP", "cICP", "sRGB", "gAMA", "cHRM":
        if isIntact { try colors.read(chunk, of: source, limits) }
      case "tEXt", "zTXt", "iTXt":
        try Self.add(chunk, of: source, to: &textByteCount, limits)
      default:
        guard !chunk.isCritical || acceptDamaged else {
          throw ImagingError(.unsupported, "chunk \(name)")
        }
      }
    }
    if parser.isCutShort, !acceptDamaged { throw ImagingError(.damaged, "ends before IEND") }
    guard let header, !data.isEmpty, header.colorType != .palette || palette.count >= 3 else {
      throw ImagingError(.damaged, "no pixels, or no palette for them")
    }
    self.header = header
    profile = colors.profile(isGray: header.colorType == .gray || header.colorType == .grayAlpha)
  }

  private static func header(
    _ chunk: PNGChunk,
    of source: ByteSource,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> PNGImageHeader {
    guard let header = PNGImageHeader(chunk.data, in: source), header.hasAllowedDepth else {
      throw ImagingError(.damaged, "IHDR: color type, depth, method or interlacing")
    }
    try limits.check(width: header.size.width, height: header.size.height)
    return header
  }

  /// Counts the text of a chunk without holding it: 200 KB can inflate to 200 MB.
  private static func add(
    _ chunk: PNGChunk,
    of source: ByteSource,
    to byteCount: inout Int,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    byteCount += chunk.data.count
    try limits.check(textByteCount: byteCount)
    guard let keyword = PNGKeyword(chunk, in: source), keyword.isCompressed else { return }
    guard let stream = ZlibStream(ByteSource(source, keyword.content)) else {
      throw ImagingError(.overLimit, "no memory to unpack text")
    }
    byteCount += stream.count(limit: limits.item.textBytes - byteCount)
    try limits.check(textByteCount: byteCount)
  }
}
