import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from an AIFF or AIFF-C that is not needed to play it.
///
/// As many samples as the file declares are kept. Written anew are `COMM` without the name of its
/// compression, `FVER`, the head of `SSND`, and what `except` keeps as `NAME` title, `AUTH`
/// creator, `(c) ` copyright, `ANNO` caption, and an ID3 tag with date and rating, for which the
/// format has no chunk. Removed are all other chunks, with markers and instruments, and the bytes
/// after the end. An unknown compression fails closed.
enum AIFFStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let container = try AIFFContainer(of: source)
    guard container.packetLength != nil else {
      throw MetadataError(.stripUnsupported, "AIFF-C of a compression that is not known")
    }
    let texts = AIFFTexts.chunks(options.kept(of: AIFFMetadata.find(in: source)))
    var builder = EditListBuilder(sourceLength: source.length)
    try builder.literal(head(container, texts: texts))
    try builder.copy(container.audio)
    if container.audio.count % 2 == 1 { try builder.literal([0]) }
    var own = texts
    for chunk in container.others {
      let data = source.bytes(in: chunk.data, limit: 1 << 16)
      if let place = own.firstIndex(where: { $0.type == chunk.type && $0.data == data }) {
        own.remove(at: place)
      } else {
        builder.remove(chunk.name.filter { $0 != " " })
      }
    }
    for part in container.slack { builder.remove("\(part.name) slack") }
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
  private static func head(_ container: AIFFContainer, texts: [AIFFTexts.Text]) -> [UInt8] {
    var common = container.channelCount.bytes(2) + container.frameCount.bytes(4)
    common += container.bitsPerSample.bytes(2) + container.sampleRateBytes
    if container.isCompressed { common += container.compression.bytes + [0, 0] }
    var chunks = container.hasVersion ? chunk("FVER", [0xA2, 0x80, 0x51, 0x40]) : []
    chunks += chunk("COMM", common)
    for text in texts { chunks += chunk(text.type, text.data) }
    let audio = container.audio.count
    let length = 4 + chunks.count + 16 + audio + audio % 2
    return Array("FORM".utf8) + length.bytes(4)
      + Array((container.isCompressed ? "AIFC" : "AIFF").utf8) + chunks
      + Array("SSND".utf8) + (8 + audio).bytes(4) + [0, 0, 0, 0, 0, 0, 0, 0]
  }

  private static func chunk(_ type: FourCharacterCode, _ data: [UInt8]) -> [UInt8] {
    type.bytes + data.count.bytes(4) + data + (data.count % 2 == 1 ? [0] : [])
  }
}
