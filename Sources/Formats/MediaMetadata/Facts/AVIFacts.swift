package import MediaContainers
package import MediaModel

/// Reads the facts of an AVI.
///
/// Source: Microsoft, AVI RIFF File Reference (avih, strh, strf).
enum AVIFacts {
  private static let maximumTracks = 64

  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    guard let header = list("hdrl", of: source) else {
      throw MetadataError(.damaged, "no hdrl list")
    }
    var facts = Facts(format: .avi)
    for chunk in RIFFChunks(header) {
      guard chunk.type == "LIST", facts.tracks.count < maximumTracks else { continue }
      let stream = ByteSource(header, (chunk.data.lowerBound - 8)..<chunk.data.upperBound)
      guard stream.holds("strl", at: 8), let track = track(stream) else { continue }
      facts.tracks.append(track)
    }
    // Frames of DV with their sound have no header of a picture.
    let mainHeader = RIFFChunks(header).first { $0.type == "avih" && $0.data.count >= 40 }?.data.lowerBound
    if let index = facts.tracks.firstIndex(where: { $0.kind == .video }),
      facts.tracks[index].pixelSize == nil,
      let mainHeader, let width = header.uint32(at: mainHeader + 32, order: .little),
      let height = header.uint32(at: mainHeader + 36, order: .little), (1...65_535).contains(width),
      (1...65_535).contains(height)
    {
      facts.tracks[index].pixelSize = PixelSize(width: width, height: height)
    }
    facts.pixelSize = facts.tracks.first { $0.kind == .video }?.pixelSize
    facts.durationMilliseconds = facts.tracks.compactMap(\.durationMilliseconds).max()
    return facts
  }

  private static func list(
    _ type: String,
    of source: ByteSource
  ) -> ByteSource? {
    for chunk in RIFFChunks(source) where chunk.type == "LIST" {
      if source.holds(type, at: chunk.data.lowerBound) {
        return ByteSource(source, (chunk.data.lowerBound - 8)..<chunk.data.upperBound)
      }
    }
    return nil
  }

  private static func track(_ stream: ByteSource) -> TrackFacts? {
    var track: TrackFacts?
    var isJoint = false
    for chunk in RIFFChunks(stream) {
      let start = chunk.data.lowerBound
      switch chunk.type {
      case "strh" where chunk.data.count >= 36:
        guard let scale = stream.uint32(at: start + 20, order: .little),
          let rate = stream.uint32(at: start + 24, order: .little),
          let length = stream.uint32(at: start + 32, order: .little)
        else { return nil }
        let kind: TrackKind =
          switch stream.code(at: start) {
          case "vids", "iavs": .video
          case "auds": .audio
          case "txts": .text
          default: .other
          }
        isJoint = stream.code(at: start) == "iavs"
        track = TrackFacts(kind: kind, codec: isJoint ? "dvvideo" : "unknown")
        track?.durationMilliseconds = AudioValues.milliseconds(
          UInt64(length) * UInt64(scale),
          rate: UInt64(rate)
        )
        if kind == .video, scale > 0 { track?.frameRateMilli = rate * 1000 / scale }
      case "strf":
        if track?.kind == .video, !isJoint { BitmapInfo(of: stream, at: start)?.describe(&track) }
        if track?.kind == .audio { WAVFormat(of: stream, in: chunk.data)?.describe(&track) }
      default: break
      }
    }
    return track
  }
}

/// The header of a picture in an AVI or an ASF.
///
/// Source: Microsoft, BITMAPINFOHEADER.
struct BitmapInfo {
  var size: PixelSize
  var codec: String

  init?(of source: ByteSource, at offset: Int) {
    guard let width = source.uint32(at: offset + 4, order: .little),
      let height = source.uint32(at: offset + 8, order: .little),
      let compression = source.bytes(in: (offset + 16)..<(offset + 20), limit: 4)
    else { return nil }
    // A negative height means that the rows are stored from the top.
    let rows = abs(Int(Int32(truncatingIfNeeded: height)))
    guard (1...65_535).contains(width), (1...65_535).contains(rows) else { return nil }
    size = PixelSize(width: width, height: rows)
    let letters = compression.filter { 0x21...0x7E ~= $0 }
    codec = letters.isEmpty ? "rawvideo" : String(decoding: letters, as: UTF8.self)
  }

  func describe(_ track: inout TrackFacts?) {
    track?.pixelSize = size
    track?.codec = codec
  }
}

extension WAVFormat {
  /// Adds the number of channels, the sample rate and the codec to `track`.
  package func describe(_ track: inout TrackFacts?) {
    track?.channelCount = channelCount
    track?.sampleRate = sampleRate
    track?.codec = codec
  }
}
