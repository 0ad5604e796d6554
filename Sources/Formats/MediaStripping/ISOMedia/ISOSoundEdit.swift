import MediaCodecs
import MediaContainers

/// The edit list of a sound that had iTunes' comment on added samples in its place.
///
/// The movie gets the time scale of the sound, so that the numbers stay exact.
///
/// Source: ISO/IEC 14496-12 section 8.6.6 (elst).
struct ISOSoundEdit {
  /// The number of media time units before the sound.
  private let start: Int
  /// The duration of the sound in media time units.
  let duration: Int
  /// The media time units in a second.
  let timeScale: Int

  /// Returns nil unless the movie has one kept track, of AAC that is not edited, and the comment.
  ///
  /// Beside pictures an edit list would move the sound.
  init?(_ tracks: [ISOTrack], of source: ByteSource, in moov: ISOBox) throws(MetadataError) {
    guard tracks.count == 1, tracks[0].handler == "soun",
      tracks[0].entries.allSatisfy({ $0.bitstream == .aac }),
      let gapless = GaplessPlayback(of: source, in: moov.body),
      try !Self.isEdited(tracks[0], of: source),
      let mdhd = try tracks[0].mdia.only("mdhd")?.body,
      let stts = try tracks[0].stbl.only("stts")?.body,
      let timeScale = source.uint32(
        at: mdhd.lowerBound + (source.byte(at: mdhd.lowerBound) == 1 ? 20 : 12)
      ), timeScale > 0, let sound = gapless.sound(in: Self.duration(stts, of: source)),
      sound.duration <= Int(UInt32.max)
    else { return nil }
    (start, duration, self.timeScale) = (sound.start, sound.duration, timeScale)
  }

  /// The whole edts box.
  var box: [UInt8] {
    let entry = duration.bytes(4) + start.bytes(4) + [0, 1, 0, 0]
    return ISOWriter.box("edts", ISOWriter.full("elst", 1.bytes(4) + entry))
  }

  /// Returns whether a track has an edit list that leaves anything out at its start.
  private static func isEdited(
    _ track: ISOTrack,
    of source: ByteSource
  ) throws(MetadataError) -> Bool {
    guard let edts = try track.trak.only("edts"),
      let elst = ISOBoxes.first("elst", in: edts.body, of: source)?.body
    else { return false }
    let isLong = source.byte(at: elst.lowerBound) == 1
    let time = source.unsigned(at: elst.lowerBound + (isLong ? 16 : 12), count: isLong ? 8 : 4)
    return source.uint32(at: elst.lowerBound + 4) != 1 || time != 0
  }

  /// Returns the duration of all packets; 0 for a table of impossible length.
  private static func duration(_ stts: Range<Int>, of source: ByteSource) -> Int {
    let count = source.uint32(at: stts.lowerBound + 4) ?? 0
    guard count <= (stts.count - 8) / 8 else { return 0 }
    var duration = 0
    for entry in 0..<count {
      let offset = stts.lowerBound + 8 + 8 * entry
      let packets = source.uint32(at: offset) ?? 0
      let (length, isTooLong) = packets.multipliedReportingOverflow(by: source.uint32(at: offset + 4) ?? 0)
      let (sum, overflow) = duration.addingReportingOverflow(length)
      guard !isTooLong, !overflow else { return 0 }
      duration = sum
    }
    return duration
  }
}
