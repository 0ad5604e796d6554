internal import GRDB
internal import MediaModel

/// What a person decides about published assets, and what the rows say of it.
extension Catalogue {
  /// The asset of an identifier, as it is before a decision.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when a row of the asset is not as it was written.
  package func assetToEdit(_ localIdentifier: String) throws(LibraryError) -> KnownAsset? {
    try read { db in
      guard let row = try Self.row(ofAsset: localIdentifier, in: db) else { return nil }
      try requireWhole(row, localIdentifier, or: "nothing was changed", in: db)
      return try Self.asset(row: row, in: db)
    }
  }

  /// Makes sure that the rows of an asset and of its files are as they were written: those that a decision writes
  /// get digests of their own.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when they are not, which says what did not happen.
  func requireWhole(
    _ asset: Int64,
    _ localIdentifier: String,
    or result: String,
    in db: Database
  ) throws {
    let areWhole = try [("assets", "id"), ("resources", "asset"), ("thumbnails", "asset")]
      .allSatisfy { name, key in
        guard let table = digested[name] else { return false }
        return try Bool.fetchOne(
          db,
          sql:
            "SELECT NOT EXISTS (SELECT 1 FROM \(name) WHERE \(key) = ? AND NOT \(table.isWhole()))",
          arguments: [asset]
        ) ?? false
      }
    if areWhole { return }
    throw LibraryError(
      .inconsistent,
      "What the catalogue says of the asset \(localIdentifier) was changed by another program, so \(result). "
        + "`mediabatch rebuild` makes the catalogue anew."
    )
  }

  /// Writes what a person decided, and stacks the rest of the folders of these assets anew.
  static func enter(_ edits: [LibraryEdit], run: String, in db: Database) throws {
    var folders: [SourceFolder] = []
    for edit in edits {
      switch edit.kind {
      case .label: try relabel(edit, run: run, in: db)
      case .rotate:
        try db.execute(
          sql: """
            UPDATE assets SET rotation = nullif(?1, 0)
            WHERE localIdentifier = ?2 AND rotation IS NOT nullif(?1, 0)
            """,
          arguments: [edit.rotation, edit.asset]
        )
        if db.changesCount > 0 { try note(.updated, edit.asset, .rotation, run: run, in: db) }
      case .withdraw:
        folders += [try withdraw(edit.asset, run: run, in: db)].compactMap(\.self)
      case .distinguish: try distinguish(edit.assets, run: run, in: db)
      case .stack, .unstack: folders += try stack(edit, run: run, in: db)
      }
    }
    var seen: Set<SourceFolder> = []
    for folder in folders where seen.insert(folder).inserted {
      try restack(folder, run: run, in: db)
    }
  }
}

extension LibraryEdit {
  /// The degrees of a turn that a row has, 0 to 270; a damaged row has any number.
  static func rotation(stored: Int?) -> Int { 90 * ((stored ?? 0) / 90 & 3) }
}
