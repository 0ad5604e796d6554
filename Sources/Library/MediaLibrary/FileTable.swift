package import GRDB

/// A table of published files.
///
/// Every path of the first table is before those of the second, "Originals" before "Thumbnails": so one
/// table after the other is the order of the paths.
package enum FileTable: String, CaseIterable {
  case resources
  case thumbnails

  package var name: String { rawValue }

  /// Selects the files of the table behind a path, in the order of their paths, or those that are superseded. Its
  /// argument is the path.
  ///
  /// An index of the paths gives the order, so that SQLite sorts nothing; the superseded ones have one of their own.
  package func query(superseded: Bool) -> String {
    "\(selection) WHERE files.superseded \(superseded ? "=" : "<>") 1 AND files.path > ?1 ORDER BY files.path"
  }

  /// Selects the files of one asset, in the order of their paths. Its argument is the asset's localIdentifier.
  func queryOfAsset(superseded: Bool) -> String {
    """
    SELECT \(Self.columns) FROM assets
    CROSS JOIN \(name) AS files ON assets.id = files.asset
      AND files.superseded <> \(FileState.withdrawn.rawValue)
    WHERE files.superseded \(superseded ? "=" : "<>") 1 AND assets.localIdentifier = ?1 ORDER BY files.path
    """
  }

  /// Selects the file at a path, superseded or not.
  package var lookup: String { "\(selection) WHERE files.path = ?1" }

  private var selection: String {
    // A withdrawn file is none of the library's.
    """
    SELECT \(Self.columns) FROM \(name) AS files
    CROSS JOIN assets ON assets.id = files.asset
      AND files.superseded <> \(FileState.withdrawn.rawValue)
    """
  }

  private static let columns = Column.list

  /// The columns of a file.
  package enum Column: Int, QueryColumn {
    case path, bytes, sha256, localIdentifier, file, asset, isSuperseded

    package var sql: String {
      switch self {
      case .path, .bytes, .sha256: "files.\(name)"
      case .localIdentifier: "assets.localIdentifier"
      case .file: "files.id"
      case .asset: "assets.id"
      // A replaced original is there.
      case .isSuperseded: "(files.superseded = 1)"
      }
    }
  }
}

/// The columns of a published file that originals and thumbnails have.
enum FileContent: Int, QueryColumn {
  case path, bytes, sha256
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
  package init(_ row: QueryRow<FileTable.Column>) throws {
    self.init(
      path: try row[.path],
      bytes: try row[.bytes],
      sha256: try row[.sha256],
      localIdentifier: try row[.localIdentifier]
    )
  }
}

extension Catalogue {
  /// Calls `body` with each published file in the order of its path, while the database is read.
  ///
  /// - Parameters:
  ///   - asset: The localIdentifier of the asset whose files alone are wanted; nil for all.
  ///   - superseded: Which files are wanted.
  ///   - db: The database.
  ///   - marked: The marked rows of each table.
  ///   - body: Called with each file.
  /// - Throws: `DatabaseError` when a row cannot be read, or what `body` throws.
  package static func forEachFile(
    ofAsset asset: String? = nil,
    superseded: Bool,
    in db: Database,
    marked: [FileTable: RowSet] = [:],
    _ body: (PublishedRow) throws -> Void
  ) throws {
    for table in FileTable.allCases {
      let marked = marked[table] ?? RowSet()
      let rows = try Row.fetchCursor(
        db,
        sql: asset == nil
          ? table.query(superseded: superseded) : table.queryOfAsset(superseded: superseded),
        arguments: [asset ?? ""]
      )
      while let row = try rows.next().map(QueryRow<FileTable.Column>.init) {
        try body(
          PublishedRow(
            file: PublishedFile(row),
            isThumbnail: table == .thumbnails,
            asset: row[.asset],
            isMarked: marked.contains(row[.file])
          )
        )
      }
    }
  }

  /// Whether a file has a row, superseded or not.
  package static func hasFile(_ path: [UInt8], in db: Database) throws -> Bool {
    guard let text = String(validating: path, as: UTF8.self) else { return false }
    return try FileTable.allCases.contains { table in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE path = ?)"),
        arguments: [text]
      ) ?? false
    }
  }
}
