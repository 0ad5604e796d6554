import MediaContainers
import MediaModel

/// Reads the facts of an AIFF.
enum AIFFFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    let container = try AIFFContainer(of: source)
    // Apple's ADPCM counts packets.
    let samples = container.frameCount * (container.compression == "ima4" ? 64 : 1)
    return AudioValues.facts(
      .aiff,
      codec: codec(container),
      durationMilliseconds: container.sampleRate.flatMap {
        AudioValues.milliseconds(UInt64(samples), rate: UInt64($0))
      },
      channelCount: container.channelCount,
      sampleRate: container.sampleRate
    )
  }

  private static func codec(_ container: AIFFContainer) -> String {
    let isPlain = container.compression == "NONE" || container.compression == "twos"
    if isPlain { return "pcm_s\(container.bitsPerSample)be" }
    let name = container.compression.bytes.filter { 0x21...0x7E ~= $0 }
    return name.isEmpty ? "unknown" : String(decoding: name, as: UTF8.self)
  }
}
