import MediaContainers
import MediaModel

/// Reads the facts of a WAV.
enum WAVFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let container = try WAVContainer(of: source)
    let format = container.format
    // A file with compressed audio may not state its number of samples.
    let duration =
      container.frameCount.flatMap {
        AudioValues.milliseconds(UInt64($0), rate: UInt64(format.sampleRate))
      }
      ?? AudioValues.milliseconds(UInt64(container.audio.count), rate: UInt64(format.bytesPerSecond))
    return AudioValues.facts(
      .wav,
      codec: format.codec,
      durationMilliseconds: duration,
      channelCount: format.channelCount,
      sampleRate: format.sampleRate
    )
  }
}
