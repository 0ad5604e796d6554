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
      try db.execute(
        sql: """
          INSERT INTO runs (id, started, client, manifestSHA256, albumsFromFolders, auditFile,
            auditRecords, auditBytes, auditHead) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          run, started.timestamp, client, manifestSHA256, (albumsFromFolders ? true : nil) as Bool?,
          audit.file,
          audit.records, audit.bytes, audit.head,
        ]
      )
      if let tree = audit.tree { try Self.note(tree, of: run, in: db) }
    }
  }

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

  static func auditPositions(in db: Database) throws -> [AuditPosition] {
    let tree = try hasAuditTree(in: db) ? ", auditTree, auditSize, auditRoot" : ""
    return try Row.fetchAll(
      db,
      sql: """
        SELECT id, auditFile, auditRecords, auditBytes, auditHead, ended IS NOT NULL AS isEnded\(tree)
        FROM runs ORDER BY auditFile
        """
    ).map { row in
      var position = AuditPosition(
        file: try row.value(1),
        run: try row.value(0),
        records: try row.value(2),
        bytes: try row.value(3),
        head: try row.value(4)
      )
      position.isEnded = try row.value(5)
      if !tree.isEmpty, let encoded: Data = try row.value(6), let size: Int = try row.value(7),
        let root: String = try row.value(8)
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
      let damaged = try Row.fetchAll(
        db,
        sql: """
          SELECT id, intended IS NULL AND staged IS NULL FROM batches
          WHERE state < 3 AND NOT \(isWhole)
          """
      )
      guard try damaged.allSatisfy({ try $0.value(1) }) else {
        throw LibraryError(
          .inconsistent,
          "The catalogue's row of a batch that is not done is not as it was written. Nothing was "
            + "changed. Run `mediabatch verify` on the library."
        )
      }
      // The content of a batch that is done is dropped: of the others there is nothing to finish.
      let done: Set<Int64> = Set(try damaged.map { try $0.value(0) })
      return try Self.undoneBatches(in: db).filter { !done.contains($0.identifier) }
    }
  }

  static func undoneBatches(in db: Database) throws -> [UndoneBatch] {
    try Row.fetchAll(
      db,
      sql: "SELECT id, run, state, firstAccess, staged FROM batches WHERE state < 3 ORDER BY id"
    ).map { row in
      let staged: Data? = try row.value(4)
      return UndoneBatch(
        identifier: try row.value(0),
        run: try row.value(1),
        state: BatchState(rawValue: try row.value(2)) ?? .intended,
        firstAccess: try row.value(3),
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
      try db.cachedStatement(
        sql: """
          UPDATE assets SET (\(ofFiles)) = (\(places(valueCount))) WHERE id = ?
          """
      ).execute(arguments: StatementArguments(values(of: asset, run: run) + [row]))
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
      try db.cachedStatement(
        sql: """
          INSERT INTO assets (\(ofFiles), localIdentifier) VALUES (\(places(valueCount + 1)))
          """
      ).execute(
        arguments: StatementArguments(values(of: asset, run: run) + [asset.localIdentifier])
      )
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
      try db.cachedStatement(
        sql: """
          INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source,
            sourcePath) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          row, resource.role.rawValue, "\(asset.publishedFolder)/\(resource.fileName)",
          resource.format.rawValue, resource.bytes, resource.sha256,
          Data(resource.sourceDigest), resource.source.rawValue, Data(resource.sourcePath.bytes),
        ])
    }
    for thumbnail in asset.thumbnails {
      try db.cachedStatement(
        sql: """
          INSERT INTO thumbnails (asset, name, fingerprint, path, width, height, bytes, sha256,
            thumbHash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          row, thumbnail.name, thumbnail.fingerprint, thumbnail.publishedPath,
          thumbnail.size.width, thumbnail.size.height, thumbnail.bytes, thumbnail.sha256,
          thumbnail.thumbHash.map { Data($0) },
        ])
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
    let values = facts(of: asset, isLive: isLive ?? false)
    try db.cachedStatement(
      sql: "UPDATE assets SET (\(ofFacts)) = (\(places(values.count))) WHERE id = ?"
    ).execute(arguments: StatementArguments(values + [row]))
    try db.cachedStatement(sql: "DELETE FROM tracks WHERE asset = ?").execute(arguments: [row])
    try insert(asset.facts.tracks, of: row, in: db)
  }

  /// The columns of an asset that its main file tells.
  private static let ofFacts = """
    pixelWidth, pixelHeight, orientation, durationMilliseconds, creationDate,
    creationDateOffsetMinutes, creationDateTag, camera, hasLocation, contentIdentifier, frameCount,
    \(DescriptionColumns.names)
    """

  /// The columns of an asset that depend on the files that it has now.
  private static let ofFiles = """
    saved, label, mediaType, source, policy, \(ofFacts), degraded, run, contentDigest, burstDigest
    """

  /// The number of columns in ``ofFiles``.
  private static let valueCount = ofFiles.split(separator: ",").count

  /// The assignments that take from an asset's row what its files said; an orientation has to be there.
  static let forgettingFacts =
    (ofFacts.split { $0 == "," || $0.isWhitespace }.filter { $0 != "orientation" }
    + ["contentDigest", "burstDigest"])
    .map { "\($0) = NULL" }.joined(separator: ", ") + ", orientation = 1"

  private static func places(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  /// The values of the columns in ``ofFiles``.
  private static func values(of asset: StagedAsset, run: String) -> [(
    any DatabaseValueConvertible
  )?] {
    [
      asset.saveTime.timestamp, asset.label, asset.mediaType.rawValue, asset.source.rawValue,
      asset.policy.rawValue,
    ] + facts(of: asset, isLive: asset.resources.contains { $0.role == .pairedVideo })
      + [
        asset.degraded, run, asset.contentDigest.map { Data($0) },
        asset.burstDigest.map { Data($0) },
      ]
  }

  /// The values of the columns in ``ofFacts``.
  private static func facts(
    of asset: StagedAsset,
    isLive: Bool
  ) -> [(any DatabaseValueConvertible)?] {
    let facts = asset.facts
    return [
      facts.pixelSize?.width, facts.pixelSize?.height, facts.orientation,
      facts.durationMilliseconds, facts.creationDate?.local, facts.creationDate?.offsetMinutes,
      facts.creationDate?.tag, facts.camera,
      asset.policy.tells(.location) ? facts.hasLocation : nil, facts.contentIdentifier,
      facts.frameCount,
    ] + DescriptionColumns.values(of: facts, isLive: isLive)
  }

  private static func insert(_ tracks: [TrackFacts], of row: Int64, in db: Database) throws {
    for (number, track) in tracks.enumerated() {
      try db.cachedStatement(
        sql: """
          INSERT INTO tracks (asset, number, kind, codec, durationMilliseconds, pixelWidth,
            pixelHeight, frameRateMilli, channelCount, sampleRate)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          row, number, track.kind.rawValue, track.codec, track.durationMilliseconds,
          track.pixelSize?.width, track.pixelSize?.height, track.frameRateMilli,
          track.channelCount, track.sampleRate,
        ])
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
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO items (source, path, device, inode, size, modified, changed,
          outcome, reason, writtenUnder, asset, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        result.item.source.rawValue, Data(result.item.path.bytes),
        Int64(bitPattern: status.device), Int64(bitPattern: status.inode), status.size,
        status.modified, status.changed, result.outcome.rawValue, result.reason?.rawValue,
        result.writtenUnder, asset, run,
      ])
  }
}

extension StagedAsset {
  /// Whether its main file comes back, which tells the asset's facts.
  fileprivate var bringsFacts: Bool {
    restoredFolder != nil
      && resources.contains { $0.role != .pairedVideo && !$0.role.isSidecar }
  }
}
