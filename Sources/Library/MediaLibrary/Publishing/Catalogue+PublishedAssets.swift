internal import Foundation
package import GRDB
internal import MediaModel

/// The rows that a batch writes of its assets and their files.
extension Catalogue {
  package static func insert(_ asset: StagedAsset, run: String, in db: Database) throws {
    let row: Int64
    if asset.isRewritten ?? false {
      row = try existingRow(asset, in: db)
      for table in ["resources", "thumbnails"] {
        let isKept = asset.replaces == .version && table == "resources"
        try db.cachedStatement(
          sql: "UPDATE \(table) SET superseded = ? WHERE asset = ? AND superseded = 0"
        ).execute(arguments: [(isKept ? FileState.replaced : .superseded).rawValue, row])
      }
      try assetUpdate.execute(in: db, key: [row], values(of: asset, run: run))
      try bringBack(row, asset.localIdentifier, run: run, in: db)
      try db.cachedStatement(sql: "DELETE FROM tracks WHERE asset = ?").execute(arguments: [row])
      try insert(asset.facts.tracks, of: row, in: db)
    } else if asset.isKnown {
      row = try existingRow(asset, in: db)
      if asset.bringsFacts { try restoreFacts(of: asset, to: row, in: db) }
      for thumbnail in asset.thumbnails {
        try db.cachedStatement(
          sql: "UPDATE thumbnails SET superseded = 1 WHERE asset = ? AND name = ?"
        ).execute(arguments: [row, thumbnail.name])
      }
    } else {
      try assetInsertion.execute(in: db, values(of: asset, run: run))
      row = db.lastInsertedRowID
      try insert(asset.facts.tracks, of: row, in: db)
      if let older = asset.olderVersion {
        try db.cachedStatement(
          sql: """
            UPDATE assets SET olderVersion = (SELECT id FROM assets WHERE localIdentifier = ?)
            WHERE id = ?
            """
        ).execute(arguments: [older, row])
      }
    }
    // A lost original that came back has its row.
    for resource in asset.resources where asset.restoredFolder == nil {
      try insert(resource, of: asset, row, in: db)
    }
    for thumbnail in asset.thumbnails { try insert(thumbnail, of: row, in: db) }
  }

  private static let resourceInsertion = RowStatement<ResourceColumn>(
    inserting: ResourceColumn.all(but: .id, .superseded, .digest)
  )

  private static func insert(
    _ resource: StagedResource,
    of asset: StagedAsset,
    _ row: Int64,
    in db: Database
  ) throws {
    try resourceInsertion.execute(in: db) { column in
      switch column {
      case .asset: row
      case .role: resource.role.rawValue
      case .path: "\(asset.publishedFolder)/\(resource.fileName)"
      case .format: resource.format.rawValue
      case .bytes: resource.bytes
      case .sha256: resource.sha256
      case .sourceDigest: Data(resource.sourceDigest)
      case .source: resource.source.kind.rawValue
      case .sourceName: resource.source.name
      case .sourcePath: Data(resource.sourcePath.bytes)
      case .id, .superseded, .digest: nil
      }
    }
  }

  private static let thumbnailInsertion = RowStatement<ThumbnailColumn>(
    inserting: ThumbnailColumn.all(but: .id, .superseded, .digest)
  )

  private static func insert(
    _ thumbnail: StagedThumbnail,
    of asset: Int64,
    in db: Database
  ) throws {
    try thumbnailInsertion.execute(in: db) { column in
      switch column {
      case .asset: asset
      case .name: thumbnail.name
      case .fingerprint: thumbnail.fingerprint
      case .path: thumbnail.publishedPath
      case .width: thumbnail.size.width
      case .height: thumbnail.size.height
      case .bytes: thumbnail.bytes
      case .sha256: thumbnail.sha256
      case .thumbHash: thumbnail.thumbHash.map { Data($0) }
      case .perceptualHash: thumbnail.perceptualHash
      case .id, .superseded, .digest: nil
      }
    }
  }

