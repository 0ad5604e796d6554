import MediaContainers
import MediaMetadata
import MediaModel

/// A receiver of an output's parts, in order.
protocol WebPOutput {
  mutating func copy(_ range: Range<Int>) throws(MetadataError)
  mutating func literal(_ bytes: [UInt8]) throws(MetadataError)
  mutating func remove(_ name: String, count: Int)
}

extension EditListBuilder: WebPOutput {}

/// Writes the chunks of a stripped WebP.
enum WebPWriter {
  /// The chunks that are written anew from values.
  struct Kept {
    var profile: [UInt8]?
    var exif: [UInt8]?
    var xmp: [UInt8]?

    init(
      _ container: WebPContainer,
      of source: ByteSource,
      options: StripOptions
    ) throws(MetadataError) {
      if let chunk = container.profile {
        guard let bytes = source.bytes(in: chunk.data, limit: ICCProfile.maximumLength) else {
          throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
        }
        profile = ICCProfile.cleaned(bytes)
      }
      let orientation = (try? WebPFacts.facts(of: source))?.orientation ?? 1
      var values = options.kept(of: WebPMetadata.find(in: source))
      // A live photo's still is never a WebP.
      values.contentIdentifier = nil
      exif = ExifWriter.block(orientation: orientation, kept: values)
      // Keep JPEG's identifier before the block for readers that expect it there.
      if container.hasExifIdentifier, let block = exif { exif = Array("Exif\0\0".utf8) + block }
      xmp = XMPWriter.packet(kept: values)
    }
  }

  /// An output that only adds up the lengths.
  struct Sum: WebPOutput {
    private(set) var total = 0
    mutating func copy(_ range: Range<Int>) { total += range.count }
    mutating func literal(_ bytes: [UInt8]) { total += bytes.count }
    mutating func remove(_ name: String, count: Int) {}
  }

  /// Writes all chunks that follow "WEBP".
  static func write<Output: WebPOutput>(
    _ container: WebPContainer,
    of source: ByteSource,
    kept: Kept,
    to output: inout Output
  ) throws(MetadataError) {
    let isExtended =
      container.extended != nil || kept.profile != nil || kept.exif != nil || kept.xmp != nil
    if isExtended {
      try chunk("VP8X", extended(container, kept: kept), to: &output)
    }
    if let profile = kept.profile { try chunk("ICCP", profile, to: &output) }
    if let animation = container.animation {
      guard let bytes = source.bytes(in: animation.data.prefix(6), limit: 6) else { return }
      try chunk("ANIM", bytes, to: &output)
    }
    if let extended = container.extended, extended.data.count > 10 {
      output.remove("VP8X data", count: 1)
    }
    if let animation = container.animation, animation.data.count > 6 {
      output.remove("ANIM data", count: 1)
    }
    var chunks = RIFFChunks(source, in: container.content)
    var picture = PictureState()
    while let found = try chunks.nextWhole() {
      switch found.type {
      case "VP8X" where found.data == container.extended?.data: break
      case "ICCP" where isSame(found, as: kept.profile, in: source): break
      case "ANIM" where found.data == container.animation?.data: break
      case "EXIF" where isSame(found, as: kept.exif, in: source): break
      case "XMP " where isSame(found, as: kept.xmp, in: source): break
      case "ANMF" where container.animation != nil:
        try frame(found, of: source, to: &output)
      case _
      where container.animation == nil
        && picture.accepts(found, isExtended: container.extended != nil):
        try copy(found, of: source, to: &output)
      default: output.remove(found.name, count: 1)
      }
    }
    if let exif = kept.exif { try chunk("EXIF", exif, to: &output) }
    if let xmp = kept.xmp { try chunk("XMP ", xmp, to: &output) }
  }

  /// Returns whether a chunk already is what would be written.
  private static func isSame(
    _ chunk: RIFFChunk,
    as written: [UInt8]?,
    in source: ByteSource
  ) -> Bool {
    guard let written, written.count == chunk.data.count else { return false }
    return source.bytes(in: chunk.data, limit: written.count) == written
  }

