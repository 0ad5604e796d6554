import MediaCodecs
import MediaContainers
import MediaModel

/// Reads the facts of a movie's tracks from their headers and tables alone.
///
/// Source: ISO/IEC 14496-12 sections 8.4.2 (mdhd), 8.6.1.2 (stts), 12.1.3 and 12.2.3 (sample entries);
/// Apple, QuickTime File Format, sound sample description version 2.
struct MovieTrackFacts {
  /// The maximum number of tracks that a catalogue stores for one file.
  private static var maximumTracks: Int { 64 }
  private static var maximumSampleRate: Int { 10_000_000 }

  private let source: ByteSource

  /// The number of samples and their duration, in the time scale of the track.
  private struct Count {
    var samples = 0
    var duration = 0
    /// Whether the duration is measured from the start of the movie.
    var hasTime = false
  }

  /// Returns the first tracks, in order; invalid tracks are skipped.
  static func tracks(of source: ByteSource, in moov: Range<Int>) -> [TrackFacts] {
    let reader = MovieTrackFacts(source: source)
    let fragments = reader.fragments(moov)
    var tracks: [TrackFacts] = []
    for box in ISOBoxes(source, in: moov, limit: .max) where box.type == "trak" {
      guard tracks.count < maximumTracks else { break }
      if let track = reader.track(box.body, fragments) { tracks.append(track) }
    }
    return tracks
  }

  private func track(_ trak: Range<Int>, _ fragments: [Int: Count]) -> TrackFacts? {
    guard let mdia = ISOBoxes.body(at: ["mdia"], in: trak, of: source),
      let hdlr = ISOBoxes.body(at: ["hdlr"], in: mdia, of: source),
      let mdhd = ISOBoxes.body(at: ["mdhd"], in: mdia, of: source),
      let handler = source.code(at: hdlr.lowerBound + 8)
    else { return nil }
    let isLong = source.byte(at: mdhd.lowerBound) == 1
    let timescale = source.uint32(at: mdhd.lowerBound + (isLong ? 20 : 12)) ?? 0
    let stbl = ISOBoxes.body(at: ["minf", "stbl"], in: mdia, of: source)
    let stsd = stbl.flatMap { ISOBoxes.body(at: ["stsd"], in: $0, of: source) }
    let entry = stsd.flatMap { stsd in
      ISOBoxes(source, in: stsd.dropFirst(8)).first { _ in true }
    }
    var count = stbl.map { self.count($0) } ?? Count()
    if let identifier = identifier(trak), let more = fragments[identifier] {
      count.samples += more.samples
      let sum = count.duration.addingReportingOverflow(more.duration).partialValue
      count.duration = more.hasTime ? max(count.duration, more.duration) : sum
    }
    var facts = TrackFacts(kind: Self.kind(handler), codec: Self.text(entry?.type ?? handler))
    if timescale > 0, count.duration > 0 {
      facts.durationMilliseconds = MovieHeader.milliseconds(
        UInt64(count.duration),
        timescale: UInt64(timescale)
      )
    }
    if handler == "vide", let entry {
      facts.pixelSize = pixelSize(entry.body)
      facts.frameRateMilli = Self.frameRate(count, timescale)
    } else if handler == "soun", let entry {
      (facts.channelCount, facts.sampleRate) = audio(entry.body, timescale)
      // Many programs write 2 for any AAC; the decoder configuration has the real number.
      facts.channelCount =
        MovieElementaryStream.channelCount(of: entry, in: source)
        ?? facts.channelCount
    }
    return facts
  }

  /// Returns what kind of media a track has by its handler; `other` without one.
  static func kind(ofTrack trak: Range<Int>, of source: ByteSource) -> TrackKind {
    guard let hdlr = ISOBoxes.body(at: ["mdia", "hdlr"], in: trak, of: source),
      let handler = source.code(at: hdlr.lowerBound + 8)
    else { return .other }
    return kind(handler)
  }

  private static func kind(_ handler: FourCharacterCode) -> TrackKind {
    switch handler {
    case "vide": .video
    case "soun": .audio
    case "text", "sbtl", "subt", "subp", "clcp": .text
    case "meta", "tmcd", "camm", "gpmd", "GPS ", "data": .metadata
    default: .other
    }
  }

