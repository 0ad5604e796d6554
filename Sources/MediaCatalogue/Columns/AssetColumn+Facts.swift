internal import Foundation
package import GRDB
package import MediaModel

extension AssetColumn {
  /// The columns that an asset's main file tells.
  package static let ofFacts = allCases.filter { $0.origin == .facts }

  /// The columns that depend on the files that an asset has now.
  package static let ofFiles = allCases.filter { $0.origin != .row }

  /// The assignments that take from an asset's row what its files said; an orientation has to be there.
  package static let forgettingFacts = (ofFacts + [.contentDigest, .burstDigest])
    .map { $0 == .orientation ? "orientation = 1" : "\($0.name) = NULL" }
    .joined(separator: ", ")

  private enum Origin {
    /// It is written with the row, or later by itself.
    case row
    case files
    case facts
  }

  private var origin: Origin {
    switch self {
    case .id, .localIdentifier, .superseded, .digest, .olderVersion, .relabelled: .row
    case .saved, .label, .mediaType, .source, .policy, .degraded, .run, .contentDigest,
      .burstDigest:
      .files
    case .pixelWidth, .pixelHeight, .orientation, .durationMilliseconds, .creationDate,
      .creationDateOffsetMinutes, .creationDateTag, .creationDateStated, .camera, .hasLocation,
      .contentIdentifier,
      .frameCount, .mediaSubtypes, .rating, .isFavorite, .isHidden, .caption, .keywords, .burst,
      .isBurstPick, .latitude, .longitude, .embeddedOffset, .embeddedLength, .stillLength, .people,
      .placeTag, .city, .region, .country:
      .facts
    }
  }

  /// The value that facts give a column of ``ofFacts``, nil any other: a degree is a REAL, keywords and people are
  /// arrays in JSON, and what nothing says is NULL, also a number of subtypes that would be 0.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - isLive: Whether the asset has a movie beside its still; one within it is among the facts.
  /// - Returns: The value.
  package func value(of facts: Facts, isLive: Bool) -> (any DatabaseValueConvertible)? {
    let description = facts.description
    switch self {
    case .pixelWidth: return facts.pixelSize?.width
    case .pixelHeight: return facts.pixelSize?.height
    case .orientation: return facts.orientation
    case .durationMilliseconds: return facts.durationMilliseconds
    case .creationDate: return facts.creationDate?.local
    case .creationDateOffsetMinutes: return facts.creationDate?.offsetMinutes
    case .creationDateTag: return facts.creationDate?.tag
    case .creationDateStated: return description?.uncorrected?.timestamp
    case .camera: return facts.camera
    case .hasLocation: return facts.hasLocation
    case .contentIdentifier: return facts.contentIdentifier
    case .frameCount: return facts.frameCount
    case .mediaSubtypes:
      let isLive = isLive || facts.embeddedMovie != nil
      let subtypes = isLive ? facts.subtypes.union(.photoLive) : facts.subtypes
      return subtypes.isEmpty ? nil : subtypes.rawValue
    case .rating: return description?.rating
    case .isFavorite: return description?.isFavorite
    case .isHidden: return description?.isHidden
    case .caption: return description?.caption
    case .keywords: return Self.json(description?.keywords)
    case .people: return Self.json(description?.people)
    case .placeTag: return description?.placeTag
    case .city: return description?.placeName?.city
    case .region: return description?.placeName?.region
    case .country: return description?.placeName?.country
    case .burst: return description?.burst
    case .isBurstPick: return description?.isBurstPick
    case .latitude: return description?.place?.degrees.latitude
    case .longitude: return description?.place?.degrees.longitude
    case .embeddedOffset: return facts.embeddedMovie?.offset
    case .embeddedLength: return facts.embeddedMovie?.length
    case .stillLength: return facts.embeddedMovie?.stillLength
    case .id, .localIdentifier, .saved, .label, .mediaType, .source, .policy, .degraded,
      .superseded, .run, .digest, .olderVersion, .contentDigest, .relabelled, .burstDigest:
      return nil
    }
  }

  /// An array in JSON; nil for one without texts.
  ///
  /// Source: RFC 8259, section 7.
  private static func json(_ texts: [String]?) -> String? {
    guard let texts, !texts.isEmpty else { return nil }
    let quoted = texts.map { text in
      var quoted = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\" + String(scalar)
        case "\n": quoted += "\\n"
        case _ where scalar.value < 0x20:
          let digits = String(scalar.value, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
      }
      return quoted + "\""
    }
    return "[" + quoted.joined(separator: ",") + "]"
  }
}

extension Facts {
  /// Reads the facts of a row that may be damaged; without the tracks, which have rows of their own.
  package init(_ row: TableRow<AssetColumn>, format: MediaFormat) {
    self.init(format: format)
    if let width: Int = row.value(.pixelWidth), let height: Int = row.value(.pixelHeight) {
      pixelSize = PixelSize(width: width, height: height)
    }
    orientation = row.value(.orientation) ?? 1
    durationMilliseconds = row.value(.durationMilliseconds)
    frameCount = row.value(.frameCount)
    if let local: String = row.value(.creationDate), let tag: String = row.value(.creationDateTag) {
      let offset: Int? = row.value(.creationDateOffsetMinutes)
      creationDate = CaptureDate(local: local, offsetMinutes: offset, tag: tag)
    }
    camera = row.value(.camera)
    hasLocation = row.value(.hasLocation) ?? false
    contentIdentifier = row.value(.contentIdentifier)
    description = MediaDescription(row)
    if let offset: Int = row.value(.embeddedOffset), let length: Int = row.value(.embeddedLength) {
      let still: Int? = row.value(.stillLength)
      embeddedMovie = EmbeddedMovie(offset: offset, length: length, stillLength: still)
    }
    if let stated: String = row.value(.creationDateStated) {
      description?.uncorrected = CaptureDate(timestamp: stated, tag: creationDate?.ruleTag ?? "")
    }
  }
}

extension MediaDescription {
  fileprivate init(_ row: TableRow<AssetColumn>) {
    self.init()
    subtypes = MediaSubtypes(rawValue: row.value(.mediaSubtypes) ?? 0)
    rating = row.value(.rating)
    isFavorite = row.value(.isFavorite)
    isHidden = row.value(.isHidden)
    caption = row.value(.caption)
    keywords = TextList.texts(row.value(.keywords))
    for person in TextList.texts(row.value(.people)) { add(person: person) }
    burst = row.value(.burst)
    isBurstPick = row.value(.isBurstPick)
    if let latitude: Double = row.value(.latitude), let longitude: Double = row.value(.longitude) {
      place = Place(latitude: latitude, longitude: longitude)
    }
    placeTag = row.value(.placeTag)
    if let city: String = row.value(.city) {
      placeName = PlaceName(city: city, region: row.value(.region), country: row.value(.country))
    }
  }
}

extension MediaDescription.Place {
  private static let unitsPerDegree = 10_000_000.0

  /// The position of two columns in degrees; nil for one that is not on Earth.
  package init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.init(
      latitude: Int((latitude * Self.unitsPerDegree).rounded()),
      longitude: Int((longitude * Self.unitsPerDegree).rounded())
    )
  }

  fileprivate var degrees: (latitude: Double, longitude: Double) {
    (Double(latitude) / Self.unitsPerDegree, Double(longitude) / Self.unitsPerDegree)
  }
}
