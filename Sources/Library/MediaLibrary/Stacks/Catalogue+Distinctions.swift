internal import GRDB
internal import MediaModel

/// Assets that look alike, and of which a person said that they are not the same: a row of `distinguished` each time.
extension Catalogue {
  private static let distinctionInsertion = RowStatement<DistinctionColumn>(
    inserting: DistinctionColumn.all(but: .digest)
  )

  /// Writes that assets are not the same; nothing where that is written.
  static func distinguish(_ assets: [String], run: String, in db: Database) throws {
    let list = String(decoding: TextList.array(assets.sorted()), as: UTF8.self)
    let isThere = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM distinguished WHERE assets = ?)"),
      arguments: [list]
    )
    if isThere == true { return }
    try distinctionInsertion.execute(in: db) { column in
      switch column {
      case .assets: list
      case .run: run
      case .digest: nil
      }
    }
  }
}

extension EarlierCatalogue {
  /// The assets that persons called different, each time with the run that wrote it; empty when they cannot be read.
  var distinctions: [(edit: LibraryEdit, run: String)] {
    read { db -> [(edit: LibraryEdit, run: String)]? in
      let tables = try DigestedTable.all(in: db)
      guard let table = tables.first(where: { $0.name == DistinctionColumn.table }) else { return nil }
      return try Row.fetchAll(db, sql: "SELECT assets, run FROM distinguished WHERE \(table.isWhole())").map {
        row in
        (edit: LibraryEdit(.distinguish, TextList.texts(row["assets"])), run: row["run"] as String)
      }
    } ?? []
  }
}
