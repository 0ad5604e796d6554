package import MediaContainers
import MediaModel

/// Reads the facts of an MP4, MOV, M4A or 3GP that its header and its tracks tell; ``MovieValues`` reads the others.
///
/// Source: ISO/IEC 14496-12 sections 8.2.2 (mvhd), 8.3.2 (tkhd), 8.8.2 (mehd).
enum MovieFacts {
  private static let maximumTracks = 1024

  static func facts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source)?.body else {
      throw MetadataError(.damaged, "no moov that makes sense")
    }
    // A compressed header is not read.
    if ISOBoxes.body(at: ["cmov", "cmvd"], in: moov, of: source) != nil {
      return Facts(format: format)
    }
    guard let header = MovieHeader(of: source, in: moov)
    else { throw MetadataError(.damaged, "no moov that makes sense") }
    var facts = Facts(format: format)
    facts.durationMilliseconds = header.durationMilliseconds
    var tracks = 0
    for box in ISOBoxes(source, in: moov) {
      switch box.type {
      case "trak" where facts.pixelSize == nil && tracks < maximumTracks:
        tracks += 1
        let handler: FourCharacterCode = format.mediaType == .image ? "pict" : "vide"
        if let video = VideoTrack(of: source, in: box.body, handler: handler) {
          facts.pixelSize = video.pixelSize
          facts.orientation = video.orientation
        }
      default: break
      }
    }
    facts.creationDate = header.creationDate
    facts.tracks = MovieTrackFacts.tracks(of: source, in: moov)
    // A fragmented recording may store its duration only in the fragments, or its header may cover
    // only the part outside the fragments.
    if ISOBoxes.first("mvex", in: moov, of: source) != nil {
      let durations = facts.tracks.compactMap(\.durationMilliseconds)
      facts.durationMilliseconds = (durations + [facts.durationMilliseconds ?? 0]).max()
      if facts.durationMilliseconds == 0 { facts.durationMilliseconds = nil }
    }
    return facts
  }
}

/// The movie header with duration and creation date.
struct MovieHeader {
  /// The maximum duration, one year; a longer one is an error in the file.
  private static let maximumMilliseconds: UInt64 = 366 * 86_400_000

  var durationMilliseconds: Int?
  var creationDate: CaptureDate?

  init?(of source: ByteSource, in moov: Range<Int>) {
    guard let mvhd = ISOBoxes.first("mvhd", in: moov, of: source)?.body,
      let version = source.byte(at: mvhd.lowerBound)
    else { return nil }
    let isLong = version == 1
    let start = mvhd.lowerBound + 4
    let timescale = source.uint32(at: start + (isLong ? 16 : 8))
    let offset = start + (isLong ? 20 : 12)
    var duration = source.unsigned(at: offset, count: isLong ? 8 : 4)
    if duration == (isLong ? UInt64.max : UInt64(UInt32.max)) { duration = nil }
    if duration == nil || duration == 0 { duration = Self.fragmentDuration(of: source, in: moov) }
    if let duration, let timescale, timescale > 0 {
      durationMilliseconds = Self.milliseconds(duration, timescale: UInt64(timescale))
    }
    creationDate = Self.creationDate(of: source, in: mvhd)
  }

  /// Returns the time in a movie's header, with the tag `mvhd`; ``CaptureDate/impossible(tag:)`` for a time
  /// beyond the calendar.
  ///
  /// The long form is read as signed: what is before 1904 has no other form. Nil for 0, for all bits
  /// set, and for the beginning of 1970, which stand for an unknown time.
  static func dateOrImpossible(of source: ByteSource, in mvhd: Range<Int>) -> CaptureDate? {
    let isLong = source.byte(at: mvhd.lowerBound) == 1
    guard let bits = source.unsigned(at: mvhd.lowerBound + 4, count: isLong ? 8 : 4), bits != 0,
      bits != UInt64.max
    else { return nil }
    let (seconds, isBeyond) = Int(Int64(bitPattern: bits)).subtractingReportingOverflow(
      MovieDescription.secondsFrom1904To1970
    )
    guard !isBeyond, let local = CivilDate.local(seconds: seconds) else {
      return CaptureDate.impossible(tag: "mvhd")
    }
    return seconds == 0 ? nil : CaptureDate(local: local, offsetMinutes: 0, tag: "mvhd")
  }

  /// Returns the time in a movie's header, with the tag `mvhd`; nil for one that is not known or not in the
  /// calendar.
  static func creationDate(of source: ByteSource, in mvhd: Range<Int>) -> CaptureDate? {
    dateOrImpossible(of: source, in: mvhd).flatMap { $0.isDateOnly ? nil : $0 }
  }

  /// Returns the duration of a fragmented movie, which is stored in mehd.
  private static func fragmentDuration(
    of source: ByteSource,
    in moov: Range<Int>
  ) -> UInt64? {
    guard let mehd = ISOBoxes.body(at: ["mvex", "mehd"], in: moov, of: source),
      let version = source.byte(at: mehd.lowerBound)
    else { return nil }
    return source.unsigned(at: mehd.lowerBound + 4, count: version == 1 ? 8 : 4)
  }

  static func milliseconds(_ duration: UInt64, timescale: UInt64) -> Int? {
    let (high, low) = duration.multipliedFullWidth(by: 1000)
    guard timescale > 0, high < timescale else { return nil }
    let milliseconds = timescale.dividingFullWidth((high, low)).quotient
    return milliseconds > 0 && milliseconds <= maximumMilliseconds
      ? Int(exactly: milliseconds) : nil
  }
}

/// A track that contains video.
package struct VideoTrack {
  var pixelSize: PixelSize
  /// The orientation in the track's matrix, when that is one of the four rotations.
  package var orientation: Int
  /// The offset of that matrix: nine numbers of four bytes, behind which width and height follow.
  package let matrix: Int

  /// Reads the header of a track; nil for one of another handler, or without a size.
  package init?(of source: ByteSource, in trak: Range<Int>, handler: FourCharacterCode = "vide") {
    guard let hdlr = ISOBoxes.body(at: ["mdia", "hdlr"], in: trak, of: source),
      source.code(at: hdlr.lowerBound + 8) == handler,
      let tkhd = ISOBoxes.first("tkhd", in: trak, of: source)?.body,
      let version = source.byte(at: tkhd.lowerBound)
    else { return nil }
    let matrix = tkhd.lowerBound + (version == 1 ? 52 : 40)
    // The sizes are 16.16 fixed-point numbers.
    guard let width = source.uint32(at: matrix + 36), let height = source.uint32(at: matrix + 40),
      width >> 16 > 0, height >> 16 > 0
    else { return nil }
    pixelSize = PixelSize(width: width >> 16, height: height >> 16)
    self.matrix = matrix
    let turn = [0, 4, 12, 16].map { offset in
      source.uint32(at: matrix + offset).map { Int32(truncatingIfNeeded: $0) }
    }
    let one: Int32 = 0x1_0000
    switch turn {
    case [0, one, -one, 0]: orientation = 6
    case [-one, 0, 0, -one]: orientation = 3
    case [0, -one, one, 0]: orientation = 8
    default: orientation = 1
    }
  }
}
