internal import CAV
import MediaModel

/// Draws a sound's waveform, all channels together.
///
/// Peaks reach as far as any channel's samples do; the loudness within is of all channels. Full scale
/// is the box's height: a quiet sound looks quiet. A waveform has no aspect of its own, so it fills
/// the box whatever the content mode is.
final class WaveformDecoder: MediaDecoder {
  /// Nanoseconds of decoding that a compressed sound may take, about, whatever its file's length.
  static let budget = 3_000_000_000.0
  /// Of a sound that is not decoded whole, the stretches in which a part is left out, in milliseconds.
  static let period = 2000
  /// Of each, the least that is decoded, and how much of it is not looked at: a decoder needs some
  /// packets before it is right again.
  static let leastPart = 250
  static let settling = 120

  private let library: () throws(ImagingError) -> AVLibrary
  private let budget: Double
  private let buffers = PosterBuffers()

  init(
    library: @escaping () throws(ImagingError) -> AVLibrary = AVLibrary.shared,
    budget: Double = budget
  ) {
    self.library = library
    self.budget = budget
  }

  func trim(above byteCount: Int) { buffers.trim(above: byteCount) }

  /// Draws for each box by itself.
  ///
  /// - Throws: `damaged` only when no sound at all decodes, whatever `acceptDamaged` says;
  ///   `unsupported` for codecs without a decoder that may be used; `overLimit`, `decoderMissing`.
  func decode(
    _ request: DecodeRequest,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    let reader = try AVReader.open(request, library: try library())
    try decode(reader, demand: request.demand, render)
  }

  /// Draws what was opened already for each box by itself.
  func decode(
    _ reader: AVReader,
    demand: ThumbnailDemand,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    let levels = try levels(of: reader, isShort: demand.specifications.isEmpty)
    for specification in demand.specifications {
      let single = ThumbnailDemand(specifications: [specification], orientation: .upright)
      try render(try picture(of: levels, specification), single)
    }
  }

  /// Decodes the first track of sound.
  ///
  /// - Parameters:
  ///   - reader: Just opened.
  ///   - isShort: Whether the first sound that decodes is enough.
  /// - Returns: Levels of at least one sample.
  /// - Throws: `damaged`, `unsupported`, `overLimit`.
  private func levels(
    of reader: AVReader,
    isShort: Bool
  ) throws(ImagingError) -> WaveformLevels {
    let streams = reader.streams
    guard let track = streams.firstIndex(where: { $0.kind == Int32(CAV_KIND_AUDIO.rawValue) })
    else {
      // A header that was cut names no streams at all.
      throw ImagingError(streams.isEmpty ? .damaged : .unsupported, "no sound and no pictures")
    }
    try reader.select(track)
    let duration = reader.durationMilliseconds
    var (period, part) = (0, 0)
    var levels = WaveformLevels()
    var (position, unheard) = (0, 0)
    while let audio = try reader.nextAudio(period: period, part: part) {
      let count = Int(audio.count)
      let perSecond = max(Int(audio.sample_rate), 1)
      // Some containers do not say before how many channels there are.
      if levels.isEmpty, let share = share(of: audio, codec: streams[track].name, duration) {
        period = Self.period
        part = max(Int(Double(period) * share), Self.leastPart)
      }
      if period > 0 {
        // Where packets were passed over, only the file says how many samples they held.
        let next = min(Int(clamping: audio.position), position + 2 * period * perSecond / 1000)
        if next > position + count { unheard = next + Self.settling * perSecond / 1000 }
        position = max(position, next)
      }
      if position >= unheard { measure(audio, from: reader, at: position, into: &levels) }
      position += count
      if isShort { break }
    }
    guard !levels.isEmpty else { throw ImagingError(.damaged, "no sound decodes") }
    return levels
  }

  /// How much of a sound can be decoded, below 1; nil for all.
  private func share(of audio: cav_audio, codec: String, _ duration: Int?) -> Double? {
    guard let duration, let cost = Self.cost(of: codec) else { return nil }
    let sampleCount = Double(duration) * Double(audio.sample_rate) / 1000
    let expected = sampleCount * Double(audio.channels) * cost
    return expected > budget ? budget / expected : nil
  }

  /// Nanoseconds to decode a sample of one channel, measured on one core; nil where they are few for
  /// the bytes that hold it, as the time that an item may take grows with those.
  private static func cost(of codec: String) -> Double? {
    if codec.hasPrefix("pcm_") || codec == "flac" || codec == "alac" { return nil }
    return codec == "aac" || codec == "mp3" ? 8 : 30
  }

  private func measure(
    _ audio: cav_audio,
    from reader: AVReader,
    at position: Int,
    into levels: inout WaveformLevels
  ) {
    let count = Int(audio.count)
    var first = 0
    while first < count {
      let run = min(levels.run(at: position + first), count - first)
      let level = reader.level(from: first, count: run)
      levels.add(
        low: level.low,
        high: level.high,
        energy: level.energy,
        at: position + first,
        count: run,
        channels: Int(audio.channels)
      )
      first += run
    }
  }

  private func picture(
    of levels: WaveformLevels,
    _ specification: ThumbnailSpec
  ) throws(ImagingError) -> DecodedPicture {
    let box = specification.isMaximum ? WaveformDrawing.ownSize : specification.size
    let size = PixelSize(
      width: min(max(box.width, 1), WaveformDrawing.largestSide),
      height: min(max(box.height, 1), WaveformDrawing.largestSide)
    )
    let pixels = try buffers.candidate.reserve(size.width * size.height * 4)
    WaveformDrawing(background: specification.background).draw(
      levels.columns(size.width),
      height: size.height,
      into: pixels
    )
    buffers.keepCandidate()
    return DecodedPicture(
      planar: try buffers.planes(of: size),
      size: size,
      profile: nil,
      orientation: .upright
    )
  }
}
