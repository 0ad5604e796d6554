import MediaContainers
import MediaModel

/// What a WAV says about itself.
enum WAVFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let container = try WAVContainer(of: source)
    let format = container.format
    // Of what is compressed, a file may not say how many samples it has.
    let duration =
      container.frameCount.flatMap {
        AudioValues.milliseconds(UInt64($0), rate: UInt64(format.sampleRate))
      }
      ?? AudioValues.milliseconds(
        UInt64(container.audio.count),
        rate: UInt64(format.bytesPerSecond)
      )
    return AudioValues.facts(
      .wav,
      codec: format.codec,
      durationMilliseconds: duration,
      channelCount: format.channelCount,
      sampleRate: format.sampleRate,
      creationDate: WAVMetadata.values(of: source).creationDate
    )
  }
}
