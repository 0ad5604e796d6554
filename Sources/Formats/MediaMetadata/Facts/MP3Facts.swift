import MediaContainers
import MediaModel

/// Reads the facts of an MP3; the duration is computed from its frames.
enum MP3Facts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    let summary = try MP3Summary(of: source, trailing: trailing)
    let silent = summary.information?.silentSamples(frameCount: summary.frameCount) ?? 0
    return AudioValues.facts(
      .mp3,
      codec: "mp3",
      durationMilliseconds: AudioValues.milliseconds(
        UInt64(max(0, summary.sampleCount - silent)),
        rate: UInt64(summary.first.sampleRate)
      ),
      channelCount: summary.first.channelCount,
      sampleRate: summary.first.sampleRate
    )
  }
}
