import MediaContainers
import MediaModel

/// Reads the facts of a DV recording: size, duration, and the date that the camcorder wrote beside its pictures.
enum DVFacts {
  static func facts(of source: ByteSource) throws(MetadataError) -> Facts {
    guard let file = DVFile(of: source) else { throw MetadataError(.damaged, "no header") }
    var facts = Facts(format: .dv)
    var video = TrackFacts(kind: .video, codec: "dvvideo")
    video.pixelSize = file.size
    video.frameRateMilli = file.frameRateMilli
    video.durationMilliseconds = file.milliseconds(of: source)
    facts.tracks = [video]
    if let rate = file.sampleRate {
      var audio = TrackFacts(kind: .audio, codec: "pcm_s16le")
      audio.sampleRate = rate
      audio.durationMilliseconds = video.durationMilliseconds
      facts.tracks.append(audio)
    }
    facts.pixelSize = file.size
    facts.durationMilliseconds = video.durationMilliseconds
    facts.creationDate = date(of: file)
    return facts
  }

  /// Returns the part of the last frame that is missing; what does not begin as a frame is none.
  static func missingPart(of source: ByteSource) -> String? {
    guard let file = DVFile(of: source) else { return nil }
    let length = source.length % file.frameLength
    return length > 0 && DVFile.beginsFrame(source, at: source.length - length) ? "the end of a frame" : nil
  }

  /// Returns a date as one of those that a file states, under the name of the packs that have it.
  static func stated(_ date: CaptureDate) -> CaptureDate {
    var date = date
    date.tag = "DV"
    return date
  }

  /// Returns the date of the first frame; nil where it tells none, or one that cannot be.
  static func date(of file: DVFile) -> CaptureDate? {
    guard let recorded = file.recordingTime else { return nil }
    let day = recorded.day
    guard let local = CivilDate.day(year: day[0], month: day[1], day: day[2]) else { return nil }
    let time = recorded.time.flatMap { CivilDate.time(hour: $0[0], minute: $0[1], second: $0[2]) }
    return CaptureDate(
      local: time.map { local + "T" + $0 } ?? local,
      offsetMinutes: nil,
      tag: KeptMetadata.dateTag
    )
  }
}
