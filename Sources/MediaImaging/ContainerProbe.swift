internal import CAV
package import MediaModel

/// What a container says of its tracks, for formats that have no parser of ours.
package enum ContainerProbe {
  /// The most tracks that are told.
  private static let maximumTrackCount = 64

  /// Reads a file's headers, and its first packets where they do not say enough.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: MKV, WebM, AVI or WMV; any other video or sound works as well.
  /// - Returns: The duration in milliseconds, if it is told, and the tracks in the file's order;
  ///   covers and chapters are none.
  /// - Throws: `damaged`, `overLimit`, `decoderMissing`; `unsupported` for what is no video or sound.
  ///
  /// Source: avformat_open_input, avformat_find_stream_info (FFmpeg 5.1).
  package static func facts(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat
  ) throws(ImagingError) -> (durationMilliseconds: Int?, tracks: [TrackFacts]) {
    try facts(of: bytes, format: format, library: try AVLibrary.shared())
  }

  static func facts(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    library: AVLibrary
  ) throws(ImagingError) -> (durationMilliseconds: Int?, tracks: [TrackFacts]) {
    let reader = try AVReader.open(
      bytes,
      format: format,
      library: library,
      limits: ImagingLimits()
    )
    let isKnown = reader.durationMilliseconds != nil && reader.streams.allSatisfy(\.isKnown)
    if !isKnown { reader.probe() }
    let tracks = reader.streams.filter { $0.kind != Int32(CAV_KIND_COVER.rawValue) }
    return (
      reader.durationMilliseconds, tracks.prefix(maximumTrackCount).map(TrackFacts.init)
    )
  }
}

extension cav_stream {
  /// Whether the headers said what a track's facts are made of.
  fileprivate var isKnown: Bool {
    switch UInt32(bitPattern: kind) {
    case CAV_KIND_VIDEO.rawValue: width > 0 && height > 0 && rate_numerator > 0
    case CAV_KIND_AUDIO.rawValue: channels > 0 && sample_rate > 0
    default: true
    }
  }
}

extension TrackFacts {
  fileprivate init(_ stream: cav_stream) {
    self.init(
      kind: TrackKind(stream.kind),
      codec: Self.codec(of: stream),
      durationMilliseconds: stream.duration_ms > 0 ? Int(stream.duration_ms) : nil
    )
    switch kind {
    case .video:
      if stream.width > 0, stream.height > 0 {
        pixelSize = PixelSize(width: Int(stream.width), height: Int(stream.height))
      }
      let (numerator, denominator) = (
        Double(stream.rate_numerator), Double(stream.rate_denominator)
      )
      if numerator > 0, denominator > 0, numerator / denominator < 100_000 {
        frameRateMilli = Int((numerator * 1000 / denominator).rounded())
      }
    case .audio:
      if stream.channels > 0 { channelCount = Int(stream.channels) }
      if stream.sample_rate > 0 { sampleRate = Int(stream.sample_rate) }
    case .text, .metadata, .other: break
    }
  }

  /// FFmpeg's name; where it knows none, the four-character code, if it is one.
  private static func codec(of stream: cav_stream) -> String {
    let name = stream.name
    if !name.isEmpty { return name }
    let tag = (0..<4).map { UInt8(truncatingIfNeeded: stream.tag >> (8 * $0)) }
    guard tag.allSatisfy({ (0x20...0x7E).contains($0) }), tag != [0x20, 0x20, 0x20, 0x20] else {
      return "unknown"
    }
    return String(decoding: tag, as: UTF8.self)
  }
}

extension TrackKind {
  fileprivate init(_ kind: Int32) {
    switch UInt32(bitPattern: kind) {
    case CAV_KIND_VIDEO.rawValue: self = .video
    case CAV_KIND_AUDIO.rawValue: self = .audio
    case CAV_KIND_TEXT.rawValue: self = .text
    case CAV_KIND_METADATA.rawValue: self = .metadata
    default: self = .other
    }
  }
}
