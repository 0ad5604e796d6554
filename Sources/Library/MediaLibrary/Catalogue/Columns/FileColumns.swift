/// The columns of `resources`, the published originals.
package enum ResourceColumn: Int, TableColumn {
  case id, asset, role, path, format, bytes, sha256, sourceDigest, source, sourcePath, superseded,
    digest, sourceName

  package static let table = "resources"

  package var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY"
    case .asset: "INTEGER NOT NULL REFERENCES assets(id)"
    case .role, .format, .sha256, .source, .sourceName: "TEXT NOT NULL"
    case .path: "TEXT NOT NULL UNIQUE"
    case .bytes: "INTEGER NOT NULL"
    case .sourceDigest, .sourcePath: "BLOB NOT NULL"
    case .superseded: "INTEGER NOT NULL DEFAULT 0"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `thumbnails`.
package enum ThumbnailColumn: Int, TableColumn {
  case id, asset, name, fingerprint, path, width, height, bytes, sha256, superseded, digest,
    thumbHash, perceptualHash

  package static let table = "thumbnails"

  package var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY"
    case .asset: "INTEGER NOT NULL REFERENCES assets(id)"
    case .name, .fingerprint, .sha256: "TEXT NOT NULL"
    case .path: "TEXT NOT NULL UNIQUE"
    case .width, .height, .bytes: "INTEGER NOT NULL"
    case .superseded: "INTEGER NOT NULL DEFAULT 0"
    case .digest, .perceptualHash: "INTEGER"
    case .thumbHash: "BLOB"
    }
  }
}

/// The columns of `tracks`: the sound and picture tracks of a film or sound.
package enum TrackColumn: Int, TableColumn {
  case asset, number, kind, codec, durationMilliseconds, pixelWidth, pixelHeight, frameRateMilli,
    channelCount, sampleRate, digest

  package static let table = "tracks"
  package static let constraint: String? = "PRIMARY KEY (asset, number)"
  package static let isWithoutRowID = true

  package var definition: String {
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
