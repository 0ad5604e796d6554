internal import Foundation
internal import GRDB
internal import MediaModel

/// Rows that only the catalogue of before has, as after a file of the log was lost.
extension Catalogue {
  /// Takes over each asset of the catalogue of before that is not in this one, with its run, its items and
  /// those of its files that are there as they were published.
  ///
  /// Only rows that are as they were written count. The tree of the log over records that are lost is not
  /// taken over.
  ///
  /// - Parameters:
  ///   - earlier: The catalogue of before.
  ///   - unfinished: Files of batches that the next run finishes.
  ///   - isThere: Whether a file below the library has this SHA-256 in hexadecimal.
  /// - Returns: The number of assets; nothing that cannot be read is an error.
  /// - Throws: ``LibraryError`` when this catalogue cannot be written.
  package func keepAssets(
    of earlier: EarlierCatalogue,
    without unfinished: Set<String>,
    isThere: (_ path: String, _ sha256: String) -> Bool
  ) throws(LibraryError) -> Int {
    try write { db in
      let last = try Self.lastAsset(in: db)
      var versions: [(asset: Int64, older: String)] = []
      try? earlier.queue.read { old in
        let tables = try KeptTables(old, db)
        let assets = try Row.fetchCursor(
          old,
          sql: """
            SELECT *, (
              SELECT localIdentifier FROM assets AS older WHERE older.id = assets.olderVersion
            ) AS olderIdentifier FROM assets WHERE \(tables.isWhole("assets")) ORDER BY id
            """
        )
        while let asset = try assets.next() {
          guard let identifier = asset["localIdentifier"] as String?,
            try Self.row(ofAsset: identifier, in: db) == nil
          else { continue }
          let files = try ["resources", "thumbnails"].map { table in
            (
              table: table,
              rows: try tables.rows(of: table, where: "asset", is: asset["id"]).filter { row in
                guard let path = row["path"] as String?, let sha256 = row["sha256"] as String?,
                  !unfinished.contains(path), try !Self.hasFile([UInt8](path.utf8), in: db)
                else { return false }
                return isThere(path, sha256)
              }
            )
          }
          let hasOriginal = files[0].rows.contains { ($0["superseded"] as Int?) ?? 0 == 0 }
          guard hasOriginal, try tables.keepRun(asset["run"]) else { continue }
          try tables.insert(asset, into: "assets")
          let number = db.lastInsertedRowID
          for (table, rows) in files {
            for row in rows { try tables.insert(row, into: table, replacing: ["asset": number]) }
          }
          for row in try tables.rows(of: "tracks", where: "asset", is: asset["id"]) {
            try tables.insert(row, into: "tracks", replacing: ["asset": number])
          }
          for row in try tables.rows(of: "items", where: "asset", is: asset["id"])
          where try tables.keepRun(row["run"]) {
            try tables.insert(row, into: "items", replacing: ["asset": number])
          }
          if let older = asset["olderIdentifier"] as String? { versions.append((number, older)) }
        }
      }
      for (asset, older) in versions {
        try db.execute(
          sql: """
            UPDATE assets SET olderVersion = (SELECT id FROM assets WHERE localIdentifier = ?)
            WHERE id = ?
            """,
          arguments: [older, asset]
        )
      }
      try Self.noteInserted(after: last, in: db)
      return try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM assets WHERE id > ?",
        arguments: [last]
      ) ?? 0
    }
  }
}
