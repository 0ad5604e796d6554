import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from a WAV that is not needed to play it; also from an RF64 and a BW64.
///
/// The samples are kept, in whole blocks. Written anew are the lengths, `ds64`, `fmt ` with the
/// fields that its format has, `fact`, and what `except` keeps as LIST INFO. Removed are all other
/// chunks, with markers, loops and padding, and the bytes after the end. A format that is not
/// known to be plain samples fails closed: MPEG audio in a WAV may have tags of its own.
enum WAVStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let container = try WAVContainer(of: source)
    guard container.format.isKnown else {
      throw MetadataError(.stripUnsupported, "WAV with \(container.format.codec)")
    }
    let info = WAVInfo.list(options.kept(of: WAVMetadata.find(in: source)))
    var builder = EditListBuilder(sourceLength: source.length)
    try builder.literal(head(container, info: info))
    try builder.copy(container.audio)
    if container.audio.count % 2 == 1 { try builder.literal([0]) }
    var sawOwn = false
    for chunk in container.others {
      if chunk.type == "LIST", let info, !sawOwn,
        source.bytes(in: chunk.data, limit: info.count) == info
      {
        sawOwn = true
        continue
      }
      builder.remove(chunk.name)
    }
    if container.end < source.length { builder.remove("trailer") }
    return builder.finish()
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    // Stripping a stripped file must leave it as it is, byte by byte.
    try StableOutput.verify(try editList(of: output, options: options), over: output)
  }

  /// Returns everything before the samples.
  private static func head(_ container: WAVContainer, info: [UInt8]?) -> [UInt8] {
    var chunks = RIFFChunk.bytes("fmt ", container.format.bytes)
    let frames = container.frameCount ?? 0
    if container.sampleCount != nil || container.format.isPlain && container.format.code != 1 {
      chunks += RIFFChunk.bytes("fact", min(frames, 0xFFFF_FFFF).bytes(4, .little))
    }
    if let info { chunks += RIFFChunk.bytes("LIST", info) }
    let audio = container.audio.count
    let length = 4 + chunks.count + 8 + audio + audio % 2
    // With the 36 bytes of ds64.
    let isLong = container.isLong || length > 0xFFFF_FFFF
    let form: FourCharacterCode = container.isLong ? container.form : isLong ? "RF64" : "RIFF"
    var head = form.bytes + (isLong ? 0xFFFF_FFFF : length).bytes(4, .little) + Array("WAVE".utf8)
    if isLong {
      let lengths = [length + 36, audio, frames].flatMap { $0.bytes(8, .little) }
      head += RIFFChunk.bytes("ds64", lengths + [0, 0, 0, 0])
    }
    return head + chunks
      + RIFFChunk.header("data", length: isLong ? 0xFFFF_FFFF : audio)
  }
}
