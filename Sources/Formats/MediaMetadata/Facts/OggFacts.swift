import MediaContainers
import MediaModel

/// Reads the facts of an Ogg: its video, its first audio stream, and the total duration of those audio
/// streams that follow one another.
///
/// Source: RFC 7845 section 4 (Opus counts 48,000 per second, and begins with samples to be
/// skipped); Theora section 6.2.
enum OggFacts {
  /// A member of the sequence of audio streams.
  private struct Link {
    var codec: OggCodec
    var sampleRate: Int
    var channelCount: Int
    var skipped = 0
    var start: UInt64?
    var end: UInt64 = 0

    /// The duration, rounded down; 0 for impossible values.
    var microseconds: UInt64 {
      let samples = end.subtractingReportingOverflow((start ?? 0) &+ UInt64(skipped))
      guard !samples.overflow, samples.partialValue < 1 << 40 else { return 0 }
      return samples.partialValue * 1_000_000 / UInt64(sampleRate)
    }
  }

  static func facts(of source: ByteSource, format: MediaFormat) throws(MetadataError) -> Facts {
    var video: TrackFacts?
    var streams = OggStreams(isLenient: true)
    var links: [Link] = []
    var pages = OggPages(source)
    while let part = try? pages.next() {
      guard case .page(let page) = part else { continue }
      if page.isFirst, video == nil { video = Self.video(of: source, in: page) }
      // The first stream still has facts when the file cannot be stripped.
      guard let position = try? streams.position(of: page, in: source) else { break }
      switch position {
      case .removed, .header: break
      case .lastHeader(let headers):
        guard links.count < 1024, let link = Self.link(headers, of: source) else { break }
        links.append(link)
        streams.begin(behind: 0)
      case .audio(let sequence):
        guard page.granule != UInt64.max, page.granule >> 63 == 0, !links.isEmpty else { break }
        let last = links.count - 1
        if links[last].start == nil {
          links[last].start = start(page, links[last], isGap: sequence != 1, of: source)
        }
        links[last].end = max(links[last].end, page.granule)
      }
    }
    var facts = Facts(format: format)
    if let first = links.first {
      let microseconds = links.reduce(0) { $0 &+ $1.microseconds }
      facts = AudioValues.facts(
        format,
        codec: first.codec.name,
        durationMilliseconds: AudioValues.milliseconds(microseconds, rate: 1_000_000),
        channelCount: first.channelCount,
        sampleRate: first.sampleRate
      )
    } else if video == nil {
      throw MetadataError(.damaged, "no sound")
    }
    if let video {
      facts.tracks.insert(video, at: 0)
      facts.pixelSize = video.pixelSize
    }
    return facts
  }

  /// Returns the video track that begins with a page; its size in pixels, that of Theora alone, is the
  /// one of the shown picture.
  private static func video(of source: ByteSource, in page: OggPage) -> TrackFacts? {
    let codec = OggCodec(of: source, in: page)
    guard codec.isVideo else { return nil }
    var track = TrackFacts(kind: .video, codec: codec.name)
    let start = page.body.lowerBound
    if codec == .video("theora"), page.body.count >= 20,
      let width = source.unsigned(at: start + 14, count: 3),
      let height = source.unsigned(at: start + 17, count: 3),
      1...65_535 ~= width, 1...65_535 ~= height
    {
      track.pixelSize = PixelSize(width: Int(width), height: Int(height))
    }
    return track
  }

  private static func link(
    _ headers: OggHeaders,
    of source: ByteSource
  ) -> Link? {
    guard let head = headers.packet(0, of: source) else { return nil }
    var link = Link(codec: headers.codec, sampleRate: 0, channelCount: 0)
    switch headers.codec {
    case .vorbis:
      link.channelCount = head.uint8(at: 11) ?? 0
      link.sampleRate = head.uint32(at: 12, order: .little) ?? 0
    case .opus:
      let fields = OpusHeader(of: head, .packet)
      link.channelCount = fields.channelCount
      link.sampleRate = 48_000
      link.skipped = fields.skippedSampleCount
    case .flac:
      let info = FLACStreamInfo(of: head, at: 17)
      link.channelCount = info?.channelCount ?? 0
      link.sampleRate = info?.sampleRate ?? 0
    case .speex:
      link.sampleRate = head.uint32(at: 36, order: .little) ?? 0
      link.channelCount = head.uint32(at: 48, order: .little) ?? 0
    case .description, .video, .other: return nil
    }
    return link.sampleRate > 0 && (1...255).contains(link.channelCount) ? link : nil
  }

  /// Returns the initial granule position of a stream: 0, except for a recorded broadcast.
  private static func start(
    _ page: OggPage,
    _ link: Link,
    isGap: Bool,
    of source: ByteSource
  ) -> UInt64 {
    // The last page of a stream may count fewer samples than it holds.
    guard page.flags & 4 == 0 else { return 0 }
    guard link.codec == .opus else { return isGap ? page.granule : 0 }
    let samples = page.pieces(of: source).reduce(0) {
      $0 + ($1.isEnd ? OpusPacket.sampleCount(in: $1.range, of: source) : 0)
    }
    return page.granule > UInt64(samples) ? page.granule - UInt64(samples) : 0
  }
}
