import MediaContainers
import MediaModel

/// Reads the facts of a FLAC.
///
/// Source: RFC 9639 section 8.2.
enum FLACFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let container = try FLACContainer(of: source)
    let info = container.streamInfo
    var samples = info.sampleCount
    if samples == 0 {
      let limit = TrailingTags(of: source, behind: container.audio).start
      var frames = FLACFrames(source, container: container, limit: limit)
      try? frames.passAll()
      samples = frames.sampleCount
    }
    return AudioValues.facts(
      .flac,
      codec: "flac",
      durationMilliseconds: AudioValues.milliseconds(UInt64(samples), rate: UInt64(info.sampleRate)),
      channelCount: info.channelCount,
      sampleRate: info.sampleRate
    )
  }
}
