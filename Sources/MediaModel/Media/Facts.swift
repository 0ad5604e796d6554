/// When a picture was taken, in the capture's own local time.
package struct CaptureDate: Sendable, Hashable, Codable {
  /// `yyyy-MM-ddTHH:mm:ss`, checked: each field is in its calendar range.
  package var local: String
  /// Minutes east of UTC, when the file says so.
  package var offsetMinutes: Int?
  /// The tag that said so, such as `DateTimeOriginal`.
  package var tag: String

  package init(local: String, offsetMinutes: Int?, tag: String) {
    self.local = local
    self.offsetMinutes = offsetMinutes
    self.tag = tag
  }
}

/// What a track of a video or a sound holds.
package enum TrackKind: String, CaseIterable, Sendable, Hashable, Codable {
  case video, audio, text, metadata, other
}

/// One track of a video or a sound, as the file describes it.
package struct TrackFacts: Sendable, Hashable, Codable {
  package var kind: TrackKind
  /// A four-character code, or the codec's name; 1 to 32 printable ASCII characters.
  package var codec: String
  package var durationMilliseconds: Int?
  /// As stored, before rotation.
  package var pixelSize: PixelSize?
  /// Frames in 1,000 seconds.
  package var frameRateMilli: Int?
  package var channelCount: Int?
  /// Samples in a second, of each channel.
  package var sampleRate: Int?

  package init(
    kind: TrackKind,
    codec: String,
    durationMilliseconds: Int? = nil,
    pixelSize: PixelSize? = nil,
    frameRateMilli: Int? = nil,
    channelCount: Int? = nil,
    sampleRate: Int? = nil
  ) {
    self.kind = kind
    self.codec = codec
    self.durationMilliseconds = durationMilliseconds
    self.pixelSize = pixelSize
    self.frameRateMilli = frameRateMilli
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }
}

/// What a file says about itself; every value is a claim of the file, checked only for shape.
package struct Facts: Sendable, Hashable, Codable {
  package var format: MediaFormat
  /// As stored, before orientation is applied.
  package var pixelSize: PixelSize?
  /// EXIF's value, 1 to 8.
  package var orientation: Int
  package var creationDate: CaptureDate?
  /// Make and model.
  package var camera: String?
  package var hasLocation: Bool
  /// Apple's identifier that ties a live photo's two halves together.
  package var contentIdentifier: String?
  package var durationMilliseconds: Int?
  /// Pictures of an animation; nil for one picture.
  package var frameCount: Int?
  /// At most 64, in the file's order; none for a picture.
  package var tracks: [TrackFacts]

  package init(
    format: MediaFormat,
    pixelSize: PixelSize? = nil,
    orientation: Int = 1,
    creationDate: CaptureDate? = nil,
    camera: String? = nil,
    hasLocation: Bool = false,
    contentIdentifier: String? = nil,
    durationMilliseconds: Int? = nil,
    frameCount: Int? = nil,
    tracks: [TrackFacts] = []
  ) {
    self.format = format
    self.pixelSize = pixelSize
    self.orientation = orientation
    self.creationDate = creationDate
    self.camera = camera
    self.hasLocation = hasLocation
    self.contentIdentifier = contentIdentifier
    self.durationMilliseconds = durationMilliseconds
    self.frameCount = frameCount
    self.tracks = tracks
  }
}

/// One kind of metadata that an output no longer has: its name and how often, never its value.
package struct RemovedMetadata: Sendable, Hashable, Codable {
  /// The container's own word, such as `APP1 Exif`, `tEXt` or `trailer`.
  package var name: String
  package var count: Int

  /// The name of a sound track; of a video it goes only because the microphone was refused.
  package static let audioTrack = "sound track"

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
