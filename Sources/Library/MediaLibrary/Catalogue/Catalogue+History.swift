package import GRDB
package import MediaModel

/// The history: a row for each change of an asset, written in the transaction of what it tells.
extension Catalogue {
  /// Begins the history of a catalogue that has none, with the assets that it has; belongs behind the making of the
  /// triggers, by which its rows get their digests.
  static func beginHistory(in db: Database) throws {
    guard try !(Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM history)") ?? true) else {
      return
    }
    try noteInserted(after: 0, in: db)
    try db.execute(sql: "INSERT INTO history (epoch) VALUES (?)", arguments: [ChangeToken.makeEpoch()])
  }

  /// Gives the history a new epoch, so that no token of before counts: the catalogue is an older one than
  /// its log.
  package func beginEpoch() throws(LibraryError) {
    try write { db in
      try db.execute(sql: "UPDATE history SET epoch = ?", arguments: [ChangeToken.makeEpoch()])
    }
  }

  /// The number of the newest asset; 0 when there is none.
  package static func lastAsset(in db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM assets")) ?? 0
  }

  package static func noteInserted(after last: Int64, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO changes (kind, localIdentifier, what, run)
        SELECT '\(ChangeKind.inserted.rawValue)', localIdentifier, '\(ChangedPart.asset.rawValue)', run
        FROM assets WHERE id > ? ORDER BY id
        """
    ).execute(arguments: [last])
  }

  /// Notes the change of one asset.
  package static func note(
    _ kind: ChangeKind,
    _ localIdentifier: String,
    _ part: ChangedPart,
    run: String,
    in db: Database
  ) throws {
    try db.cachedStatement(
      sql: "INSERT INTO changes (kind, localIdentifier, what, run) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [kind.rawValue, localIdentifier, part.rawValue, run])
  }

  /// Notes every asset that has originals of earlier versions.
  package static func noteReplaced(run: String, in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO changes (kind, localIdentifier, what, run)
        SELECT ?, localIdentifier, ?, ? FROM assets WHERE id IN (
          SELECT asset FROM resources WHERE superseded = ?
        ) ORDER BY id
        """,
      arguments: [
        ChangeKind.updated.rawValue, ChangedPart.replaced.rawValue, run,
        FileState.replaced.rawValue,
      ]
    )
  }
}
