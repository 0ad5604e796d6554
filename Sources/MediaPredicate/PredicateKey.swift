/// A key path of an asset in a predicate or a sort descriptor.
///
/// Source: PHFetchOptions, "Supported predicate and sort descriptor keys", for PHAsset; the keys behind
/// `burstIdentifier` are those of mediabatch.
package enum PredicateKey: String, CaseIterable, Sendable, Hashable {
  case localIdentifier
  /// PHAssetMediaType: 1 image, 2 video, 3 audio.
  case mediaType
  /// PHAssetMediaSubtype, as bits.
  case mediaSubtypes
  /// Local time of the capture, or its date alone.
  case creationDate
  /// When the source's file was changed last.
  case modificationDate
  /// When the asset was saved in the library.
  case addedDate
  /// In seconds.
  case duration
  /// In pixels, upright.
  case pixelWidth
  /// In pixels, upright.
  case pixelHeight
  case isFavorite
  case isHidden
  case burstIdentifier

  case rating
  case caption
  case keywords
  /// The names of the people in the picture.
  case people
  case camera
  /// In degrees, positive to the north.
  case latitude
  /// In degrees, positive to the east.
  case longitude
  /// The name of the nearest city.
  case city
  /// The name or code of the division of ``country``.
  case region
  /// Two letters of ISO 3166-1.
  case country
  case hasLocation
  case label
  case format
  /// The path in the source.
  case path
  /// The last component of ``path``.
  case name
  /// In bytes.
  case size
  case source
  case isDegraded
  /// The policy under which the asset's files were written: `keep`, `strip`, or `strip+…` with what it
  /// preserves.
  case metadataPolicy
  /// Whether thumbnails that are wanted could not be made.
  case isThumbnailMissing
  /// The minutes by which ``creationDate`` is ahead of UTC.
  case creationDateOffsetMinutes

  /// Finds a key by one of its names; nil when no key has it.
  package init?(name: String) {
    guard let key = Self(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = key
  }

  /// PhotoKit's own documentation names these two without "is".
  private static let aliases: [String: PredicateKey] = [
    "favorite": .isFavorite, "hidden": .isHidden, "degraded": .isDegraded,
    "thumbnailMissing": .isThumbnailMissing,
  ]

  /// The names that messages suggest.
  static var names: [String] { allCases.map(\.rawValue) + aliases.keys.sorted() }

  /// Whether the listing of a source tells the value, so that no file has to be opened for it.
  package var isListed: Bool {
    switch self {
    case .path, .name, .size, .modificationDate, .source: true
    default: false
    }
  }

  /// Whether a source's file or its name tells the value, so that fetch options can name it.
  package var isOfSource: Bool {
    switch self {
    case .mediaType, .creationDate, .creationDateOffsetMinutes, .duration, .pixelWidth,
      .pixelHeight, .camera, .hasLocation, .format:
      true
    default: isListed || isDescribed
    }
  }

  /// Whether a file tells the value in a description of itself, which is read only where it is wanted.
  package var isDescribed: Bool {
    switch self {
    case .mediaSubtypes, .isFavorite, .isHidden, .burstIdentifier, .rating, .caption, .keywords,
      .people, .latitude, .longitude, .city, .region, .country:
      true
    default: false
    }
  }

  /// Whether the value is a fact about a person's capture, which `strip` keeps out of the catalogue.
  package var isPrivate: Bool {
    switch self {
    case .creationDate, .creationDateOffsetMinutes, .mediaSubtypes, .isFavorite, .isHidden,
      .burstIdentifier, .rating, .caption, .keywords, .people, .camera, .latitude, .longitude,
      .city, .region, .country, .hasLocation:
      true
    default: false
    }
  }

  /// How values of a key are written and compared.
  enum Kind: Sendable, Hashable {
    case text
    case number
    case flag
    case mediaType
    case mediaSubtypes
    /// Local time, as ``PredicateDate/local``.
    case localDate
    /// An instant, as ``PredicateDate/timestamp``.
    case timestamp
    /// An instant in nanoseconds since 1970.
    case nanoseconds
    case list
  }

  var kind: Kind {
    switch self {
    case .localIdentifier, .burstIdentifier, .caption, .camera, .label, .format, .path, .name,
      .source, .metadataPolicy, .city, .region, .country:
      .text
    case .duration, .pixelWidth, .pixelHeight, .rating, .latitude, .longitude, .size,
      .creationDateOffsetMinutes:
      .number
    case .isFavorite, .isHidden, .hasLocation, .isDegraded, .isThumbnailMissing: .flag
    case .mediaType: .mediaType
    case .mediaSubtypes: .mediaSubtypes
    case .creationDate: .localDate
    case .addedDate: .timestamp
    case .modificationDate: .nanoseconds
    case .keywords, .people: .list
    }
  }

  /// The value of an asset of which nothing is known: PhotoKit's flags are never nil.
  var absent: PredicateValue {
    switch kind {
    case .flag, .mediaSubtypes: .integer(0)
    default: .null
    }
  }
}

extension PredicateKey.Kind {
  /// The kind in a sentence.
  var text: String {
    switch self {
    case .text: "a text in quotes"
    case .number: "a number"
    case .flag: "YES or NO"
    case .mediaType: "one of image, video, audio"
    case .mediaSubtypes: "a subtype such as photoScreenshot, or a number"
    case .localDate, .timestamp, .nanoseconds:
      "a date such as 2026-11-21 or \"2026-11-21T08:00:00\""
    case .list: "a list of texts"
    }
  }

  /// Whether two keys of these kinds can be compared with each other.
  func isComparable(with other: PredicateKey.Kind) -> Bool { self == other && self != .list }

  /// Whether values have an order.
  var isOrdered: Bool { self != .flag && self != .list }
}

/// Words for the numbers of PhotoKit's enumerations.
package enum PredicateWord {
  /// Source: PHAssetMediaType.
  package static let mediaTypes: [String: Int64] = ["image": 1, "video": 2, "audio": 3]

  /// Source: PHAssetMediaSubtype, and `MediaSubtypes.photoSelfie`.
  package static let mediaSubtypes: [(name: String, bit: Int64)] = [
    ("photoPanorama", 1 << 0), ("photoHDR", 1 << 1), ("photoScreenshot", 1 << 2),
    ("photoLive", 1 << 3), ("photoDepthEffect", 1 << 4), ("spatialMedia", 1 << 10),
    ("videoStreamed", 1 << 16), ("videoHighFrameRate", 1 << 17), ("videoTimelapse", 1 << 18),
    ("videoScreenRecording", 1 << 19), ("videoCinematic", 1 << 21),
    ("photoSelfie", 1 << 30),
  ]

  /// The names of the subtypes whose bits are set.
  package static func subtypes(of bits: Int64) -> [String] {
    mediaSubtypes.filter { bits & $0.bit != 0 }.map(\.name)
  }

  static func value(of word: String) -> Int64? {
    mediaTypes[word] ?? mediaSubtypes.first { $0.name == word }?.bit
  }

  static var names: [String] { mediaTypes.keys.sorted() + mediaSubtypes.map(\.name) }
}