  /// Returns the VP8X data: flags for the chunks that exist, the canvas, and zeros in reserved
  /// fields.
  private static func extended(_ container: WebPContainer, kept: Kept) -> [UInt8] {
    var flags: UInt8 = 0
    if kept.profile != nil { flags |= 0x20 }
    if container.hasAlpha { flags |= 0x10 }
    if kept.exif != nil { flags |= 0x08 }
    if kept.xmp != nil { flags |= 0x04 }
    if container.animation != nil { flags |= 0x02 }
    let sides = container.size.map { [$0.width - 1, $0.height - 1] } ?? []
    return [flags, 0, 0, 0] + sides.flatMap { $0.bytes(3, .little) }
  }

  /// The state of a decoder within a picture: at most one alpha chunk, then one picture.
  private struct PictureState {
    private var sawAlpha = false
    private var sawPicture = false

    mutating func accepts(_ chunk: RIFFChunk, isExtended: Bool) -> Bool {
      switch chunk.type {
      case "ALPH" where isExtended && !sawAlpha && !sawPicture && !chunk.data.isEmpty:
        sawAlpha = true
        return true
      case "VP8 " where !sawPicture, "VP8L" where !sawPicture:
        sawPicture = true
        return true
      default: return false
      }
    }
  }

  /// Writes a frame without unknown chunks; its first sixteen bytes hold position, size, duration,
  /// and two flags.
  ///
  /// - Throws: `damaged` for a frame that ends early or has no picture of its size.
  private static func frame<Output: WebPOutput>(
    _ frame: RIFFChunk,
    of source: ByteSource,
    to output: inout Output
  ) throws(MetadataError) {
    guard let header = WebPFrame(frame, in: source),
      let flags = source.byte(at: header.data.lowerBound - 1)
    else { throw MetadataError(.damaged, "ANMF that ends early") }
    let inner = header.data
    var chunks = RIFFChunks(source, in: inner)
    var state = PictureState()
    var parts: [RIFFChunk] = []
    var sawPicture = false
    while let chunk = try chunks.nextWhole() {
      guard state.accepts(chunk, isExtended: true) else {
        output.remove("ANMF \(chunk.name)", count: 1)
        continue
      }
      parts.append(chunk)
      guard chunk.type != "ALPH" else { continue }
      guard let picture = WebPBitstream(chunk, in: source), !picture.isCut else {
        throw MetadataError(.damaged, "\(chunk.name) without a header")
      }
      guard picture.size == header.size else {
        throw MetadataError(.damaged, "a frame of another size")
      }
      sawPicture = true
    }
    guard sawPicture else { throw MetadataError(.damaged, "a frame without a picture") }
    let length = parts.reduce(16) { $0 + 8 + $1.data.count + $1.data.count % 2 }
    if length == frame.data.count {
      try output.copy(frame.range.lowerBound..<frame.data.lowerBound)
    } else {
      try output.literal(RIFFChunk.header("ANMF", length: length))
    }
    try output.copy(frame.data.prefix(15))
    if flags & 0xFC == 0 {
      try output.copy((inner.lowerBound - 1)..<inner.lowerBound)
    } else {
      output.remove("reserved bits", count: 1)
      try output.literal([flags & 3])
    }
    for part in parts { try copy(part, of: source, to: &output) }
  }

  /// Writes a chunk without reserved bits, padded with a zero.
  private static func copy<Output: WebPOutput>(
    _ chunk: RIFFChunk,
    of source: ByteSource,
    to output: inout Output
  ) throws(MetadataError) {
    if chunk.type == "ALPH", let flags = source.byte(at: chunk.data.lowerBound), flags & 0xC0 != 0 {
      try output.copy(chunk.range.prefix(8))
      try output.literal([flags & 0x3F])
      try output.copy(chunk.data.dropFirst())
      output.remove("reserved bits", count: 1)
    } else {
      try output.copy(chunk.range)
    }
    guard chunk.data.count % 2 == 1 else { return }
    let padding = chunk.data.upperBound
    if source.byte(at: padding) == 0 {
      try output.copy(padding..<(padding + 1))
    } else {
      try output.literal([0])
    }
  }

  private static func chunk<Output: WebPOutput>(
    _ type: FourCharacterCode,
    _ data: [UInt8],
    to output: inout Output
  ) throws(MetadataError) {
    try output.literal(RIFFChunk.bytes(type, data))
  }
}
