import MediaContainers
import MediaModel

/// Reads the facts of a Flash Video: what its script says, and the codecs of its first tags.
///
/// Source: Adobe, Video File Format Specification 10.1, sections E.4.2 to E.5.
enum FLVFacts {
  /// The tags among which script, sound and pictures begin.
  private static let searchedTags = 256
  private static let video = [
    2: "flv1", 3: "flashsv", 4: "vp6f", 5: "vp6a", 6: "flashsv2", 7: "h264", 12: "hevc",
  ]
  private static let audio = [
    0: "pcm_s16le", 1: "adpcm_swf", 2: "mp3", 3: "pcm_s16le", 4: "nellymoser", 5: "nellymoser",
    6: "nellymoser",
    10: "aac", 11: "speex", 14: "mp3",
  ]

  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    guard let file = FLVFile(of: source) else { throw MetadataError(.damaged, "no header") }
    var facts = Facts(format: .flv)
    var script: FLVScript?
    for tag in file.tags(searchedTags) {
      switch tag.kind {
      case .script: script = script ?? FLVScript(of: source, in: tag.data)
      case .video, .audio:
        guard let first = source.uint8(at: tag.data.lowerBound),
          let track = tag.kind == .video ? videoTrack(first) : audioTrack(first),
          !facts.tracks.contains(where: { $0.kind == track.kind })
        else { continue }
        facts.tracks.append(track)
      }
    }
    let stated = script?.numbers["duration"].flatMap { 0.001..<1e9 ~= $0 ? Int($0 * 1000) : nil }
    facts.durationMilliseconds = stated ?? file.lastMilliseconds
    if let index = facts.tracks.firstIndex(where: { $0.kind == .video }) {
      if let width = side(script?.numbers["width"]), let height = side(script?.numbers["height"]) {
        facts.tracks[index].pixelSize = PixelSize(width: width, height: height)
      }
      let rate = script?.numbers["framerate"] ?? 0
      if 0.001..<1000 ~= rate { facts.tracks[index].frameRateMilli = Int(rate * 1000) }
      facts.pixelSize = facts.tracks[index].pixelSize
    }
    for index in facts.tracks.indices {
      facts.tracks[index].durationMilliseconds = facts.durationMilliseconds
    }
    // Such as `Thu May 06 07:08:09 2021`.
    facts.creationDate = script?.texts["creationdate"].flatMap { text in
      let dates = WrittenDate.dates(String(decoding: text, as: UTF8.self), tag: KeptMetadata.dateTag)
      return KeptMetadata.anyDate(of: dates)
    }
    return facts
  }

  /// Returns the part of the last tag that is missing.
  static func missingPart(of source: ByteSource) -> String? {
    FLVFile(of: source)?.isCut == true ? "the end of a packet" : nil
  }

  private static func side(_ number: Double?) -> Int? {
    number.flatMap { 1..<65_536 ~= $0 ? Int($0) : nil }
  }

  private static func videoTrack(_ first: Int) -> TrackFacts? {
    TrackFacts(kind: .video, codec: video[first & 15] ?? "unknown")
  }

  private static func audioTrack(_ first: Int) -> TrackFacts? {
    var track = TrackFacts(kind: .audio, codec: audio[first >> 4] ?? "unknown")
    // AAC states the same there whatever it has.
    if track.codec != "aac" {
      track.sampleRate = [5512, 11_025, 22_050, 44_100][first >> 2 & 3]
      track.channelCount = first & 1 + 1
    }
    return track
  }
}
