package import MediaModel

/// A key path of an asset in a predicate or a sort descriptor.
///
/// Source: PHFetchOptions, "Supported predicate and sort descriptor keys", for PHAsset; the keys behind
/// `burstIdentifier` are those of mediabatch. Each key of a fact has the word of its column in `Facts.fields`.
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

  private static let facts: [PredicateKey: FactColumn] = FactColumn.all.reduce(into: [:]) {
    facts,
    fact in
    if fact.column.isKey, let key = PredicateKey(rawValue: fact.column.word) { facts[key] = fact }
  }

  /// The fact that it names; nil for what no file tells.
  package var fact: FactColumn? { Self.facts[self] }

  /// Whether a source's file or its name tells the value, so that fetch options can name it.
  package var isOfSource: Bool {
    self == .mediaType || self == .format || isListed || fact != nil
  }

  /// Whether a file tells the value in a description of itself, which is read only where it is wanted.
  package var isDescribed: Bool { fact?.isDescribed == true }

  /// Whether the value is a fact about a person's capture, which `strip` keeps out of the catalogue.
  package var isPrivate: Bool { fact.map { $0.strip != .kept } ?? false }

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
    switch fact?.kind {
    case .text: return .text
    case .number, .milliseconds, .degrees: return .number
    case .flag: return .flag
    case .localDate: return .localDate
    case .subtypes: return .mediaSubtypes
    case .list: return .list
    case nil: break
    }
    return switch self {
    case .mediaType: .mediaType
    case .addedDate: .timestamp
    case .modificationDate: .nanoseconds
    case .size: .number
    case .isDegraded, .isThumbnailMissing: .flag
    default: .text
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
