/// The columns of `resources`, the published originals.
enum ResourceColumn: Int, TableColumn {
  case id, asset, role, path, format, bytes, sha256, sourceDigest, source, sourcePath, superseded,
    digest

  static let table = "resources"

  var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY"
    case .asset: "INTEGER NOT NULL REFERENCES assets(id)"
    case .role, .format, .sha256, .source: "TEXT NOT NULL"
    case .path: "TEXT NOT NULL UNIQUE"
    case .bytes: "INTEGER NOT NULL"
    case .sourceDigest, .sourcePath: "BLOB NOT NULL"
    case .superseded: "INTEGER NOT NULL DEFAULT 0"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `thumbnails`.
enum ThumbnailColumn: Int, TableColumn {
  case id, asset, name, fingerprint, path, width, height, bytes, sha256, superseded, digest,
    thumbHash

  static let table = "thumbnails"

  var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY"
    case .asset: "INTEGER NOT NULL REFERENCES assets(id)"
    case .name, .fingerprint, .sha256: "TEXT NOT NULL"
    case .path: "TEXT NOT NULL UNIQUE"
    case .width, .height, .bytes: "INTEGER NOT NULL"
    case .superseded: "INTEGER NOT NULL DEFAULT 0"
    case .digest: "INTEGER"
    case .thumbHash: "BLOB"
    }
  }
}

/// The columns of `tracks`: the sound and picture tracks of a film or sound.
enum TrackColumn: Int, TableColumn {
  case asset, number, kind, codec, durationMilliseconds, pixelWidth, pixelHeight, frameRateMilli,
    channelCount, sampleRate, digest

  static let table = "tracks"
  static let constraint: String? = "PRIMARY KEY (asset, number)"
  static let isWithoutRowID = true

  var definition: String {
    switch self {
    case .asset: "INTEGER NOT NULL REFERENCES assets(id)"
    case .number: "INTEGER NOT NULL"
    case .kind, .codec: "TEXT NOT NULL"
    case .durationMilliseconds, .pixelWidth, .pixelHeight, .frameRateMilli, .channelCount,
      .sampleRate, .digest:
      "INTEGER"
    }
  }
}