  /// Returns the code as text without trailing spaces, or as a number.
  private static func text(_ type: FourCharacterCode) -> String {
    var bytes = type.bytes
    while bytes.last == 0x20 { bytes.removeLast() }
    if !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) || $0 == 0x20 }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    return "0x" + Hexadecimal.text(Int(type.value), digits: 8)
  }

  private func identifier(_ trak: Range<Int>) -> Int? {
    guard let tkhd = ISOBoxes.body(at: ["tkhd"], in: trak, of: source) else { return nil }
    return source.uint32(at: tkhd.lowerBound + (source.byte(at: tkhd.lowerBound) == 1 ? 20 : 12))
  }

  private func pixelSize(_ entry: Range<Int>) -> PixelSize? {
    guard let width = source.uint16(at: entry.lowerBound + 24),
      let height = source.uint16(at: entry.lowerBound + 26), width > 0, height > 0
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func frameRate(_ count: Count, _ timescale: Int) -> Int? {
    guard count.duration > 0, timescale > 0, count.samples > 1 else { return nil }
    let rate = 1000 * Double(count.samples) * Double(timescale) / Double(count.duration)
    return rate >= 1 && rate <= 10_000_000 ? Int(rate.rounded()) : nil
  }

  private func audio(_ entry: Range<Int>, _ timescale: Int) -> (channels: Int?, rate: Int?) {
    let start = entry.lowerBound
    var channels = source.uint16(at: start + 16)
    var rate = source.uint16(at: start + 24)
    if source.uint16(at: start + 8) == 2 {
      channels = source.uint32(at: start + 40)
      rate = source.unsigned(at: start + 32, count: 8).map { Double(bitPattern: $0) }
        .flatMap { $0 >= 1 && $0 <= Double(Self.maximumSampleRate) ? Int($0.rounded()) : nil }
    }
    // Rates above 65,535 do not fit in the field.
    if rate == 0 { rate = timescale }
    return (
      channels.flatMap { (1...1024).contains($0) ? $0 : nil },
      rate.flatMap { (1...Self.maximumSampleRate).contains($0) ? $0 : nil }
    )
  }

  private func count(_ stbl: Range<Int>) -> Count {
    var count = Count()
    guard let stts = ISOBoxes.body(at: ["stts"], in: stbl, of: source),
      let entries = source.uint32(at: stts.lowerBound + 4)
    else { return count }
    for entry in 0..<min(entries, max(0, stts.count - 8) / 8) {
      let offset = stts.lowerBound + 8 + entry * 8
      guard let samples = source.uint32(at: offset), let duration = source.uint32(at: offset + 4)
      else { break }
      add(samples, duration, to: &count)
    }
    return count
  }

  private func add(_ samples: Int, _ duration: Int, to count: inout Count) {
    let (product, overflow) = samples.multipliedReportingOverflow(by: duration)
    let (sum, over) = count.duration.addingReportingOverflow(product)
    guard !overflow, !over else { return }
    count.samples += samples
    count.duration = sum
  }

  /// Returns what the fragments add to each track.
  private func fragments(_ moov: Range<Int>) -> [Int: Count] {
    guard let mvex = ISOBoxes.body(at: ["mvex"], in: moov, of: source) else { return [:] }
    var durations: [Int: Int] = [:]
    for box in ISOBoxes(source, in: mvex) where box.type == "trex" {
      guard let identifier = source.uint32(at: box.body.lowerBound + 4) else { continue }
      durations[identifier] = source.uint32(at: box.body.lowerBound + 12)
    }
    var counts: [Int: Count] = [:]
    for moof in ISOBoxes(source, in: 0..<source.length, limit: .max) where moof.type == "moof" {
      for traf in ISOBoxes(source, in: moof.body) where traf.type == "traf" {
        addFragment(traf.body, durations, to: &counts)
      }
    }
    return counts
  }

  private func addFragment(
    _ traf: Range<Int>,
    _ durations: [Int: Int],
    to counts: inout [Int: Count]
  ) {
    guard let tfhd = ISOBoxes.body(at: ["tfhd"], in: traf, of: source),
      let flags = source.uint32(at: tfhd.lowerBound),
      let identifier = source.uint32(at: tfhd.lowerBound + 4)
    else { return }
    var duration = durations[identifier] ?? 0
    let offset = tfhd.lowerBound + 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
    if flags & 8 != 0 { duration = source.uint32(at: offset) ?? 0 }
    var count = counts[identifier] ?? Count()
    // A fragment may state its start time; then missing time before it is included.
    if let tfdt = ISOBoxes.body(at: ["tfdt"], in: traf, of: source),
      let time = source.byte(at: tfdt.lowerBound) == 1
        ? source.uint64(at: tfdt.lowerBound + 4) : source.uint32(at: tfdt.lowerBound + 4)
    {
      count.duration = max(count.duration, time)
      count.hasTime = true
    }
    for trun in ISOBoxes(source, in: traf) where trun.type == "trun" {
      guard let flags = source.uint32(at: trun.body.lowerBound),
        let samples = source.uint32(at: trun.body.lowerBound + 4)
      else { continue }
      let length = 4 * [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count
      let start = trun.body.lowerBound + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
      guard flags & 0x100 != 0 else {
        add(samples, duration, to: &count)
        continue
      }
      guard samples <= max(0, trun.body.upperBound - start) / length else { continue }
      for sample in 0..<samples {
        add(1, source.uint32(at: start + sample * length) ?? 0, to: &count)
      }
    }
    counts[identifier] = count
  }
}
