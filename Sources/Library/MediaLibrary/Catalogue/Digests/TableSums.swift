internal import Foundation
package import GRDB
internal import MediaDigest
package import MediaModel

/// The table `tableSums`: for each table of the catalogue the number of its rows and the sum of their
/// digests.
package enum TableSums {
  /// The row of SQLite's own table of the numbers that were given.
  static let sequenceTable = "sqlite_sequence"
  /// The row of the schema: each table and index with its SQL, and what the file's header says.
  static let schemaTable = "sqlite_schema"

  /// The tables that say what the library holds; the others are about runs.
  private static let contentTables = ["assets", "items", "resources", "thumbnails", "tracks"]

  package static let creation = """
    CREATE TABLE tableSums (
      name TEXT PRIMARY KEY NOT NULL,
      rowCount INTEGER NOT NULL,
      sum BLOB NOT NULL
    ) WITHOUT ROWID;
    """

  private enum SumColumn: Int, QueryColumn {
    case rowCount, sum
  }

  private static let query = "SELECT \(SumColumn.list) FROM tableSums WHERE name = ?"

  package static func sum(of table: String, in db: Database) throws -> RowSum? {
    // Columns that have other values are those of a damaged catalogue.
    guard let row = try QueryRow<SumColumn>.fetchOne(db, query, [table]),
      let rows = try? row[.rowCount] as Int64, let bytes = try? row[.sum] as Data
    else { return nil }
    return RowSum(rows: rows, bytes: bytes)
  }

  package static func set(_ sum: RowSum, of table: String, in db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO tableSums (name, rowCount, sum) VALUES (?, ?, ?)"
    ).execute(arguments: [table, sum.rows, sum.bytes])
  }

  /// The sum over the numbers that SQLite gave last, one for each table with such numbers.
  static func sequences(in db: Database) throws -> RowSum {
    guard try db.tableExists(sequenceTable) else { return RowSum() }
    return try sum(over: "SELECT name, seq FROM sqlite_sequence", as: sequenceTable, in: db)
  }

  /// The sum over the schema.
  package static func schema(in db: Database) throws -> RowSum {
    var sum = try sum(over: "SELECT type, name, tbl_name, sql FROM sqlite_schema", as: schemaTable, in: db)
    let header = try ["application_id", "user_version", "encoding", "auto_vacuum"].map { name in
      try DatabaseValue.fetchOne(db, sql: "PRAGMA \(name)") ?? .null
    }
    sum.add(RowDigest("header", header[...]))
    return sum
  }

  /// The sum over the rows of a query.
  static func sum(over query: String, as table: String, in db: Database) throws -> RowSum {
    var sum = RowSum()
    let rows = try Row.fetchCursor(db, sql: query)
    while let row = try rows.next() {
      sum.add(RowDigest(table, row.values[...]))
    }
    return sum
  }

  /// The sum of all that the catalogue says of the library's content, and of what it has the form.
  ///
  /// - Returns: Nil when a sum is missing.
  package static func content(in db: Database) throws -> CatalogueContent? {
    let schema = try String.fetchOne(db, sql: "SELECT identifier FROM grdb_migrations")
    guard let schema else { return nil }
    var hash = SHA256()
    for table in contentTables {
      guard let sum = try sum(of: table, in: db) else { return nil }
      hash.update(Array("\(table) \(sum.rows) ".utf8))
      hash.update(Array(sum.bytes))
    }
    return CatalogueContent(schema: schema, sha256: Hexadecimal.text(hash.finalize()))
  }
}
