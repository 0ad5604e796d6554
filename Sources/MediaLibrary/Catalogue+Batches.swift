internal import Foundation
internal import GRDB
internal import MediaFileSystem
package import MediaModel

/// A batch that is not done, as recovery finds it.
package struct UndoneBatch: Sendable {
  package var identifier: Int64
  package var run: String
  package var state: BatchState
  /// The sequence number of its first access record.
  package var firstAccess: Int
  package var staged: StagedBatch?
}

extension Catalogue {
  /// Records that a run has begun.
  package func beginRun(
    _ run: String,
    started: SaveTime,
    client: String,
    manifestSHA256: String,
    albumsFromFolders: Bool = false,
    audit: AuditPosition
  ) throws(LibraryError) {
    try write { db in
      try Self.runInsertion.execute(in: db) { column in
        switch column {
        case .id: run
        case .started: started.timestamp
        case .client: client
        case .manifestSHA256: manifestSHA256
        case .albumsFromFolders: albumsFromFolders ? true : nil
        case .auditFile: audit.file
        case .auditRecords: audit.records
        case .auditBytes: audit.bytes
        case .auditHead: audit.head
        case .ended, .exitCode, .auditTree, .auditSize, .auditRoot, .digest: nil
        }
      }
      if let tree = audit.tree { try Self.note(tree, of: run, in: db) }
    }
  }

  static let runInsertion = RowStatement<RunColumn>(
    inserting: RunColumn.all(but: .ended, .exitCode, .auditTree, .auditSize, .auditRoot, .digest)
  )

