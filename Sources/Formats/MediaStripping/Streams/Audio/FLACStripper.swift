package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from a FLAC that is not needed to play it.
///
/// STREAMINFO is kept, whose checksum of the samples proves that they are the same, and so are
/// frames whose own checksums match. Written anew are a seek table of those points that lead to a
/// frame, and a comment with the channel mask, if there is one, and what `except` keeps. Removed
/// are all other blocks, with padding, which may hold what an editor removed before; tags before
/// and after the audio; and the bytes after the last frame.
package enum FLACStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let container = try FLACContainer(of: source)
    let trailing = TrailingTags(of: source, behind: container.audio)
    var frames = FLACFrames(source, container: container, limit: trailing.start)
    try frames.passAll()
    let hasRest = frames.position < trailing.start
    let isShort = frames.sampleCount < container.streamInfo.sampleCount
    guard !builder.edits || !hasRest || !isShort else {
      throw MetadataError(.damaged, "bytes between frames")
    }
    for tag in container.leading.id3 {
      builder.remove("ID3v2") { $0.addAudioTag("ID3v2", at: tag.range, of: source) }
    }
    for tag in container.leading.ape {
      builder.remove("APE") { $0.addAudioTag("APE", at: tag.range, of: source) }
    }
    let written = written(container, of: source, builder.options)
    let blocks = FLACAllowList.list.parts.flatMap(\.keys).filter { written[$0] != nil }
    try builder.literal(Array("fLaC".utf8) + head(0, blocks.isEmpty, 34))
    try builder.copy(container.streamInfoRange)
    for name in blocks {
      guard let data = written[name], let type = FLACBlock.names.firstIndex(of: name) else {
        continue
      }
      try builder.literal(head(type, name == blocks.last, data.count) + data)
    }
    var own = written
    for block in container.blocks {
      // A second table of the length that is written is not listed either.
      let isWritten =
        builder.edits
        ? own.remove(block.name, ifSameAs: block.data, of: source)
        : block.type == 3 && written[block.name]?.count == block.data.count
      if isWritten { continue }
      builder.remove(block.name) { list(block, of: source, into: &$0) }
    }
    try builder.copy(container.audio..<frames.position)
    if hasRest { builder.remove("trailer", at: frames.position..<trailing.start) }
    for tag in trailing.tags {
      builder.remove(tag.name) { $0.addAudioTag(tag.name, at: tag.range, of: source) }
    }
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let container = try FLACContainer(of: output)
    let comment = VorbisComment.bytes(
      options.kept(of: FLACMetadata.find(in: output)),
      others: FLACChannelMask.fields(container, of: output)
    )
    var expected: [String: [UInt8]] = [:]
    expected["VORBIS_COMMENT"] = comment.count > 8 ? comment : nil
    expected["SEEKTABLE"] = FLACSeekTable.valid(container, of: output)
    var walker = PartWalker(FLACAllowList.list, output, from: 4, expected: expected)
    let first = container.streamInfoRange
    for (name, data) in [("STREAMINFO", first)] + container.blocks.map({ ($0.name, $0.data) }) {
      try walker.pass(name, at: (data.lowerBound - 4)..<data.upperBound, content: data)
    }
    // Frames and their checksums are read to the end.
    var frames = FLACFrames(output, container: container, limit: output.length)
    try frames.passAll()
    let audio = container.audio..<frames.position
    if !audio.isEmpty { try walker.pass(FLACAllowList.frames, at: audio) }
    try walker.finish()
  }

  /// Returns the blocks that are not copied.
  private static func written(
    _ container: FLACContainer,
    of source: ByteSource,
    _ options: StripOptions
  ) -> [String: [UInt8]] {
    var kept = options.kept(of: FLACMetadata.find(in: source))
    (kept.make, kept.model, kept.location, kept.contentIdentifier) = (nil, nil, nil, nil)
    let mask = FLACChannelMask.fields(container, of: source)
    var written: [String: [UInt8]] = [:]
    if !kept.isEmpty || !mask.isEmpty {
      written["VORBIS_COMMENT"] = VorbisComment.bytes(kept, others: mask)
    }
    written["SEEKTABLE"] = FLACSeekTable.valid(container, of: source)
    return written
  }

  private static func head(_ type: Int, _ isLast: Bool, _ length: Int) -> [UInt8] {
    (type | (isLast ? 0x80 : 0)).bytes(1) + length.bytes(3)
  }
}

/// The assignment of channels to loudspeakers: the one comment that playing needs.
///
/// Source: RFC 9639 section 8.6.2.
enum FLACChannelMask {
  static let name = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// Returns a field with the mask if it names as many loudspeakers as there are channels.
  static func fields(
    _ container: FLACContainer,
    of source: ByteSource
  ) -> [(String, String)] {
    guard let comment = container.comment(of: source),
      let field = comment.fields.first(where: { $0.name == name }),
      let text = comment.text(of: field, in: source)?.lowercased(), text.hasPrefix("0x"),
      let mask = UInt32(text.dropFirst(2), radix: 16), mask >> 18 == 0,
      mask.nonzeroBitCount == container.streamInfo.channelCount
    else { return [] }
    return [(name, "0x" + String(mask, radix: 16, uppercase: true))]
  }
}

/// Writes the points of a seek table that lead to a frame.
///
/// Source: RFC 9639 section 8.5.
enum FLACSeekTable {
  private static let pointLength = 18

  /// Returns the bytes of the table, without placeholders; nil when no point is left.
  static func valid(
    _ container: FLACContainer,
    of source: ByteSource
  ) -> [UInt8]? {
    guard let block = container.blocks.first(where: { $0.type == 3 }) else { return nil }
    var table: [UInt8] = []
    var before: Int?
    for point in stride(from: block.data.lowerBound, to: block.data.upperBound, by: pointLength) {
      guard point + pointLength <= block.data.upperBound,
        let sample = source.uint64(at: point), let offset = source.uint64(at: point + 8),
        sample > before ?? -1, offset < source.length,
        let frame = FLACFrame(of: source, at: container.audio + offset),
        source.uint16(at: point + 16) == frame.blockSize,
        frame.number == first(sample, frame, container.streamInfo),
        let bytes = source.bytes(in: point..<(point + pointLength), limit: pointLength)
      else { continue }
      before = sample
      table += bytes
    }
    return table.isEmpty ? nil : table
  }

  /// Returns the number in the header of the frame that starts with this sample.
  private static func first(_ sample: Int, _ frame: FLACFrame, _ info: FLACStreamInfo) -> UInt64? {
    let isBySample = frame.isVariable || info.isVariable && frame.number == UInt64(sample)
    guard !isBySample else { return UInt64(sample) }
    guard info.blockSize > 0, sample % info.blockSize == 0 else { return nil }
    return UInt64(sample / info.blockSize)
  }
}
