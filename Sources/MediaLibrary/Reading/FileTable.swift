internal import GRDB

/// A table of published files.
///
/// Every path of the first table is before those of the second, "Originals" before "Thumbnails": so one
/// table after the other is the order of the paths.
enum FileTable: String, CaseIterable {
  case resources
  case thumbnails

  var name: String { rawValue }

  /// Selects the files of the table behind a path, in the order of their paths. Its arguments are whether
  /// they are superseded, and the path.
  ///
  /// The columns are those of ``PublishedRow``. The index of the paths gives the order, so that SQLite
  /// sorts nothing.
  func query(in db: Database) throws -> String {
    "\(try selection(in: db)) WHERE \(try flag(in: db)) = ?1 AND files.path > ?2 ORDER BY files.path"
  }

  /// Selects the file at a path, superseded or not.
  func lookup(in db: Database) throws -> String {
    "\(try selection(in: db)) WHERE files.path = ?1"
  }

  private func selection(in db: Database) throws -> String {
    // A withdrawn file is none of the library's.
    let isThere =
      try knowsState(in: db) ? " AND files.superseded <> \(FileState.withdrawn.rawValue)" : ""
    return """
      SELECT files.path, files.bytes, files.sha256, assets.localIdentifier, files.id, assets.id,
        \(try flag(in: db))
      FROM \(name) AS files CROSS JOIN assets ON assets.id = files.asset\(isThere)
      """
  }

  /// Whether a file is superseded, which is no more than replaced: a replaced original is there. A library
  /// that no newer version has opened for writing yet is read as it is.
  private func flag(in db: Database) throws -> String {
    try knowsState(in: db) ? "(files.superseded = 1)" : "(assets.superseded = 1)"
  }

  private func knowsState(in db: Database) throws -> Bool {
    try self != .resources || db.columns(in: name).contains { $0.name == "superseded" }
  }
}

/// A published file with what stands about it in its row.
package struct PublishedRow: Sendable {
  package let file: Catalogue.PublishedFile
  package let isThumbnail: Bool
  /// The row of its asset.
  package let asset: Int64
  /// Whether ``FileMarks`` has a mark for it.
  package let isMarked: Bool
}

extension Catalogue.PublishedFile {
  /// The file of a row of ``FileTable``.
  init(_ row: Row) throws {
    self.init(
      path: try row.value(0),
      bytes: try row.value(1),
      sha256: try row.value(2),
      localIdentifier: try row.value(3)
    )
  }
}

extension Catalogue {
  /// Calls `body` with each published file in the order of its path, while the database is read.
  ///
  /// - Parameters:
  ///   - superseded: Which files are wanted.
  ///   - db: The database.
  ///   - marked: The marked rows of each table.
  ///   - body: Called with each file.
  /// - Throws: `DatabaseError` when a row cannot be read, or what `body` throws.
  static func forEachFile(
    superseded: Bool,
    in db: Database,
    marked: [FileTable: RowSet] = [:],
    _ body: (PublishedRow) throws -> Void
  ) throws {
    for table in FileTable.allCases {
      let marked = marked[table] ?? RowSet()
      let rows = try Row.fetchCursor(db, sql: table.query(in: db), arguments: [superseded, ""])
      while let row = try rows.next() {
        try body(
          PublishedRow(
            file: PublishedFile(row),
            isThumbnail: table == .thumbnails,
            asset: row.value(5),
            isMarked: marked.contains(row.value(4))
          )
        )
      }
    }
  }
}
