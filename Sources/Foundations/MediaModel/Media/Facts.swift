/// The date and time at which a picture was taken, in local time.
package struct CaptureDate: Sendable, Hashable {
  /// The local time as `yyyy-MM-ddTHH:mm:ss`, checked: each field is in its calendar range; `yyyy-MM-dd`, `yyyy-MM` or
  /// `yyyy` alone where no more is known.
  package var local: String
  /// The offset from UTC in minutes, positive to the east; nil if the file does not give it.
  package var offsetMinutes: Int?
  /// The tag that the date was read from, such as `DateTimeOriginal`, with `+` and the tag that its
  /// offset came from, or the rule that gave it, such as `fileName`.
  package var tag: String
  /// The digits behind the point of the second, at most ``maximumFractionLength``, the last one not 0 unless it is the
  /// only one; nil where none are known.
  package var fraction: String?
  /// Whether the seconds of the time of day are known; they are 00 where not.
  package var hasSeconds = true

  /// Nanoseconds.
  package static let maximumFractionLength = 9

  /// Creates a capture date from checked values.
  package init(local: String, offsetMinutes: Int?, tag: String) {
    self.local = local
    self.offsetMinutes = offsetMinutes
    self.tag = tag
  }
}

/// The kind of content that a track holds.
package enum TrackKind: String, CaseIterable, Sendable, Hashable, Codable {
  case video, audio, text, metadata, other
}

/// One track of a video or an audio file, as the file describes it.
package struct TrackFacts: Sendable, Hashable {
  /// The kind of content.
  package var kind: TrackKind
  /// The codec: a four-character code or a name; 1 to 32 printable ASCII characters.
  package var codec: String
  /// The duration in milliseconds; nil if the file does not give it.
  package var durationMilliseconds: Int?
  /// The size in pixels as stored, before rotation; nil for tracks without pictures.
  package var pixelSize: PixelSize?
  /// The number of frames in 1,000 seconds.
  package var frameRateMilli: Int?
  /// The number of audio channels.
  package var channelCount: Int?
  /// The number of samples per second, of each channel.
  package var sampleRate: Int?
}

extension TrackFacts {
  /// Creates the facts about one track.
  package init(kind: TrackKind, codec: String) {
    self.kind = kind
    self.codec = codec
  }
}

/// The facts that a file states about itself; every value is the file's claim, checked only for its
/// form.
package struct Facts: Sendable, Hashable {
  /// The container format, found by content.
  package var format: MediaFormat
  /// The size in pixels as stored, before orientation is applied.
  package var pixelSize: PixelSize?
  /// The Exif orientation, 1 to 8.
  package var orientation = 1
  /// The date and time at which the picture was taken.
  package var creationDate: CaptureDate?
  /// The make and model of the camera.
  package var camera: String?
  /// The model of the lens.
  package var lensModel: String?
  /// Whether the file says a place in any form, understood or not; of a file that is stripped, whether its output has
  /// one.
  package var hasLocation = false
  /// Apple's content identifier, which ties the still and the movie of a live photo together.
  package var contentIdentifier: String?
  /// The identifier that the pictures of one of Apple's bursts share; others are in ``description``.
  package var burstIdentifier: String?
  /// The duration in milliseconds; nil for a still picture.
  package var durationMilliseconds: Int?
  /// The number of frames of an animation; nil for one picture.
  package var frameCount: Int?
  /// The tracks in the file's order, at most 64; empty for a picture.
  package var tracks: [TrackFacts] = []
  /// The movie of a motion photo within the file; nil for every other file.
  package var embeddedMovie: EmbeddedMovie?
  /// The file's description of itself; nil unless it was asked for.
  package var description: MediaDescription?
}

extension Facts {
  /// Creates the facts about one file.
  package init(format: MediaFormat, pixelSize: PixelSize? = nil) {
    self.format = format
    self.pixelSize = pixelSize
  }
}

extension Facts {
  package typealias Field = FactList.Field<Facts>
  private typealias Column = FactList.Column

  /// Every fact but the format, in the order in which a worker sends them. A new one is a property, a row here, and a
  /// case of the catalogue's `AssetColumn`; then the wire, the journal, the catalogue, the private facts, predicates
  /// and `list` have it.
  package static let fields: [Field] = [
    Field(.size(\.pixelSize), .kept, Column("pixelWidth", .rows(50)), Column("pixelHeight", .rows(51))),
    Field(.orientation(\.orientation), .kept, Column("orientation", isKey: false)),
    Field(
      .date(\.creationDate),
      .excepted(.creationDate),
      Column("creationDate", isDescribed: true, .rows(20)),
      Column("creationDateOffsetMinutes", isDescribed: true, .rows(21)),
      Column("creationDateTag", isKey: false, .rows(22)),
      Column("creationDatePrecision", isDescribed: true, .objects),
      Column("creationDateFraction", isKey: false, .objects)
    ),
    Field(.text(\.camera, limit: 256), .excepted(.camera), Column("camera", isDescribed: true, .rows(140))),
    Field(
      .text(\.lensModel, limit: 256),
      .excepted(.lens),
      Column("lensModel", isDescribed: true, .rows(145))
    ),
    // The private facts have the position.
    Field(
      .flag(\.hasLocation),
      .excepted(.location, isPrivate: false),
      Column("hasLocation", isDescribed: true)
    ),
    // A stripped file has a fresh one.
    Field(.text(\.contentIdentifier, limit: 128), .dropped, Column("contentIdentifier", isKey: false)),
    Field(.text(\.burstIdentifier, limit: 128), .dropped),
    Field(
      .milliseconds(\.durationMilliseconds),
      .kept,
      Column("durationMilliseconds", as: "duration", .rows(40))
    ),
    Field(.number(\.frameCount, 0...Int(Int32.max)), .kept, Column("frameCount", isKey: false)),
    Field(.tracks(\.tracks, count: 64), .kept),
    Field(
      .movie(\.embeddedMovie),
      .dropped,
      Column("embeddedOffset", isKey: false),
      Column("embeddedLength", isKey: false),
      Column("stillLength", isKey: false)
    ),
  ]
}

/// One kind of metadata that an output no longer has: its name and its count, never its value.
package struct RemovedMetadata: Sendable, Hashable {
  /// The container's own name for it, such as `APP1 Exif`, `tEXt` or `trailer`.
  package var name: String
  /// The number of occurrences that were removed.
  package var count: Int

  /// The name of an audio track; a video loses it only if microphone access was refused.
  package static let audioTrack = "sound track"

  /// Creates an entry.
  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
