import MediaContainers
import MediaModel

/// The header of an EBML document.
///
/// Source: RFC 8794 section 11.
enum EBMLHeader {
  /// Returns Matroska or WebM, by the document type in the header, and which of both with sound alone,
  /// by the tracks.
  static func format(of source: ByteSource) -> MediaFormat? {
    guard source.holds([0x1A, 0x45, 0xDF, 0xA3], at: 0) else { return nil }
    var whole = EBMLElements(source, in: 0..<min(source.length, 4096))
    guard let header = whole.next() else { return nil }
    for element in EBMLElements(source, in: header.data) where element.identifier == 0x4282 {
      if source.holds("webm", at: element.data.lowerBound) {
        return isSound(source) ? .weba : .webm
      }
      if source.holds("matroska", at: element.data.lowerBound) {
        return isSound(source) ? .mka : .mkv
      }
    }
    return nil
  }

  private static func isSound(_ source: ByteSource) -> Bool {
    let facts = try? MatroskaFacts.facts(of: source, format: .mkv)
    return facts?.tracks.map(\.kind).areSound == true
  }
}

/// Reads the facts of a Matroska or WebM.
///
/// Source: RFC 9559 section 5.1.
enum MatroskaFacts {
  private static let maximumTracks = 64
  private static let kinds: [UInt64: TrackKind] = [1: .video, 2: .audio, 17: .text]
  /// The seconds from 1970 to 2001, the epoch of Matroska dates.
  private static let secondsFrom1970To2001 = 978_307_200

  static func facts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    let elements = EBMLElements(source, in: 0..<source.length)
    guard let segment = elements.first(where: { $0.identifier == 0x1853_8067 }) else {
      throw MetadataError(.damaged, "no Segment")
    }
    var facts = Facts(format: format)
    var sawTracks = false
    var sawInformation = false
    for element in EBMLElements(source, in: segment.data) {
      switch element.identifier {
      case 0x1549_A966:
        sawInformation = true
        read(element.data, of: source, into: &facts)
      case 0x1654_AE6B:
        sawTracks = true
        facts.tracks = EBMLElements(source, in: element.data)
          .filter { $0.identifier == 0xAE }.prefix(maximumTracks).map { track($0.data, of: source) }
      default: break
      }
      if sawTracks, sawInformation || !element.hasLength { break }
    }
    facts.pixelSize = facts.tracks.first { $0.kind == .video }?.pixelSize
    return facts
  }

  private static func read(
    _ information: Range<Int>,
    of source: ByteSource,
    into facts: inout Facts
  ) {
    var scale = 1_000_000.0
    var duration: Double?
    for element in EBMLElements(source, in: information) {
      switch element.identifier {
      case 0x2AD7B1: scale = element.unsigned(of: source).map { Double($0) } ?? scale
      case 0x4489: duration = element.real(of: source)
      case 0x4461:
        guard let nanoseconds = element.unsigned(of: source), element.data.count == 8,
          let local = DateText.local(
            secondsSince1970: Int(Int64(bitPattern: nanoseconds) / 1_000_000_000)
              + secondsFrom1970To2001
          )
        else { continue }
        facts.creationDate = CaptureDate(local: local, offsetMinutes: 0, tag: "DateUTC")
      default: break
      }
    }
    guard let duration, duration > 0, duration * scale < 1e17 else { return }
    facts.durationMilliseconds = AudioValues.milliseconds(UInt64(duration * scale), rate: 1_000_000_000)
  }

  private static func track(
    _ entry: Range<Int>,
    of source: ByteSource
  ) -> TrackFacts {
    var track = TrackFacts(kind: .other, codec: "unknown")
    for element in EBMLElements(source, in: entry) {
      switch element.identifier {
      case 0x83: track.kind = element.unsigned(of: source).flatMap { kinds[$0] } ?? .other
      case 0x86:
        let name = source.bytes(in: element.data.prefix(32), limit: 32) ?? []
        let text = name.filter { 0x21...0x7E ~= $0 }
        if !text.isEmpty { track.codec = String(decoding: text, as: UTF8.self) }
      case 0x23E383:
        guard let nanoseconds = element.unsigned(of: source), nanoseconds > 0 else { continue }
        track.frameRateMilli = Int(1_000_000_000_000 / nanoseconds)
      case 0xE0, 0xE1: read(element.data, of: source, into: &track)
      default: break
      }
    }
    // For audio, the default duration is that of a packet.
    if track.kind != .video { track.frameRateMilli = nil }
    return track
  }

  /// Reads the video or audio settings of a track.
  private static func read(
    _ settings: Range<Int>,
    of source: ByteSource,
    into track: inout TrackFacts
  ) {
    var size = PixelSize(width: 0, height: 0)
    for element in EBMLElements(source, in: settings) {
      let value = element.unsigned(of: source).flatMap { Int(exactly: $0) } ?? 0
      switch element.identifier {
      case 0xB0: size.width = value
      case 0xBA: size.height = value
      case 0x9F: track.channelCount = (1...255).contains(value) ? value : nil
      case 0xB5:
        let rate = element.real(of: source) ?? 0
        track.sampleRate = rate >= 1 && rate < 1e7 ? Int(rate) : nil
      default: break
      }
    }
    let limit = 1...65_535
    if limit.contains(size.width), limit.contains(size.height) { track.pixelSize = size }
  }
}
