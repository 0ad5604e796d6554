internal import Foundation
package import GRDB
package import MediaModel

/// Labels that a person gives assets after they were published.
extension Catalogue {
  /// The identifiers of the assets that begin with a text, in their order; that which is equal to it comes
  /// first. Empty for an empty text. Withdrawn assets are among them only where that is wanted.
  package func assets(
    beginningWith text: String,
    limit: Int,
    includesWithdrawn: Bool = false
  ) throws(LibraryError) -> [String] {
    if text.isEmpty { return [] }
    return try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT localIdentifier FROM assets
          WHERE localIdentifier >= ?1 AND localIdentifier < ?1 || char(0x10FFFF)
            AND substr(localIdentifier, 1, length(?1)) = ?1 AND (?3 OR superseded = 0)
          ORDER BY localIdentifier LIMIT ?2
          """,
        arguments: [text, limit, includesWithdrawn]
      )
    }
  }

  /// The renames by which an asset gets a label; nil when it has it.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when a row of the asset is not as it was written.
  package func relabel(
    _ localIdentifier: String,
    as label: Label
  ) throws(LibraryError) -> LibraryEdit? {
    try read { db in
      let row = try QueryRow<AssetColumn>.fetchOne(
        db,
        "SELECT \(AssetColumn.list) FROM assets WHERE localIdentifier = ?",
        [localIdentifier]
      )
      guard let row, try row[.label] as String != label.text else { return nil }
      let earlier: String = try row[.label]
      let asset: Int64 = try row[.id]
      let originals = try QueryRow<ResourceColumn>.fetchAll(
        db,
        """
        SELECT \(ResourceColumn.list) FROM resources WHERE asset = ? AND superseded = 0 ORDER BY id
        """,
        [asset]
      )
      let thumbnails = try QueryRow<FileContent>.fetchAll(
        db,
        """
        SELECT \(FileContent.list) FROM thumbnails WHERE asset = ? AND superseded = 0 ORDER BY id
        """,
        [asset]
      )
      try self.requireWhole(asset, localIdentifier, or: "nothing was renamed", in: db)
      var edit = LibraryEdit(.label, [localIdentifier])
      edit.label = label.text
      func add(
        _ path: String,
        _ bytes: Int64,
        _ sha256: String,
        _ name: (_ old: String, _ fileExtension: String) -> String
      ) {
        let (folder, old) = LibraryEdit.split(path)
        let dot = old.lastIndex(of: ".") ?? old.endIndex
        let new = folder + "/" + name(old, String(old[dot...].dropFirst()))
        if new == path { return }
        edit.moves.append(LibraryEdit.Move(from: path, to: new, bytes: bytes, sha256: sha256))
      }
      for row in originals {
        let role = ResourceRole(rawValue: try row[.role]) ?? .photo
        add(try row[.path], try row[.bytes], try row[.sha256]) { old, fileExtension in
          role.isSidecar && old.hasPrefix(earlier)
            ? label.text + old.dropFirst(earlier.count)
            : label.fileName(role: role, fileExtension: fileExtension)
        }
      }
      // The time at which its asset was saved, or the thumbnail made anew, comes before the label.
      for row in thumbnails {
        add(try row[.path], try row[.bytes], try row[.sha256]) { old, fileExtension in
          "\(old.prefix { $0 != " " }) \(label.text).\(fileExtension)"
        }
      }
      return edit
    }
  }

  /// Writes a label and the new names of the asset's files into their rows. Where the row has the label, a
  /// person has given it, which is noted once.
  static func relabel(_ edit: LibraryEdit, run: String, in db: Database) throws {
    try db.execute(
      sql: """
        UPDATE assets SET label = coalesce(?1, label), relabelled = 1
        WHERE localIdentifier = ?2 AND (?1 IS NOT NULL OR relabelled IS NULL)
        """,
      arguments: [edit.label, edit.asset]
    )
    if db.changesCount == 0 { return }
    for move in edit.moves {
      for table in FileTable.allCases {
        try db.execute(
          sql: "UPDATE \(table.name) SET path = ? WHERE path = ?",
          arguments: [move.to, move.from]
        )
      }
    }
    try note(.updated, edit.asset, .label, run: run, in: db)
  }

  /// The content of the batches that are renaming files or moving them aside.
  private static func movingBatches(in db: Database) throws -> [Data] {
    try Data.fetchAll(
      db,
      sql: """
        SELECT content FROM stagedBatches JOIN batches ON batches.id = batch
        WHERE state = 1 AND instr(content, CAST('"\(StagedBatch.Journal.moved)":' AS BLOB)) > 0
        """
    )
  }

  /// The decisions by which files are moved that have not come to their end; a damaged one says nothing.
  static func unfinishedMoves(in db: Database) throws -> [LibraryEdit] {
    try movingBatches(in: db).flatMap { (try? StagedBatch(journal: $0))?.edits ?? [] }
  }

  /// The paths that files have in their rows, of those that a batch is renaming or moving aside.
  package static func pathsBeingRenamed(in db: Database) throws -> Set<[UInt8]> {
    var paths: Set<[UInt8]> = []
    for row in try movingBatches(in: db) {
      let content = try JSONDecoder().decode(StagedBatch.Journal.self, from: row)
      paths.formUnion((content.moved ?? []).map { [UInt8]($0.utf8) })
    }
    return paths
  }

  /// Whether a person has given any asset a label.
  package static func hasLabels(in db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE relabelled IS NOT NULL)") ?? false
  }
}