  /// Records that a run has ended, and the head of its log.
  package func endRun(
    _ run: String,
    ended: SaveTime,
    exitCode: RunExitCode,
    audit: AuditPosition
  ) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "UPDATE runs SET ended = ?, exitCode = ? WHERE id = ?",
        arguments: [ended.timestamp, exitCode.rawValue, run]
      )
      try Self.note(audit, of: run, in: db)
    }
  }

  /// The position of each run's audit file, oldest first.
  package func auditPositions() throws(LibraryError) -> [AuditPosition] {
    try read { try Self.auditPositions(in: $0) }
  }

  private enum PositionColumn: Int, QueryColumn {
    case id, auditFile, auditRecords, auditBytes, auditHead, isEnded, auditTree, auditSize,
      auditRoot

    var sql: String { self == .isEnded ? "ended IS NOT NULL" : name }
  }

  static func auditPositions(in db: Database) throws -> [AuditPosition] {
    let rows = try QueryRow<PositionColumn>.fetchAll(
      db,
      "SELECT \(PositionColumn.list) FROM runs ORDER BY auditFile"
    )
    return try rows.map { row in
      var position = AuditPosition(
        file: try row[.auditFile],
        run: try row[.id],
        records: try row[.auditRecords],
        bytes: try row[.auditBytes],
        head: try row[.auditHead]
      )
      position.isEnded = try row[.isEnded]
      if let encoded: Data = try row[.auditTree], let size: Int = try row[.auditSize],
        let root: String = try row[.auditRoot]
      {
        position.tree = AuditTreePosition(
          head: AuditTreeHead(size: size, root: root),
          encoded: [UInt8](encoded)
        )
      }
      return position
    }
  }

  /// Makes the row of a batch, state `intended`, and sets the batches in `done` to `done`.
  ///
  /// The first access record's sequence number is `firstAccess`.
  ///
  /// - Returns: The identifier of the new batch.
  /// - Throws: `LibraryError` `.cannotWrite`, `.outOfSpace`.
  package func intend(
    run: String,
    firstAccess: Int,
    audit: AuditPosition,
    done: [Int64]
  ) throws(LibraryError) -> Int64 {
    try write { db in
      try Self.finish(done, in: db)
      try db.cachedStatement(
        sql: "INSERT INTO batches (run, state, firstAccess) VALUES (?, 0, ?)"
      ).execute(arguments: [run, firstAccess])
      let identifier = db.lastInsertedRowID
      try Self.note(audit, of: run, in: db)
      return identifier
    }
  }

  /// Stores all that publishing a batch needs, state `staged`.
  package func stage(_ batch: Int64, _ staged: StagedBatch) throws(LibraryError) {
    try write { db in
      try db.cachedStatement(sql: "UPDATE batches SET state = 1, staged = ? WHERE id = ?")
        .execute(arguments: [Data(staged.json), batch])
    }
  }

  /// Writes the catalogue's rows for a batch whose files have their final names, state `published`.
  package func publish(
    _ batch: Int64,
    _ staged: StagedBatch,
    run: String
  ) throws(LibraryError) {
    try write { db in
      try Self.enter(staged, run: run, in: db)
      try db.cachedStatement(sql: "UPDATE batches SET state = 2 WHERE id = ?")
        .execute(arguments: [batch])
    }
  }

  /// Sets batches whose outcome records are flushed to `done`.
  package func finish(_ batches: [Int64], run: String, audit: AuditPosition) throws(LibraryError) {
    try write { db in
      try Self.finish(batches, in: db)
      try Self.note(audit, of: run, in: db)
    }
  }

  /// Forgets a batch of which nothing was published: its items are the next run's.
  package func forget(_ batch: Int64) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "DELETE FROM batches WHERE id = ?", arguments: [batch])
    }
  }

  /// The batches that are not done, oldest first.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when the row of one that has content is not as it was
  ///   written: what is to be published or dropped is not known then.
  package func undoneBatches() throws(LibraryError) -> [UndoneBatch] {
    try read { db in
      let isWhole = digested["batches"]?.isWhole() ?? "0"
      let damaged = try QueryRow<DamagedBatch>.fetchAll(
        db,
        "SELECT \(DamagedBatch.list) FROM batches WHERE state < 3 AND NOT \(isWhole)"
      )
      guard try damaged.allSatisfy({ try $0[.hasNoContent] }) else {
        throw LibraryError(
          .inconsistent,
          "The catalogue's row of a batch that is not done is not as it was written. Nothing was "
            + "changed. Run `mediabatch verify` on the library."
        )
      }
      // The content of a batch that is done is dropped: of the others there is nothing to finish.
      let done: Set<Int64> = Set(try damaged.map { try $0[.id] })
      return try Self.undoneBatches(in: db).filter { !done.contains($0.identifier) }
    }
  }

  private enum DamagedBatch: Int, QueryColumn {
    case id, hasNoContent

    var sql: String { self == .id ? name : "intended IS NULL AND staged IS NULL" }
  }

  private enum BatchPart: Int, QueryColumn {
    case id, run, state, firstAccess, staged
  }

  static func undoneBatches(in db: Database) throws -> [UndoneBatch] {
    try QueryRow<BatchPart>.fetchAll(
      db,
      "SELECT \(BatchPart.list) FROM batches WHERE state < 3 ORDER BY id"
    ).map { row in
      let staged: Data? = try row[.staged]
      return UndoneBatch(
        identifier: try row[.id],
        run: try row[.run],
        state: BatchState(rawValue: try row[.state]) ?? .intended,
        firstAccess: try row[.firstAccess],
        staged: try staged.map { try JSONDecoder().decode(StagedBatch.self, from: $0) }
      )
    }
  }

  /// Writes the rows of assets and items that a batch has made.
  static func enter(_ staged: StagedBatch, run: String, in db: Database) throws {
    if !staged.assets.isEmpty {
      let last = try lastAsset(in: db)
      for asset in staged.assets { try insert(asset, run: run, in: db) }
      try noteChanges(of: staged.assets, after: last, run: run, in: db)
    }
    for relabel in staged.relabels ?? [] { try enter(relabel, run: run, in: db) }
    for withdrawal in staged.withdrawals ?? [] { try enter(withdrawal, run: run, in: db) }
    for stacking in staged.stackings ?? [] { try enter(stacking, run: run, in: db) }
    for result in staged.results { try upsert(result, run: run, in: db) }
    try enterFailures(of: staged.results, run: run, in: db)
  }

  private static func finish(_ batches: [Int64], in db: Database) throws {
    for batch in batches {
      try db.cachedStatement(
        sql: "UPDATE batches SET state = 3, intended = NULL, staged = NULL WHERE id = ?"
      ).execute(arguments: [batch])
    }
  }

  static func note(_ audit: AuditPosition, of run: String, in db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE runs SET auditRecords = ?, auditBytes = ?, auditHead = ? WHERE id = ?"
    ).execute(arguments: [audit.records, audit.bytes, audit.head, run])
    if let tree = audit.tree { try note(tree, of: run, in: db) }
  }

  private static func insert(_ asset: StagedAsset, run: String, in db: Database) throws {
    let row: Int64
    if asset.isRewritten ?? false {
      row = try known(asset, in: db)
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
      row = try known(asset, in: db)
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
      case .source: resource.source.rawValue
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
      case .id, .superseded, .digest: nil
      }
    }
  }

  private static func known(_ asset: StagedAsset, in db: Database) throws -> Int64 {
    guard
      let row = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM assets WHERE localIdentifier = ?"),
        arguments: [asset.localIdentifier]
      )
    else { throw LibraryError(.inconsistent, "An asset is gone from the catalogue.") }
    return row
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
  private static let assetUpdate = RowStatement<AssetColumn>(
    updating: AssetColumn.ofFiles,
    where: "id = ?"
  )
  private static let factsUpdate = RowStatement<AssetColumn>(
    updating: AssetColumn.ofFacts,
    where: "id = ?"
  )

  /// The values of an asset's columns.
  private static func values(
    of asset: StagedAsset,
    run: String
  ) -> (AssetColumn) -> (any DatabaseValueConvertible)? {
    let facts = facts(
      of: asset,
      isLive: asset.resources.contains { $0.role == .pairedVideo }
    )
    return { column in
      switch column {
      case .localIdentifier: asset.localIdentifier
      case .saved: asset.saveTime.timestamp
      case .label: asset.label
      case .mediaType: asset.mediaType.rawValue
      case .source: asset.source.rawValue
      case .policy: asset.policy.rawValue
      case .degraded: asset.degraded
      case .run: run
      case .contentDigest: asset.contentDigest.map { Data($0) }
      case .burstDigest: asset.burstDigest.map { Data($0) }
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
      column == .hasLocation && !asset.policy.tells(.location)
        ? nil : column.value(of: asset.facts, isLive: isLive)
    }
  }

  private static let trackInsertion = RowStatement<TrackColumn>(
    inserting: TrackColumn.all(but: .digest)
  )

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

  /// Whether an asset was made of a file at this path before. Its row stays then, whatever became of
  /// the file this time: only the row says which asset that is, of how many bytes it was made, and
  /// under which policy.
  private static func holdsAsset(of item: PlannedItem, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT asset IS NOT NULL FROM items WHERE source = ? AND path = ?"),
      arguments: [item.source.rawValue, Data(item.path.bytes)]
    ) ?? false
  }

  private static func upsert(_ result: ItemResult, run: String, in db: Database) throws {
    var asset: Int64?
    if let localIdentifier = result.localIdentifier {
      asset = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM assets WHERE localIdentifier = ?"),
        arguments: [localIdentifier]
      )
    }
    let status = result.item.status
    if asset == nil, try holdsAsset(of: result.item, in: db) { return }
    try itemInsertion.execute(in: db) { column in
      switch column {
      case .source: result.item.source.rawValue
      case .path: Data(result.item.path.bytes)
      case .device: Int64(bitPattern: status.device)
      case .inode: Int64(bitPattern: status.inode)
      case .size: status.size
      case .modified: status.modified
      case .changed: status.changed
      case .outcome: result.outcome.rawValue
      case .reason: result.reason?.rawValue
      case .writtenUnder: result.writtenUnder
      case .asset: asset
      case .run: run
      case .digest: nil
      }
    }
  }

  private static let itemInsertion = RowStatement<ItemColumn>(
    inserting: ItemColumn.all(but: .digest),
    orReplace: true
  )
}

extension StagedAsset {
  /// Whether its main file comes back, which tells the asset's facts.
  fileprivate var bringsFacts: Bool {
    restoredFolder != nil
      && resources.contains { $0.role != .pairedVideo && !$0.role.isSidecar }
  }
}