  private static func existingRow(_ asset: StagedAsset, in db: Database) throws -> Int64 {
    guard let row = try row(ofAsset: asset.localIdentifier, in: db) else {
      throw LibraryError(.inconsistent, "An asset is gone from the catalogue.")
    }
    return row
  }

  /// The number of an asset's row; nil when there is none of this identifier.
  package static func row(ofAsset localIdentifier: String, in db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM assets WHERE localIdentifier = ?"),
      arguments: [localIdentifier]
    )
  }

  /// Writes the facts of an original that came back: a catalogue that was made anew while it was missing
  /// has none.
  private static func restoreFacts(
    of asset: StagedAsset,
    to row: Int64,
    in db: Database
  ) throws {
    let isLive = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM resources WHERE asset = ? AND role = ? AND superseded = 0)
        """,
      arguments: [row, ResourceRole.pairedVideo.rawValue]
    )
    try factsUpdate.execute(in: db, key: [row], facts(of: asset, isLive: isLive ?? false))
    try db.cachedStatement(sql: "DELETE FROM tracks WHERE asset = ?").execute(arguments: [row])
    try insert(asset.facts.tracks, of: row, in: db)
  }

  private static let assetInsertion = RowStatement<AssetColumn>(
    inserting: AssetColumn.ofFiles + [.localIdentifier]
  )
  private static let assetUpdate = RowStatement<AssetColumn>(updating: AssetColumn.ofFiles, where: "id = ?")
  private static let factsUpdate = RowStatement<AssetColumn>(updating: AssetColumn.ofFacts, where: "id = ?")

  /// The values of an asset's columns.
  private static func values(
    of asset: StagedAsset,
    run: String
  ) -> (AssetColumn) -> (any DatabaseValueConvertible)? {
    let facts = facts(of: asset, isLive: asset.resources.contains { $0.role == .pairedVideo })
    return { column in
      switch column {
      case .localIdentifier: asset.localIdentifier
      case .saved: asset.saveTime.timestamp
      case .label: asset.label
      case .mediaType: asset.mediaType.rawValue
      case .source: asset.source.kind.rawValue
      case .sourceName: asset.source.name
      case .policy: asset.policy.rawValue
      case .degraded: asset.degraded
      case .run: run
      case .contentDigest: asset.contentDigest.map { Data($0) }
      case .burstDigest: asset.burstDigest.map { Data($0) }
      case .nameOrder: asset.mainFile.map { Data($0.sourcePath.nameOrder) }
      default: facts(column)
      }
    }
  }

  /// The values of the columns that an asset's main file tells, as far as its policy lets them be told.
  private static func facts(
    of asset: StagedAsset,
    isLive: Bool
  ) -> (AssetColumn) -> (any DatabaseValueConvertible)? {
    { column in
      column == .hasLocation && !asset.policy.keeps(.location)
        ? nil : column.value(of: asset.facts, isLive: isLive)
    }
  }

  private static let trackInsertion = RowStatement<TrackColumn>(inserting: TrackColumn.all(but: .digest))

  private static func insert(_ tracks: [TrackFacts], of row: Int64, in db: Database) throws {
    for (number, track) in tracks.enumerated() {
      try trackInsertion.execute(in: db) { column in
        switch column {
        case .asset: row
        case .number: number
        case .kind: track.kind.rawValue
        case .codec: track.codec
        case .durationMilliseconds: track.durationMilliseconds
        case .pixelWidth: track.pixelSize?.width
        case .pixelHeight: track.pixelSize?.height
        case .frameRateMilli: track.frameRateMilli
        case .channelCount: track.channelCount
        case .sampleRate: track.sampleRate
        case .digest: nil
        }
      }
    }
  }
}

extension StagedAsset {
  /// The file that names it: the still of a live photo.
  fileprivate var mainFile: StagedResource? { resources.first { $0.role != .pairedVideo } ?? resources.first }

  /// Whether its main file comes back, which tells the asset's facts.
  fileprivate var bringsFacts: Bool {
    restoredFolder != nil
      && resources.contains { $0.role != .pairedVideo && !$0.role.isSidecar }
  }
}
