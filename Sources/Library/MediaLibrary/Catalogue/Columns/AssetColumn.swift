internal import MediaModel

/// The columns of `assets`.
package enum AssetColumn: Int, TableColumn {
  case id, localIdentifier, saved, label, mediaType, source, policy, pixelWidth, pixelHeight,
    orientation, durationMilliseconds, creationDate, creationDateOffsetMinutes, creationDateTag,
    camera, hasLocation, contentIdentifier, degraded, superseded, run, frameCount, digest,
    olderVersion, contentDigest, relabelled, rotation, mediaSubtypes, rating, isFavorite, isHidden,
    caption, keywords, burst, isBurstPick, latitude, longitude, burstDigest, embeddedOffset,
    embeddedLength, stillLength, creationDateStated, people, placeTag, city, region, country,
    lensModel, sourceName,
    creationDatePrecision, creationDateFraction, nameOrder

  package static let table = "assets"

  package var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY AUTOINCREMENT"
    case .localIdentifier: "TEXT NOT NULL UNIQUE"
    case .saved, .label, .mediaType, .source, .policy, .sourceName: "TEXT NOT NULL"
    case .orientation, .degraded: "INTEGER NOT NULL"
    case .superseded: "INTEGER NOT NULL DEFAULT 0"
    case .run: "TEXT NOT NULL REFERENCES runs(id)"
    case .olderVersion: "INTEGER REFERENCES assets(id)"
    case .contentDigest, .burstDigest, .nameOrder: "BLOB"
    default: fact?.kind.sqlType ?? "INTEGER"
    }
  }
}
