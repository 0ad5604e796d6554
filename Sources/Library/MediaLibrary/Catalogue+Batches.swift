internal import Foundation
package import GRDB
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
  /// Makes the row of a batch, state `intended`.
  ///
  /// The first access record's sequence number is `firstAccess`.
  ///
  /// - Returns: The identifier of the new batch.
  /// - Throws: `LibraryError` `.cannotWrite`, `.outOfSpace`.
  package func intend(
    run: String,
    firstAccess: Int,
    audit: AuditPosition
  ) throws(LibraryError) -> Int64 {
    try write { db in
      try db.cachedStatement(
        sql: "INSERT INTO batches (run, state, firstAccess) VALUES (?, 0, ?)"
      ).execute(arguments: [run, firstAccess])
      let identifier = db.lastInsertedRowID
      try Self.note(audit, of: run, in: db)
      return identifier
    }
  }

  /// Stores all that publishing a batch needs, state `staged`, and sets the batches in `done` to `done`: what they
  /// needed has been on the pages that this takes.
  package func stage(
    _ batch: Int64,
    _ staged: StagedBatch,
    done: [Int64] = []
  ) throws(LibraryError) {
    try write { db in
      try Self.finish(done, in: db)
      try db.cachedStatement(sql: "UPDATE batches SET state = 1 WHERE id = ?")
        .execute(arguments: [batch])
      try Self.insert(staged, of: batch, in: db)
    }
  }

  static func insert(_ staged: StagedBatch, of batch: Int64, in db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO stagedBatches (batch, content) VALUES (?, ?)")
      .execute(arguments: [batch, Data(staged.journal)])
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
      for table in ["stagedBatches WHERE batch", "batches WHERE id"] {
        try db.execute(sql: "DELETE FROM \(table) = ?", arguments: [batch])
      }
    }
  }

  /// The batches that are not done, oldest first.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when the row of one that has content is not as it was
  ///   written: what is to be published or dropped is not known then.
  package func undoneBatches() throws(LibraryError) -> [UndoneBatch] {
    try read { db in
      let isWhole = digested["batches"]?.isWhole() ?? "0"
      let isContentWhole = digested["stagedBatches"]?.isWhole() ?? "0"
      let damaged = try QueryRow<DamagedBatch>.fetchAll(
        db,
        """
        SELECT \(DamagedBatch.list) FROM \(Self.batchesWithContent)
        WHERE state < 3 AND NOT (\(isWhole) AND (content IS NULL OR \(isContentWhole)))
        """
      )
      guard try damaged.allSatisfy({ try $0[.hasNoContent] }) else {
        throw LibraryError(
          .inconsistent,
          "What the catalogue says of an unfinished batch was changed by another program. Nothing was "
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

    var sql: String { self == .id ? name : "content IS NULL" }
  }

  private enum BatchPart: Int, QueryColumn {
    case id, run, state, firstAccess, content
  }

  private static let batchesWithContent =
    "batches LEFT JOIN stagedBatches ON stagedBatches.batch = batches.id"

  package static func undoneBatches(in db: Database) throws -> [UndoneBatch] {
    try QueryRow<BatchPart>.fetchAll(
      db,
      "SELECT \(BatchPart.list) FROM \(batchesWithContent) WHERE state < 3 ORDER BY id"
    ).map { row in
      let staged: Data? = try row[.content]
      return UndoneBatch(
        identifier: try row[.id],
        run: try row[.run],
        state: BatchState(rawValue: try row[.state]) ?? .intended,
        firstAccess: try row[.firstAccess],
        staged: try staged.map { try StagedBatch(journal: $0) }
      )
    }
  }

  /// Writes the rows of assets and items that a batch has made.
  static func enter(_ staged: StagedBatch, run: String, in db: Database) throws {
    try enter(staged.edits, run: run, in: db)
    if !staged.assets.isEmpty {
      let last = try lastAsset(in: db)
      for asset in staged.assets { try insert(asset, run: run, in: db) }
      try noteChanges(of: staged.assets, after: last, run: run, in: db)
    }
    for result in staged.results { try upsert(result, run: run, in: db) }
    try enterFailures(of: staged.results, run: run, in: db)
  }

  private static func finish(_ batches: [Int64], in db: Database) throws {
    for batch in batches {
      try db.cachedStatement(sql: "UPDATE batches SET state = 3 WHERE id = ?")
        .execute(arguments: [batch])
      try db.cachedStatement(sql: "DELETE FROM stagedBatches WHERE batch = ?")
        .execute(arguments: [batch])
    }
  }
}
