internal import Foundation
internal import GRDB
package import MediaModel

/// A run as its log tells it.
package struct LoggedRun: Sendable, Hashable {
  package var identifier: String
  /// As RFC 3339 writes it.
  package var started: String
  package var client: String
  package var manifestSHA256: String
  /// Whether its manifest made albums of folders.
  package var albumsFromFolders: Bool
  /// The end of its log.
  package var audit: AuditPosition

  package init(
    identifier: String,
    started: String,
    client: String,
    manifestSHA256: String,
    albumsFromFolders: Bool,
    audit: AuditPosition
  ) {
    self.identifier = identifier
    self.started = started
    self.client = client
    self.manifestSHA256 = manifestSHA256
    self.albumsFromFolders = albumsFromFolders
    self.audit = audit
  }
}

/// The number of rows of a catalogue's tables; of assets and files, those that are in the library.
package struct CatalogueCounts: Sendable, Hashable {
  package var runs: Int
  package var assets: Int
  package var resources: Int
  package var thumbnails: Int
  /// The assets that were taken out of the library.
  package var withdrawn: Int
  package var items: Int
}

extension Catalogue {
  func identify(as identifier: String) throws(LibraryError) {
    try write { try $0.execute(sql: "UPDATE meta SET identifier = ?", arguments: [identifier]) }
  }

  /// Enters a run of the log, and counts it as one opening of the library.
  package func enter(_ run: LoggedRun) throws(LibraryError) {
    try write { db in
      try Self.runInsertion.execute(in: db) { column in
        switch column {
        case .id: run.identifier
        case .started: run.started
        case .client: run.client
        case .manifestSHA256: run.manifestSHA256
        case .albumsFromFolders: run.albumsFromFolders ? true : nil
        case .auditFile: run.audit.file
        // Noted below, with the tree.
        case .auditRecords, .auditBytes: 0
        case .auditHead: ""
        case .ended, .exitCode, .auditTree, .auditSize, .auditRoot, .digest: nil
        }
      }
      try Self.note(run.audit, of: run.identifier, in: db)
      try db.execute(sql: "UPDATE meta SET opened = (SELECT count(*) FROM runs)")
    }
  }

  /// Enters the end of a run, as its last record has it.
  package func enterEnd(
    of run: String,
    ended: String?,
    exitCode: Int?
  ) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "UPDATE runs SET ended = ?, exitCode = ? WHERE id = ?",
        arguments: [ended, exitCode, run]
      )
    }
  }

  /// Whether there is a run of this identifier.
  package func hasRun(_ run: String) throws(LibraryError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)",
        arguments: [run]
      ) ?? false
    }
  }

  /// Writes the rows of assets and items that a run has made, by the same statements as a batch.
  package func enter(_ staged: StagedBatch, run: String) throws(LibraryError) {
    try write { try Self.enter(staged, run: run, in: $0) }
  }

  /// Enters a batch that a run left in the middle, which the next run finishes.
  package func enter(_ batch: UndoneBatch) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "INSERT INTO batches (id, run, state, firstAccess) VALUES (?, ?, ?, ?)",
        arguments: [batch.identifier, batch.run, batch.state.rawValue, batch.firstAccess]
      )
      if let staged = batch.staged { try Self.insert(staged, of: batch.identifier, in: db) }
    }
  }

  /// Forgets a superseded or replaced file, which is removed.
  package func forgetSuperseded(path: String) throws(LibraryError) {
    try write { db in
      for table in ["thumbnails", "resources"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE superseded <> 0 AND path = ?", arguments: [path])
      }
    }
  }

  /// Whether there is an asset of this identifier.
  package func hasAsset(_ localIdentifier: String) throws(LibraryError) -> Bool {
    try read { try Self.row(ofAsset: localIdentifier, in: $0) != nil }
  }

  /// Whether there is a row of a published file at this path below the library.
  package func hasFile(_ path: String) throws(LibraryError) -> Bool {
    try read { try Self.hasFile([UInt8](path.utf8), in: $0) }
  }

  /// The number of thumbnails without a ThumbHash.
  package func thumbnailsWithoutHash() throws(LibraryError) -> Int {
    try read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM thumbnails WHERE thumbHash IS NULL") ?? 0
    }
  }

  /// The number of rows of each table, without superseded and withdrawn ones.
  package func counts() throws(LibraryError) -> CatalogueCounts {
    try read { db in
      func count(_ rows: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)") ?? 0
      }
      let (old, gone) = (FileState.superseded.rawValue, FileState.withdrawn.rawValue)
      let isThere = "WHERE superseded NOT IN (\(old), \(gone))"
      return CatalogueCounts(
        runs: try count("runs"),
        assets: try count("assets \(isThere)"),
        resources: try count("resources \(isThere)"),
        thumbnails: try count("thumbnails \(isThere)"),
        withdrawn: try count("assets WHERE superseded = \(gone)"),
        items: try count("items")
      )
    }
  }
}
