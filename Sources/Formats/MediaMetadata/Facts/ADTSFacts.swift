import MediaContainers
import MediaModel

/// Reads the facts of AAC without a container; the duration is computed from its frames.
enum ADTSFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    let summary = try ADTSSummary(of: source, trailing: trailing)
    return AudioValues.facts(
      .aac,
      codec: "aac",
      durationMilliseconds: AudioValues.milliseconds(
        UInt64(summary.packetCount * ADTSFrame.samplesInPacket),
        rate: UInt64(summary.first.sampleRate)
      ),
      channelCount: summary.first.channelCount,
      sampleRate: summary.first.sampleRate
    )
  }
}
