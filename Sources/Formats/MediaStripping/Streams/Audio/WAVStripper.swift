package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from a WAV that is not needed to play it; also from an RF64 and a BW64.
///
/// The samples are kept, in whole blocks; of an MP3 in a WAV, what its own stripper keeps. Written
/// anew are the lengths, `ds64`, `fmt ` with the fields that its format has, `fact`, and what `except`
/// keeps as LIST INFO. Removed are all other
/// chunks, with markers, loops and padding, and the bytes after the end. A format that is not known
/// fails closed: it may have tags of its own.
package enum WAVStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let container = try WAVContainer(of: source)
    var own = builder.edits ? try write(container, of: source, to: &builder) : [:]
    for chunk in container.others where !own.remove(chunk.type, ifSameAs: chunk.data, of: source) {
      builder.remove(chunk.type.name) { list(chunk, of: source, into: &$0) }
    }
    if container.format.isMP3, !builder.edits {
      var inner = MetadataListing(options: StripOptions(), showsValues: false)
      try MP3Stripper.list(ByteSource(source, container.audio), into: &inner)
      builder.listing.add(inner, path: "data", at: container.audio.lowerBound)
    }
    builder.removeTrailer(from: container.end, of: source)
  }

  /// Writes the chunks of the output, and returns those that a chunk of the source may have as they are.
  private static func write(
    _ container: WAVContainer,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) -> [FourCharacterCode: [UInt8]] {
    guard container.format.isKnown else {
      throw MetadataError(.stripUnsupported, "WAV with \(container.format.codec)")
    }
    let kept = builder.options.kept(of: WAVMetadata.find(in: source))
    let audio = try audio(container, of: source)
    let length = audio.operations.reduce(0) { $0 + Int($1.outputLength) }
    let written = written(container, length, kept)
    let heads = heads(container, length, written)
    try builder.literal(heads.form)
    for key in WAVAllowList.list.parts.flatMap(\.keys) {
      if key == "data" {
        try builder.literal(heads.data)
        try builder.append(audio, movedBy: container.audio.lowerBound)
        if length % 2 == 1 { try builder.literal([0]) }
      } else if let data = written[key] {
        try builder.literal(RIFFChunk.bytes(key, data))
      }
    }
    return written.filter { $0.key == "LIST" }
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let container = try WAVContainer(of: output)
    let frames = container.frameCount ?? 0
    let lengths = [output.length - 8, container.audio.count, frames]
    var expected: [FourCharacterCode: [UInt8]] = [
      "fmt ": container.format.bytes,
      "fact": (min(frames, 0xFFFF_FFFF)).bytes(4, .little),
      "ds64": lengths.flatMap { $0.bytes(8, .little) } + [0, 0, 0, 0],
    ]
    expected["LIST"] = WAVInfo.list(options.kept(of: WAVMetadata.find(in: output)))
    var walker = PartWalker(WAVAllowList.list, output, from: 12, expected: expected)
    for chunk in container.chunks { try walker.pass(chunk.type, chunk.data) }
    try walker.finish()
    let length = { container.isLong ? 0xFFFF_FFFF : $0 }
    guard output.uint32(at: 4, order: .little) == length(output.length - 8),
      container.format.isKnown, let data = container.chunks.last?.data, data == container.audio,
      output.uint32(at: data.lowerBound - 4, order: .little) == length(data.count),
      container.isLong || !container.chunks.contains(where: { $0.type == "ds64" })
    else { throw MetadataError(.residue, "lengths") }
    if container.format.isMP3 {
      try MP3Stripper.verify(output: ByteSource(output, container.audio), options: StripOptions())
    }
  }

  /// Returns the edit list of the samples, with offsets from their start.
  private static func audio(
    _ container: WAVContainer,
    of source: ByteSource
  ) throws(MetadataError) -> EditList {
    guard !container.format.isMP3 else {
      return try MP3Stripper.editList(of: ByteSource(source, container.audio), options: StripOptions())
    }
    let length = UInt64(container.audio.count)
    return EditList(operations: length > 0 ? [.copy(offset: 0, length: length)] : [])
  }

  /// Returns the contents of the chunks that are not copied.
  private static func written(
    _ container: WAVContainer,
    _ audioLength: Int,
    _ kept: KeptMetadata
  ) -> [FourCharacterCode: [UInt8]] {
    let frames = container.frameCount ?? 0
    var written: [FourCharacterCode: [UInt8]] = ["fmt ": container.format.bytes]
    if container.sampleCount != nil || container.format.isPlain && container.format.code != 1 {
      written["fact"] = (min(frames, 0xFFFF_FFFF)).bytes(4, .little)
    }
    written["LIST"] = WAVInfo.list(kept)
    let length = length(audioLength, written)
    if container.isLong || length > 0xFFFF_FFFF {
      // The length includes ds64 itself.
      written["ds64"] =
        [length + 36, audioLength, frames].flatMap {
          $0.bytes(8, .little)
        } + [0, 0, 0, 0]
    }
    return written
  }

  /// Returns the twelve bytes before the first chunk, and the header of the samples.
  private static func heads(
    _ container: WAVContainer,
    _ audioLength: Int,
    _ written: [FourCharacterCode: [UInt8]]
  ) -> (form: [UInt8], data: [UInt8]) {
    let isLong = written["ds64"] != nil
    let form: FourCharacterCode = container.isLong ? container.form : isLong ? "RF64" : "RIFF"
    let lengths = [length(audioLength, written), audioLength]
      .map { isLong ? 0xFFFF_FFFF : $0 }
    return (
      RIFFChunk.header(form, length: lengths[0]) + Array("WAVE".utf8),
      RIFFChunk.header("data", length: lengths[1])
    )
  }

  private static func length(
    _ audioLength: Int,
    _ written: [FourCharacterCode: [UInt8]]
  ) -> Int {
    let lengths = written.values.map(\.count) + [audioLength]
    return lengths.reduce(4) { $0 + 8 + $1 + $1 % 2 }
  }
}
