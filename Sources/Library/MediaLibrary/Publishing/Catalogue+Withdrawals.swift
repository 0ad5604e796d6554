internal import GRDB
package import MediaModel

/// Assets that a person takes out of the library.
///
/// The rows of such an asset and of its originals stay, marked as withdrawn: by them a later run knows the
/// content, and does not import it again. What the catalogue said of the capture goes.
extension Catalogue {
  /// Plans how an asset is withdrawn.
  ///
  /// - Parameters:
  ///   - localIdentifier: The asset.
  ///   - folder: The folder below the library to which they are moved.
  /// - Returns: The asset with its files; nil when it was withdrawn before.
  /// - Throws: ``LibraryError`` `.inconsistent` when a row of the asset is not as it was written.
  package func withdrawal(
    of localIdentifier: String,
    to folder: String
  ) throws(LibraryError) -> LibraryEdit? {
    try read { db in
      let row = try QueryRow<AssetColumn>.fetchOne(
        db,
        "SELECT \(AssetColumn.list) FROM assets WHERE localIdentifier = ?",
        [localIdentifier]
      )
      guard let row, try row[.superseded] as Int != FileState.withdrawn.rawValue else { return nil }
      let asset: Int64 = try row[.id]
      try requireWhole(asset, localIdentifier, or: "nothing was withdrawn", in: db)
      let files = try FileTable.allCases.flatMap { table in
        try QueryRow<FileContent>.fetchAll(
          db,
          """
          SELECT \(FileContent.list) FROM \(table.name) WHERE asset = ? AND superseded IN (?, ?)
          ORDER BY id
          """,
          [asset, FileState.current.rawValue, FileState.replaced.rawValue]
        )
      }
      var edit = LibraryEdit(.withdraw, [localIdentifier])
      edit.folder = folder
      edit.moves = try files.map { row in
        let path: String = try row[.path]
        return LibraryEdit.Move(
          from: path,
          to: "\(folder)/\(path)",
          bytes: try row[.bytes],
          sha256: try row[.sha256]
        )
      }
      return edit
    }
  }

  /// Marks an asset and its items as withdrawn and returns its folder; nothing when it is that already.
  static func withdraw(
    _ localIdentifier: String,
    run: String,
    in db: Database
  ) throws -> SourceFolder? {
    let row = try Int64.fetchOne(
      db,
      sql: "SELECT id FROM assets WHERE localIdentifier = ? AND superseded <> ?",
      arguments: [localIdentifier, FileState.withdrawn.rawValue]
    )
    guard let row else { return nil }
    let folder = try leaveStack(row, run: run, in: db)
    try db.execute(
      sql: "UPDATE resources SET superseded = ? WHERE asset = ? AND superseded IN (?, ?)",
      arguments: [
        FileState.withdrawn.rawValue, row, FileState.current.rawValue, FileState.replaced.rawValue,
      ]
    )
    try db.execute(
      sql: "UPDATE assets SET superseded = ?, \(AssetColumn.forgettingFacts) WHERE id = ?",
      arguments: [FileState.withdrawn.rawValue, row]
    )
    for table in ["thumbnails", "tracks"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE asset = ?", arguments: [row])
    }
    try db.execute(
      sql: "UPDATE items SET outcome = ?, reason = ? WHERE asset = ?",
      arguments: [ItemReason.withdrawn.outcome.rawValue, ItemReason.withdrawn.rawValue, row]
    )
    try note(.deleted, localIdentifier, .asset, run: run, in: db)
    return folder
  }

  /// Takes the mark off an asset whose files are published anew.
  static func bringBack(
    _ asset: Int64,
    _ localIdentifier: String,
    run: String,
    in db: Database
  ) throws {
    try db.cachedStatement(sql: "DELETE FROM resources WHERE asset = ? AND superseded = ?")
      .execute(arguments: [asset, FileState.withdrawn.rawValue])
    guard db.changesCount > 0 else { return }
    try db.execute(sql: "UPDATE assets SET superseded = 0 WHERE id = ?", arguments: [asset])
    try note(.inserted, localIdentifier, .asset, run: run, in: db)
  }
}
