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
          let number = try tables.keep(asset, files)
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
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM assets WHERE id > ?", arguments: [last]) ?? 0
    }
  }
}

extension KeptTables {
  /// Takes over an asset with some rows of its files, with its tracks, and with the items whose run is there.
  ///
  /// - Returns: Its row in the new catalogue.
  fileprivate func keep(_ asset: Row, _ files: [(table: String, rows: [Row])]) throws -> Int64 {
    let number = try insert(asset, into: "assets")
    let id: DatabaseValue = asset["id"]
    let tracks = try rows(of: "tracks", where: "asset", is: id)
    let items = try rows(of: "items", where: "asset", is: id).filter { try keepRun($0["run"]) }
    for (table, rows) in files + [(table: "tracks", rows: tracks), (table: "items", rows: items)] {
      for row in rows { try insert(row, into: table, replacing: ["asset": number]) }
    }
    return number
  }
}
