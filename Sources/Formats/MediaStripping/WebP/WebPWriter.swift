import MediaContainers
import MediaMetadata
import MediaModel

/// Writes the chunks of a stripped WebP.
enum WebPWriter {
  /// The flags of VP8X for the chunks that exist; 0x10 says that there is alpha.
  static let flags: [FourCharacterCode: UInt8] = [
    "ANIM": 0x02, "XMP ": 0x04, "EXIF": 0x08, "ICCP": 0x20,
  ]

  static func list(_ container: WebPContainer) -> AllowList<FourCharacterCode> {
    container.animation == nil ? WebPAllowList.still : WebPAllowList.animation
  }

  /// Returns the contents of the chunks that are not copied.
  ///
  /// - Throws: `overLimit` for a color profile of more than 4 MiB.
  static func written(
    _ container: WebPContainer,
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> [FourCharacterCode: [UInt8]] {
    var written: [FourCharacterCode: [UInt8]] = [:]
    if let chunk = container.profile {
      written["ICCP"] = try ICCProfile.cleaned(chunk.data, of: source)
    }
    let orientation = (try? WebPFacts.facts(of: source))?.orientation ?? 1
    var values = options.kept(of: WebPMetadata.self, in: source)
    // A live photo's still is never a WebP.
    values.contentIdentifier = nil
    if let block = ExifWriter.block(orientation: orientation, kept: values) {
      // Keep JPEG's identifier before the block for readers that expect it there.
      written["EXIF"] = (container.hasExifIdentifier ? Array("Exif\0\0".utf8) : []) + block
    }
    written["XMP "] = XMPWriter.packet(kept: values)
    if let animation = container.animation {
      written["ANIM"] = source.bytes(in: animation.data.prefix(6), limit: 6)
    }
    if container.extended != nil || !written.isEmpty {
      written["VP8X"] = extended(container, written)
    }
    return written
  }

  /// Writes all chunks that follow "WEBP".
  static func write(
    _ container: WebPContainer,
    of source: ByteSource,
    to output: inout EditListBuilder
  ) throws(MetadataError) {
    let list = list(container)
    var written = try written(container, of: source, options: output.options)
    let keys = list.parts.flatMap(\.keys)
    for key in keys.prefix(while: { list[$0]?.rule != .copied }) {
      if let data = written[key] { try output.literal(RIFFChunk.bytes(key, data)) }
    }
    if let extended = container.extended, extended.data.count > 10 { output.remove("VP8X data") }
    if let animation = container.animation, animation.data.count > 6 {
      output.remove("ANIM data")
    }
    let last = keys.suffix(2).compactMap { key in written[key].map { (key, $0) } }
    var chunks = RIFFChunks(source, in: container.content)
    var picture = PartCursor(WebPAllowList.frame)
    while let chunk = try chunks.nextWhole() {
      let isCopied = list[chunk.type]?.rule == .copied
      if isCopied, chunk.type == "ANMF" {
        try frame(chunk, of: source, to: &output)
      } else if isCopied, container.extended != nil || chunk.type != "ALPH",
        picture.refusal(of: chunk.type, length: chunk.data.count) == nil
      {
        try copy(chunk, of: source, to: &output)
      } else if chunk.data != container.extended?.data, chunk.data != container.animation?.data,
        !written.remove(chunk.type, ifSameAs: chunk.data, of: source)
      {
        output.remove(chunk.name) { WebPStripper.list(chunk, of: source, into: &$0) }
      }
    }
    for (key, data) in last { try output.literal(RIFFChunk.bytes(key, data)) }
  }

  /// Returns the VP8X data: flags for the chunks that exist, the canvas, and zeros in reserved
  /// fields.
  private static func extended(
    _ container: WebPContainer,
    _ written: [FourCharacterCode: [UInt8]]
  ) -> [UInt8] {
    var flags: UInt8 = container.hasAlpha ? 0x10 : 0
    for key in written.keys { flags |= Self.flags[key] ?? 0 }
    let sides = container.size.map { [$0.width - 1, $0.height - 1] } ?? []
    return [flags, 0, 0, 0] + sides.flatMap { $0.bytes(3, .little) }
  }

  /// Reads the header of a picture.
  ///
  /// - Throws: `damaged` when there is none.
  static func picture(
    _ chunk: RIFFChunk,
    of source: ByteSource
  ) throws(MetadataError) -> WebPBitstream {
    guard let picture = WebPBitstream(chunk, in: source), !picture.isCut else {
      throw MetadataError(.damaged, "\(chunk.name) without a header")
    }
    return picture
  }

  /// Writes a frame without unknown chunks; its first sixteen bytes hold position, size, duration,
  /// and two flags.
  ///
  /// - Throws: `damaged` for a frame that ends early or has no picture of its size.
  private static func frame(
    _ frame: RIFFChunk,
    of source: ByteSource,
    to output: inout EditListBuilder
  ) throws(MetadataError) {
    guard let header = WebPFrame(frame, in: source),
      let flags = source.byte(at: header.data.lowerBound - 1)
    else { throw MetadataError(.damaged, "ANMF that ends early") }
    let inner = header.data
    var chunks = RIFFChunks(source, in: inner)
    var picture = PartCursor(WebPAllowList.frame)
    var parts: [RIFFChunk] = []
    var sawPicture = false
    while let chunk = try chunks.nextWhole() {
      guard picture.refusal(of: chunk.type, length: chunk.data.count) == nil else {
        output.remove("ANMF \(chunk.name)")
        continue
      }
      parts.append(chunk)
      guard chunk.type != "ALPH" else { continue }
      guard try self.picture(chunk, of: source).size == header.size else {
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
      output.remove("reserved bits")
      try output.literal([flags & 3])
    }
    for part in parts { try copy(part, of: source, to: &output) }
  }

  /// Writes a chunk without reserved bits, padded with a zero.
  private static func copy(
    _ chunk: RIFFChunk,
    of source: ByteSource,
    to output: inout EditListBuilder
  ) throws(MetadataError) {
    if chunk.type == "ALPH", let flags = source.byte(at: chunk.data.lowerBound), flags & 0xC0 != 0 {
      try output.copy(chunk.range.prefix(8))
      try output.literal([flags & 0x3F])
      try output.copy(chunk.data.dropFirst())
      output.remove("reserved bits")
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
}
