package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from an AIFF or AIFF-C that is not needed to play it.
///
/// As many samples as the file declares are kept. Written anew are `COMM` without the name of its
/// compression, `FVER`, the head of `SSND`, and what `except` keeps as `NAME` title, `AUTH`
/// creator, `(c) ` copyright, `ANNO` caption, and an ID3 tag with date and rating, for which the
/// format has no chunk. Removed are all other chunks, with markers and instruments, and the bytes
/// after the end. An unknown compression fails closed.
package enum AIFFStripper: ContainerStripper {
  /// Offset and block size at the start of SSND.
  private static let audioHead = [UInt8](repeating: 0, count: 8)

  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let container = try AIFFContainer(of: source)
    var own = builder.edits ? try write(container, of: source, to: &builder) : [:]
    for chunk in container.others where !own.remove(chunk.type, ifSameAs: chunk.data, of: source) {
      builder.remove(chunk.type.name) { list(chunk, of: source, into: &$0) }
    }
    for part in container.slack { builder.remove("\(part.name) slack", at: part.range) }
    builder.removeTrailer(from: container.end, of: source)
  }

  /// Writes the chunks of the output, and returns those that a chunk of the source may have as they are.
  private static func write(
    _ container: AIFFContainer,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) -> [FourCharacterCode: [UInt8]] {
    guard container.packetLength != nil else {
      throw MetadataError(.stripUnsupported, "AIFF-C of a compression that is not known")
    }
    let texts = AIFFTexts.chunks(builder.options.kept(of: AIFFMetadata.find(in: source)))
    let written = written(container, texts)
    let audio = audioHead.count + container.audio.count
    let lengths = written.values.map(\.count) + [audio]
    let length = lengths.reduce(4) { $0 + 8 + $1 + $1 % 2 }
    let form = container.isCompressed ? "AIFC" : "AIFF"
    try builder.literal(head("FORM", length) + Array(form.utf8))
    for key in AIFFAllowList.list.parts.flatMap(\.keys) {
      if key == "SSND" {
        try builder.literal(head(key, audio) + audioHead)
        try builder.copy(container.audio)
        if audio % 2 == 1 { try builder.literal([0]) }
      } else if let data = written[key] {
        try builder.literal(head(key, data.count) + data + (data.count % 2 == 1 ? [0] : []))
      }
    }
    return Dictionary(uniqueKeysWithValues: texts.map { ($0.type, $0.data) })
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let container = try AIFFContainer(of: output)
    let texts = AIFFTexts.chunks(options.kept(of: AIFFMetadata.find(in: output)))
    var expected = Dictionary(uniqueKeysWithValues: texts.map { ($0.type, $0.data) })
    expected["FVER"] = [0xA2, 0x80, 0x51, 0x40]
    var walker = PartWalker(AIFFAllowList.list, output, from: 12, expected: expected)
    for chunk in container.chunks {
      // The parser knows each field of COMM and reports what is more.
      let isOwn = chunk.type == "COMM" ? container.slack.isEmpty : nil
      try walker.pass(chunk.type, chunk.data, isOwn: isOwn)
    }
    try walker.finish()
    guard output.uint32(at: 4) == output.length - 8, container.packetLength != nil,
      let samples = container.chunks.last?.data, samples.dropFirst(8) == container.audio,
      output.uint32(at: samples.lowerBound - 4) == samples.count,
      output.isZero(samples.prefix(8)),
      let common = container.chunks.first(where: { $0.type == "COMM" })?.data,
      output.uint32(at: common.lowerBound + 2) == container.frameCount
    else { throw MetadataError(.residue, "lengths") }
  }

  /// Returns the contents of the chunks that are not copied.
  private static func written(
    _ container: AIFFContainer,
    _ texts: [AIFFTexts.Text]
  ) -> [FourCharacterCode: [UInt8]] {
    var common =
      container.channelCount.bytes(2) + container.frameCount.bytes(4)
      + container.bitsPerSample.bytes(2) + container.sampleRateBytes
    if container.isCompressed { common += container.compression.bytes + [0, 0] }
    var written: [FourCharacterCode: [UInt8]] = ["COMM": common]
    if container.hasVersion { written["FVER"] = [0xA2, 0x80, 0x51, 0x40] }
    for text in texts { written[text.type] = text.data }
    return written
  }

  private static func head(_ type: FourCharacterCode, _ length: Int) -> [UInt8] {
    type.bytes + length.bytes(4)
  }
}
