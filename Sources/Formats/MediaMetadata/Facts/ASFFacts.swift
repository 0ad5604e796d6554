import MediaContainers
import MediaModel

/// The GUIDs of ASF object types, as stored in a file.
///
/// Source: Microsoft, Advanced Systems Format specification 01.20.06 section 10.
enum ASFObject {
  private static let end: [UInt8] = [0xCF, 0x11, 0x8E, 0xE6, 0, 0xC0, 0x0C, 0x20, 0x53, 0x65]
  private static let mediaEnd: [UInt8] = [
    0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]

  static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
  ]
  static let fileProperties: [UInt8] = [
    0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  static let streamProperties = [0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9] + end
  static let video = [0xC0, 0xEF, 0x19, 0xBC] + mediaEnd
  static let audio = [0x40, 0x9E, 0x69, 0xF8] + mediaEnd
}

/// The header of an ASF with its duration and streams.
///
/// Source: Microsoft, Advanced Systems Format specification 01.20.06 sections 3.2, 3.3 and 9.
struct ASFHeader {
  private static let maximumObjects = 1024
  /// The seconds from 1601, the epoch of Windows, to 1970.
  private static let secondsFrom1601To1970 = 11_644_473_600

  private(set) var tracks: [TrackFacts] = []
  private(set) var durationMilliseconds: Int?
  private(set) var creationDate: CaptureDate?

  /// The format of the file; nil with neither video nor audio.
  var format: MediaFormat? {
    if tracks.contains(where: { $0.kind == .video }) { return .wmv }
    return tracks.contains { $0.kind == .audio } ? .wma : nil
  }

  init(of source: ByteSource) {
    guard let length = source.uint64(at: 16, order: .little) else { return }
    let end = min(length, source.length)
    var position = 30
    var count = 0
    while count < Self.maximumObjects, end - position >= 24,
      let length = source.uint64(at: position + 16, order: .little), length >= 24,
      length <= end - position
    {
      count += 1
      if source.holds(ASFObject.fileProperties, at: position) {
        readFile(source, at: position + 24)
      } else if source.holds(ASFObject.streamProperties, at: position), tracks.count < 64 {
        readStream(source, at: position + 24, end: position + length)
      }
      position += length
    }
  }

  private mutating func readFile(_ source: ByteSource, at start: Int) {
    if let ticks = source.uint64(at: start + 24, order: .little), ticks > 0,
      let local = DateText.local(secondsSince1970: ticks / 10_000_000 - Self.secondsFrom1601To1970)
    {
      creationDate = CaptureDate(local: local, offsetMinutes: 0, tag: "CreationDate")
    }
    // Durations are in units of 100 ns and include what a player buffers before it starts.
    guard let played = source.uint64(at: start + 40, order: .little),
      let buffered = source.uint64(at: start + 56, order: .little),
      played / 10_000 > buffered
    else { return }
    durationMilliseconds = AudioValues.milliseconds(UInt64(played / 10_000 - buffered), rate: 1000)
  }

  private mutating func readStream(
    _ source: ByteSource,
    at start: Int,
    end: Int
  ) {
    let data = start + 54
    var track: TrackFacts?
    if source.holds(ASFObject.video, at: start) {
      track = TrackFacts(kind: .video, codec: "unknown")
      BitmapInfo(of: source, at: data + 11)?.describe(&track)
    } else if source.holds(ASFObject.audio, at: start) {
      track = TrackFacts(kind: .audio, codec: "unknown")
      if data < end { WAVFormat(of: source, in: data..<end)?.describe(&track) }
    } else {
      track = TrackFacts(kind: .other, codec: "unknown")
    }
    if let track { tracks.append(track) }
  }
}

/// Reads the facts of an ASF with video (WMV) or with audio alone (WMA).
enum ASFFacts {
  static func facts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    let header = ASFHeader(of: source)
    guard !header.tracks.isEmpty else { throw MetadataError(.damaged, "no streams") }
    var facts = Facts(format: format)
    facts.tracks = header.tracks
    facts.pixelSize = header.tracks.first { $0.kind == .video }?.pixelSize
    facts.durationMilliseconds = header.durationMilliseconds
    facts.creationDate = header.creationDate
    return facts
  }
}
