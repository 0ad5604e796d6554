import MediaContainers
import MediaModel

/// Reads the facts of an MPEG program stream, and of MPEG video alone: kinds of streams, size and duration.
///
/// Neither has a date.
///
/// Source: ITU-T H.222.0 tables 2-22 and 2-34; DVD Specifications for Read-Only Disc part 3, for substreams.
enum ProgramStreamFacts {
  /// How far from its first unit a stream's sequence header is looked for.
  private static let searchedLength = 1 << 16
  private static let video = [
    0x01: "mpeg1video", 0x02: "mpeg2video", 0x10: "mpeg4", 0x1B: "h264", 0x24: "hevc",
  ]
  private static let audio = [0x03: "mp2", 0x04: "mp2", 0x0F: "aac", 0x11: "aac_latm", 0x81: "ac3"]

  /// Returns the format of a program stream with sound or pictures, or of MPEG video alone; nil for another
  /// file.
  static func format(of source: ByteSource) -> MediaFormat? {
    guard source.holds([0, 0, 1], at: 0) else { return nil }
    if let stream = ProgramStream(of: source) {
      return stream.streams.contains { kind(of: $0) != .other } ? .mpg : nil
    }
    return MPEGVideoStream(of: source) == nil ? nil : .m2v
  }

  static func facts(of source: ByteSource, format: MediaFormat) throws(MetadataError) -> Facts {
    var facts = Facts(format: format)
    if format == .m2v {
      guard let stream = MPEGVideoStream(of: source) else { throw MetadataError(.damaged, "no header") }
      var track = TrackFacts(kind: .video, codec: "unknown")
      describe(&track, by: stream.sequence)
      track.durationMilliseconds = stream.milliseconds
      facts.tracks = [track]
    } else {
      guard let stream = ProgramStream(of: source) else { throw MetadataError(.damaged, "no header") }
      facts.tracks = stream.streams.map { track($0, of: stream, source) }
    }
    facts.pixelSize = facts.tracks.lazy.compactMap(\.pixelSize).first
    facts.durationMilliseconds = facts.tracks.compactMap(\.durationMilliseconds).max()
    return facts
  }

  private static func kind(of stream: ProgramStream.Stream) -> TrackKind {
    switch stream.identifier {
    case 0xE0...0xEF: .video
    // AC-3, DTS and PCM are substreams of DVDs.
    case 0xC0...0xDF, 0x180...0x18F, 0x1A0...0x1AF: .audio
    case 0x120...0x13F: .text
    default: .other
    }
  }

  private static func track(
    _ stream: ProgramStream.Stream,
    of file: ProgramStream,
    _ source: ByteSource
  ) -> TrackFacts {
    var track = TrackFacts(kind: kind(of: stream), codec: "unknown")
    track.durationMilliseconds = stream.milliseconds
    let type = file.types[stream.identifier]
    switch track.kind {
    case .video:
      let range = stream.start..<(stream.start + searchedLength)
      if let sequence = MPEGVideoSequence.first(of: source, in: range) {
        describe(&track, by: sequence)
        // The time of the last picture is that at which it begins.
        track.durationMilliseconds? += 1_000_000 / sequence.frameRateMilli
      } else {
        track.codec = type.flatMap { video[$0] } ?? track.codec
      }
    case .audio:
      switch stream.identifier {
      case 0x180...0x187: track.codec = "ac3"
      case 0x188...0x18F: track.codec = "dts"
      case 0x1A0...0x1AF: track.codec = "pcm_dvd"
      default: track.codec = type.map { audio[$0] ?? "unknown" } ?? "mp2"
      }
    case .text: track.codec = "dvd_subtitle"
    case .metadata, .other: break
    }
    return track
  }

  private static func describe(_ track: inout TrackFacts, by sequence: MPEGVideoSequence) {
    track.codec = sequence.isMPEG2 ? "mpeg2video" : "mpeg1video"
    track.pixelSize = sequence.size
    track.frameRateMilli = sequence.frameRateMilli
  }
}
