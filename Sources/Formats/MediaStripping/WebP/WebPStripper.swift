import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from a WebP that is not needed to show it.
///
/// Pictures, alpha, an animation's frames and timing, and the canvas are kept. Written anew are the
/// RIFF length, VP8X, a cleaned ICC profile, and an EXIF chunk with an orientation of 2 to 8.
/// Removed are XMP, unknown chunks (also within frames), padding that is not zero, and everything
/// after the RIFF chunk. A simple file stays simple unless it has an orientation.
enum WebPStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let container = try WebPContainer(of: source)
    if builder.edits {
      // The length is known when all chunks are written.
      try builder.literal(form(0))
      try WebPWriter.write(container, of: source, to: &builder)
      builder.replaceStart(at: 0, with: form(builder.outputLength))
    } else {
      try list(container, of: source, into: &builder.listing)
    }
    builder.removeTrailer(from: container.content.upperBound, of: source)
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let container = try WebPContainer(of: output)
    guard output.holds(form(output.length), at: 0) else { throw MetadataError(.residue, "form") }
    var walker = PartWalker(WebPWriter.list(container), output, from: 12)
    var chunks = RIFFChunks(output, in: container.content)
    var flags: UInt8 = 0
    while let chunk = try chunks.nextWhole() {
      let bytes = output.bytes(in: chunk.data, limit: ICCProfile.maximumLength) ?? []
      var isOwn: Bool?
      switch chunk.type {
      case "VP8X":
        isOwn =
          chunk.data == container.extended?.data && output.isZero(chunk.data.dropFirst().prefix(3))
      case "ICCP": isOwn = ICCProfile.cleaned(bytes) == bytes
      case "ANIM": isOwn = chunk.data == container.animation?.data
      case "EXIF":
        let block = Array(bytes.dropFirst(container.hasExifIdentifier ? 6 : 0))
        isOwn = ExifWriter.isOwn(block, under: options)
      case "XMP ": isOwn = XMPWriter.isOwn(bytes, under: options, keepsProjection: true)
      default: isOwn = chunk.type == "ALPH" && container.extended == nil ? false : nil
      }
      flags |= WebPWriter.flags[chunk.type] ?? 0
      try walker.pass(chunk.type, chunk.data, isOwn: isOwn)
      if chunk.type == "ANMF" {
        try verify(frame: chunk, of: output)
      } else if isOwn == nil {
        _ = try picture(chunk, of: output)
      }
    }
    try walker.finish()
    let extended = container.extended.flatMap { output.byte(at: $0.data.lowerBound) }
    // Only VP8X says whether there is alpha.
    guard extended.map({ $0 & ~0x10 == flags }) ?? (flags == 0) else {
      throw MetadataError(.residue, "flags of VP8X")
    }
  }

  /// Verifies the chunks within a frame.
  private static func verify(
    frame: RIFFChunk,
    of output: ByteSource
  ) throws(MetadataError) {
    guard let header = WebPFrame(frame, in: output) else { throw MetadataError(.residue, "ANMF") }
    let inner = header.data
    guard let flags = output.byte(at: inner.lowerBound - 1), flags & 0xFC == 0 else {
      throw MetadataError(.residue, "reserved bits")
    }
    var walker = PartWalker(WebPAllowList.frame, output, from: inner.lowerBound)
    var chunks = RIFFChunks(output, in: inner)
    var shown: WebPBitstream?
    while let chunk = try chunks.nextWhole() {
      try walker.pass(chunk.type, chunk.data)
      shown = try picture(chunk, of: output) ?? shown
    }
    try walker.finish(at: inner.upperBound)
    guard let shown, shown.size == header.size else {
      throw MetadataError(.damaged, "a frame of another size")
    }
  }

  /// Reads a chunk that is copied: nil for an alpha channel.
  private static func picture(
    _ chunk: RIFFChunk,
    of output: ByteSource
  ) throws(MetadataError) -> WebPBitstream? {
    guard chunk.type == "ALPH" else { return try WebPWriter.picture(chunk, of: output) }
    guard let flags = output.byte(at: chunk.data.lowerBound), flags & 0xC0 == 0 else {
      throw MetadataError(.residue, "reserved bits")
    }
    return nil
  }

  /// Returns the twelve bytes before the first chunk of a file of `length` bytes.
  private static func form(_ length: Int) -> [UInt8] {
    RIFFChunk.header("RIFF", length: length - 8) + Array("WEBP".utf8)
  }
}
