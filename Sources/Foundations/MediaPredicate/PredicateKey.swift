package import MediaModel

/// A key path of an asset in a predicate or a sort descriptor.
///
/// Source: PHFetchOptions, "Supported predicate and sort descriptor keys", for PHAsset; the keys behind
/// `burstIdentifier` are those of mediabatch.
package struct PredicateKey: RawRepresentable, CaseIterable, Sendable, Hashable {
  /// Its name; that of a fact is the word of its column.
  package let rawValue: String
  /// The fact that it names; nil for what no file tells.
  package let fact: FactColumn?

  package static let localIdentifier = Self("localIdentifier")
  /// PHAssetMediaType: 1 image, 2 video, 3 audio.
  package static let mediaType = Self("mediaType")
  /// PHAssetMediaSubtype, as bits.
  package static let mediaSubtypes = Self("mediaSubtypes")
  /// Local time of the capture, or its date alone.
  package static let creationDate = Self("creationDate")
  /// When the source's file was changed last.
  package static let modificationDate = Self("modificationDate")
  /// When the asset was saved in the library.
  package static let addedDate = Self("addedDate")
  /// In seconds.
  package static let duration = Self("duration")
  /// In pixels, upright.
  package static let pixelWidth = Self("pixelWidth")
  /// In pixels, upright.
  package static let pixelHeight = Self("pixelHeight")
  package static let isFavorite = Self("isFavorite")
  package static let isHidden = Self("isHidden")
  package static let burstIdentifier = Self("burstIdentifier")
  package static let caption = Self("caption")
  package static let keywords = Self("keywords")
  package static let hasLocation = Self("hasLocation")
  package static let label = Self("label")
  package static let format = Self("format")
  /// The path in the source.
  package static let path = Self("path")
  /// The last component of ``path``.
  package static let name = Self("name")
  /// In bytes.
  package static let size = Self("size")
  package static let source = Self("source")
  /// The name of the source in the library.
  package static let sourceName = Self("sourceName")
  package static let isDegraded = Self("isDegraded")
  /// The policy under which the asset's files were written: `keep`, `strip`, or `strip+…` with what it
  /// preserves.
  package static let metadataPolicy = Self("metadataPolicy")
  /// Whether thumbnails that are wanted could not be made.
  package static let isThumbnailMissing = Self("isThumbnailMissing")
  /// The minutes by which ``creationDate`` is ahead of UTC.
  package static let creationDateOffsetMinutes = Self("creationDateOffsetMinutes")
  /// How much of ``creationDate`` is known, from `year` to `fraction`.
  package static let creationDatePrecision = Self("creationDatePrecision")

  /// Every key, in the order that messages and the manifest's schema have; those of facts that it does not name come
  /// last.
  package static let allCases: [PredicateKey] = {
    let words =
      "localIdentifier mediaType mediaSubtypes creationDate modificationDate addedDate duration "
      + "pixelWidth pixelHeight isFavorite isHidden burstIdentifier rating caption keywords people "
      + "camera latitude longitude city region country hasLocation label format path name size "
      + "source isDegraded metadataPolicy isThumbnailMissing creationDateOffsetMinutes sourceName"
    let named = words.split(separator: " ").map { PredicateKey(String($0)) }
    let facts = FactColumn.all.filter(\.column.isKey).map { PredicateKey($0.column.word) }
    return named + facts.filter { !named.contains($0) }
  }()

  private init(_ word: String) {
    rawValue = word
    fact = FactColumn.all.first { $0.column.isKey && $0.column.word == word }
  }

  /// Finds a key by its name; nil when no key has it.
  package init?(rawValue: String) {
    guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = key
  }

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

  /// Whether values are sorted in ``NaturalOrder``.
  var isNatural: Bool { self == .name || self == .label }

  /// Whether the listing of a source tells the value, so that no file has to be opened for it.
  package var isListed: Bool {
    switch self {
    case .path, .name, .size, .modificationDate, .source: true
    default: false
    }
  }

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
