import MediaContainers
import MediaModel

/// Reads the facts of an MPEG-2 transport stream: the kinds of its streams and its duration. The
/// size of its pictures is known to a decoder alone.
///
/// Source: ITU-T H.222.0 table 2-34; Blu-ray Disc, AV Basic Specifications.
enum TransportStreamFacts {
  private static let video = [
    0x01: "mpeg1video", 0x02: "mpeg2video", 0x10: "mpeg4", 0x1B: "h264", 0x24: "hevc", 0xEA: "vc1",
  ]
  private static let audio = [
    0x03: "mp2", 0x04: "mp2", 0x0F: "aac", 0x11: "aac_latm", 0x80: "pcm_bluray", 0x81: "ac3",
    0x82: "dts", 0x83: "truehd", 0x84: "eac3", 0x85: "dts", 0x86: "dts", 0x87: "eac3",
  ]

  /// Returns the format of a stream with a program, also one of sound alone; nil for another file.
  static func format(of source: ByteSource) -> MediaFormat? {
    guard let stream = TransportStream(of: source), !stream.streams.isEmpty else { return nil }
    return stream.packetLength == 192 ? .m2ts : .ts
  }

  static func facts(of source: ByteSource, format: MediaFormat) throws(MetadataError) -> Facts {
    guard let stream = TransportStream(of: source), !stream.streams.isEmpty else {
      throw MetadataError(.damaged, "no program")
    }
    var facts = Facts(format: format)
    for elementary in stream.streams {
      let kind: TrackKind =
        video[elementary.type] != nil ? .video : audio[elementary.type] != nil ? .audio : .other
      var track = TrackFacts(
        kind: kind,
        codec: video[elementary.type] ?? audio[elementary.type] ?? "unknown"
      )
      if kind != .other {
        track.durationMilliseconds = stream.milliseconds(of: elementary.identifier)
      }
      facts.tracks.append(track)
    }
    facts.durationMilliseconds = facts.tracks.compactMap(\.durationMilliseconds).max()
    return facts
  }
}
