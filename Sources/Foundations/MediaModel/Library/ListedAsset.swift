/// An asset as `list` shows it.
package struct ListedAsset: Sendable, Hashable {
  /// A current original.
  package struct File: Sendable, Hashable {
    package var role: String
    /// Below the library.
    package var path: String
    package var format: String
    package var bytes: Int64
    package var sha256: String
    /// The path in its source of the file that it was made of.
    package private(set) var sourcePath: ItemPath?
    /// The extension of the source's file as it is written there, without the dot; nil where it has none of 1 to
    /// 8 letters and digits (ASCII), and where it is one of another format.
    package var sourceExtension: String?
    /// Whether it says where it was taken, as far as the catalogue knows: only of a main file.
    package var statesPlace = false

    package init(
      role: String,
      path: String,
      format: String,
      bytes: Int64,
      sha256: String
    ) {
      self.role = role
      self.path = path
      self.format = format
      self.bytes = bytes
      self.sha256 = sha256
    }

    /// Notes the path of the source's file.
    package mutating func note(sourcePath path: ItemPath) {
      sourcePath = path
      let own = path.name.dropFirst(path.stem.count + 1)
      guard own.allSatisfy(\.isASCIIAlphanumeric), (1...8).contains(own.count),
        [nil, format].contains(MediaFormat(fileExtension: path.fileExtension)?.rawValue)
      else { return }
      sourceExtension = String(decoding: own, as: UTF8.self)
    }
  }

  /// A current thumbnail.
  package struct Thumbnail: Sendable, Hashable {
    /// The name in the manifest.
    package var name: String
    /// Below the library.
    package var path: String
    package var size: PixelSize
    package var bytes: Int64
    package var sha256: String
    /// The bytes of its ThumbHash in base64; nil of a thumbnail without one.
    package var thumbHash: String?

    package init(
      name: String,
      path: String,
      size: PixelSize,
      bytes: Int64,
      sha256: String,
      thumbHash: String?
    ) {
      self.name = name
      self.path = path
      self.size = size
      self.bytes = bytes
      self.sha256 = sha256
      self.thumbHash = thumbHash
    }
  }

  /// Its row in the catalogue.
  package var row: Int64
  package var localIdentifier: String
  package var label: String
  package var mediaType: MediaType
  /// The names of PHAssetMediaSubtype and `photoSelfie`, in the order of their bits.
  package var mediaSubtypes: [String] = []
  /// The degrees, clockwise, by which a person has turned it: 0, 90, 180 or 270.
  package var rotation = 0
  /// What is known of its main file, with the size as it is shown, and with a description; a date may lack its tag.
  package var facts: Facts
  /// The facts that are certainly not known, a bit for each by its number: a list asks for thirty, most have eight, and
  /// each that is asked for costs.
  package var absentFacts: UInt64 = 0
  /// Whether the library's main file says where it was taken.
  package var statesPlace = false
  /// The stack that it is in.
  package var stack: StackMembership?
  package var isDegraded = false
  /// The orientation that its main file states, 1 to 8, before that turn.
  package var orientation = 1
  package var source: String
  /// The name by which the library knows it.
  package var sourceName = ""
  /// The name of the main file in its source, without its ending; as text, escaped.
  package var originalName: String?
  package var policy: String
  /// When it was saved in the library, in UTC.
  package var added: String
  /// The identifier of the run that saved it; in a merged library that of a shard.
  package var run = ""
  /// The main one first.
  package var files: [File] = []
  /// In the order of their sizes, the smallest first; read only where they are asked for.
  package var thumbnails: [Thumbnail] = []

  /// Creates an asset with what every catalogue knows.
  package init(
    row: Int64,
    localIdentifier: String,
    label: String,
    mediaType: MediaType,
    source: String,
    policy: String,
    added: String,
    facts: Facts
  ) {
    self.row = row
    self.localIdentifier = localIdentifier
    self.label = label
    self.mediaType = mediaType
    self.source = source
    self.policy = policy
    self.added = added
    self.facts = facts
  }

  /// What its main file says of itself.
  package var described: MediaDescription {
    get { facts.description ?? MediaDescription() }
    set { facts.description = newValue }
  }

  /// The value of a column of its facts.
  package func value(of fact: FactColumn) -> FactValue {
    absentFacts & 1 << UInt64(fact.number) == 0 ? fact.value(of: facts) : .null
  }

  package var isAnimated: Bool { mediaType == .image && (facts.frameCount ?? 0) > 1 }

  package var isRaw: Bool { files.contains { MediaFormat(rawValue: $0.format)?.isRaw == true } }

  /// The words that tell it from a plain photo.
  package var badges: [String] {
    let subtypes = mediaSubtypes.isEmpty ? [] : Self.badgesOfSubtypes.filter { mediaSubtypes.contains($0.0) }
    let described = described
    let others = [
      (isRaw, "RAW"), (isAnimated, "animated"), (described.burst != nil, "burst"),
      (described.isFavorite == true, "favorite"), (described.rating == MediaDescription.rejected, "rejected"),
      (described.isHidden == true, "hidden"), (isDegraded, "degraded"),
    ]
    return subtypes.map(\.1) + others.filter(\.0).map(\.1)
  }

  private static let badgesOfSubtypes: [(String, String)] = [
    ("photoLive", "live"), ("photoPanorama", "panorama"), ("photoHDR", "HDR"),
    ("photoScreenshot", "screenshot"), ("photoDepthEffect", "depth"), ("spatialMedia", "spatial"),
    ("photoSelfie", "selfie"), ("videoHighFrameRate", "slo-mo"), ("videoTimelapse", "time-lapse"),
    ("videoScreenRecording", "screen recording"), ("videoCinematic", "cinematic"),
  ]

  /// The words on its picture: how long it plays, unless it is a photo, then its ``badges``.
  package var tileBadges: [String] {
    guard let milliseconds = facts.durationMilliseconds, mediaType != .image else { return badges }
    return [Quantity.clock(milliseconds / 1000)] + badges
  }
}

/// The stack that a listed asset is in.
package struct StackMembership: Sendable, Hashable {
  package var kind: StackKind
  /// The localIdentifier of the cover.
  package var cover: String
  /// The number of assets in the stack.
  package var count: Int

  package init(kind: StackKind, cover: String, count: Int) {
    self.kind = kind
    self.cover = cover
    self.count = count
  }
}
