internal import Foundation
package import GRDB
package import MediaModel

/// The rows of runs, with the positions of their logs.
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

  package static let runInsertion = RowStatement<RunColumn>(
    inserting: RunColumn.all(but: .ended, .exitCode, .auditTree, .auditSize, .auditRoot, .digest)
  )

  /// Returns whether a run of a manifest has begun, by the SHA-256 of its text.
  package func hasRun(ofManifest sha256: String) throws(LibraryError) -> Bool {
    try read { db in
      let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE manifestSHA256 = ?)"
      return try Bool.fetchOne(db, sql: sql, arguments: [sha256]) ?? false
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

  private enum PositionColumn: Int, QueryColumn {
    case id, auditFile, auditRecords, auditBytes, auditHead, isEnded, auditTree, auditSize,
      auditRoot

    var sql: String { self == .isEnded ? "ended IS NOT NULL" : name }
  }

  package static func auditPositions(in db: Database) throws -> [AuditPosition] {
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
      if let size: Int = try row[.auditSize] {
        let (root, encoded): (String?, Data?) = (try row[.auditRoot], try row[.auditTree])
        // A run has all three; where one was taken out, the others are compared with the log all the same.
        position.tree = AuditTreePosition(
          head: AuditTreeHead(size: size, root: root ?? ""),
          encoded: [UInt8](encoded ?? Data())
        )
      }
      return position
    }
  }

  package static func note(_ audit: AuditPosition, of run: String, in db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE runs SET auditRecords = ?, auditBytes = ?, auditHead = ? WHERE id = ?"
    ).execute(arguments: [audit.records, audit.bytes, audit.head, run])
    if let tree = audit.tree { try note(tree, of: run, in: db) }
  }
}
