package import MediaModel

/// A worker's job for one item, sent with a read-only descriptor of the file.
package struct Job: WireValue, Hashable {
  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The media types to process; of another file only the facts are reported.
  package var acceptedMediaTypes: Set<MediaType>
  /// Whether an edit list is wanted: the item is new, and its source's policy is `strip`.
  package var wantsEditList: Bool
  /// The options of the edit list.
  package var strip: StripOptions
  /// The thumbnails to make.
  package var thumbnails: [ThumbnailSpec]
  /// The degrees, clockwise, by which a thumbnail is turned from the picture's upright orientation: 0, 90, 180 or 270.
  package var rotation: Int
  /// The limits of one item.
  package var limits: ItemLimits
  /// Whether the thumbnail of a damaged picture shows the part that can be decoded.
  package var acceptsDamaged: Bool
  /// Whether the source's policy is `strip`; then thumbnails do not show removed pictures either.
  package var isStripped: Bool
  /// Whether a waveform of a video's audio may be drawn; false when the microphone is refused.
  package var allowsAudio: Bool
  /// What becomes of a picture that is kept and has a movie with sound in it, where ``allowsAudio`` is false.
  package var soundInPicture: SoundInPicture
  /// Whether the preview of a camera raw file is stripped instead of the file.
  package var publishesRawPreview: Bool
  /// Whether the facts have a ``MediaDescription``.
  package var wantsDescription: Bool
  /// Whether the SHA-256 of the file is wanted, for which all of it is read.
  package var wantsDigest: Bool
  /// The notation of the file if it is a sidecar, of which only the description is wanted; nil for media.
  package var sidecar: SidecarFormat?

  /// Makes a job; by default it asks for facts and the digest alone, nothing is excepted and no sound is refused.
  package init(
    identifier: UInt64,
    acceptedMediaTypes: Set<MediaType> = [],
    wantsEditList: Bool = false,
    strip: StripOptions = StripOptions(),
    thumbnails: [ThumbnailSpec] = [],
    rotation: Int = 0,
    limits: ItemLimits = ItemLimits(),
    acceptsDamaged: Bool = false,
    isStripped: Bool = false,
    allowsAudio: Bool = true,
    soundInPicture: SoundInPicture = .refused,
    publishesRawPreview: Bool = false,
    wantsDescription: Bool = false,
    wantsDigest: Bool = true,
    sidecar: SidecarFormat? = nil
  ) {
    self.identifier = identifier
    self.acceptedMediaTypes = acceptedMediaTypes
    self.wantsEditList = wantsEditList
    self.strip = strip
    self.thumbnails = thumbnails
    self.rotation = rotation
    self.limits = limits
    self.acceptsDamaged = acceptsDamaged
    self.isStripped = isStripped
    self.allowsAudio = allowsAudio
    self.soundInPicture = soundInPicture
    self.publishesRawPreview = publishesRawPreview
    self.wantsDescription = wantsDescription
    self.wantsDigest = wantsDigest
    self.sidecar = sidecar
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(1, identifier)
    writer.put(acceptedMediaTypes)
    writer.put(wantsEditList)
    writer.put(strip.except)
    writer.put(strip.isLocationCoarse)
    writer.put(strip.pairingKey) { $0.put($1) }
    writer.put(strip.removesAudio)
    writer.put(UInt32(thumbnails.count))
    for thumbnail in thumbnails {
      writer.put(thumbnail.name)
      writer.put(UInt32(thumbnail.size.width))
      writer.put(UInt32(thumbnail.size.height))
      writer.put(thumbnail.contentMode.rawValue)
      writer.put(UInt32(thumbnail.quality))
      writer.put(thumbnail.format.rawValue)
      writer.put(thumbnail.colorSpace) { $0.put($1.rawValue) }
      writer.put(thumbnail.background)
      writer.put(thumbnail.mediaTypes) { $0.put($1) }
    }
    writer.put(rotation: rotation)
    for limit in [
      limits.bytes, limits.pixels, limits.frames, limits.textBytes, limits.profileBytes,
      limits.seconds,
    ] {
      writer.put(Int64(limit))
    }
    writer.put(acceptsDamaged)
    writer.put(isStripped)
    writer.put(allowsAudio)
    writer.put(soundInPicture.rawValue)
    writer.put(publishesRawPreview)
    writer.put(wantsDescription)
    writer.put(wantsDigest)
    writer.put(sidecar) { $0.put($1.rawValue) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: 1)
    acceptedMediaTypes = try reader.choices()
    wantsEditList = try reader.bool()
    strip = StripOptions(except: try reader.choices(), isLocationCoarse: try reader.bool())
    if try reader.bool() { strip.pairingKey = try reader.blob(limit: 32) }
    strip.removesAudio = try reader.bool()
    var thumbnails: [ThumbnailSpec] = []
    for _ in 0..<(try reader.count(limit: 64)) { thumbnails.append(try reader.thumbnail()) }
    self.thumbnails = thumbnails
    rotation = try reader.rotation()
    limits = try reader.limits()
    acceptsDamaged = try reader.bool()
    isStripped = try reader.bool()
    allowsAudio = try reader.bool()
    soundInPicture = try reader.choice()
    publishesRawPreview = try reader.bool()
    wantsDescription = try reader.bool()
    wantsDigest = try reader.bool()
    sidecar = try reader.bool() ? try reader.choice() : nil
  }
}

/// What becomes of a picture with a movie that has sound, when sound is refused and the picture is kept.
package enum SoundInPicture: String, CaseIterable, Sendable, Hashable {
  /// It is refused whole.
  case refused
  /// An edit list leaves out the movie and what is behind it; where that cannot be done it is refused.
  case cut
  /// It is read for its facts and thumbnails alone, and nothing of it is written.
  case unwritten
}

extension WireReader {
  /// Reads the beginning of a job: its kind, which is the first byte of its frame, and its identifier.
  mutating func identifier(ofJob kind: UInt8) throws(ProtocolError) -> UInt64 {
    guard try integer(UInt8.self) == kind else { throw ProtocolError("not a job") }
    return try integer()
  }

  fileprivate mutating func thumbnail() throws(ProtocolError) -> ThumbnailSpec {
    let name = try text(limit: 64)
    let width = Int(try integer(UInt32.self))
    let height = Int(try integer(UInt32.self))
    let mode: ContentMode = try choice()
    let quality = Int(try integer(UInt32.self))
    let format: ThumbnailFormat = try choice()
    let colorSpace: ThumbnailColorSpace? = try bool() ? try choice() : nil
    return ThumbnailSpec(
      name: name,
      size: PixelSize(width: width, height: height),
      contentMode: mode,
      quality: quality,
      format: format,
      colorSpace: colorSpace,
      background: try color(),
      mediaTypes: try bool() ? try choices() : nil
    )
  }

  private mutating func limit() throws(ProtocolError) -> Int { Int(try integer(Int64.self)) }

  fileprivate mutating func limits() throws(ProtocolError) -> ItemLimits {
    var limits = ItemLimits()
    limits.bytes = try limit()
    limits.pixels = try limit()
    limits.frames = try limit()
    limits.textBytes = try limit()
    limits.profileBytes = try limit()
    limits.seconds = try limit()
    return limits
  }
}
