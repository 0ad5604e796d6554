internal import GRDB

/// The tables of two catalogues whose rows go from one into the other.
struct KeptTables {
  private let old: Database
  private let new: Database
  private let digested: [String: DigestedTable]
  /// The columns that mean the same in both, by table.
  private let columns: [String: [String]]

  /// Columns that have another value in another catalogue, or that follow from others.
  private static let excluded: [String: Set<String>] = [
    "runs": ["digest", "auditTree", "auditSize", "auditRoot"],
    "assets": ["digest", "id", "olderVersion"], "resources": ["digest", "id"],
    "thumbnails": ["digest", "id"], "tracks": ["digest"], "items": ["digest"],
    "albums": ["digest", "id"], "albumItems": ["digest"], "appliedRules": ["digest"],
  ]

  init(_ old: Database, _ new: Database) throws {
    (self.old, self.new) = (old, new)
    digested = Dictionary(try DigestedTable.all(in: old).map { ($0.name, $0) }) { $1 }
    var columns: [String: [String]] = [:]
    for (table, excluded) in Self.excluded {
      columns[table] = try new.columns(in: table).map(\.name).filter { !excluded.contains($0) }
    }
    self.columns = columns
  }

  /// The condition that a row is as it was written.
  func isWhole(_ table: String) -> String { digested[table]?.isWhole() ?? "0" }

  func rows(of table: String, where column: String, is value: DatabaseValue) throws -> [Row] {
    try Row.fetchAll(
      old.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(column) = ? AND \(isWhole(table))"),
      arguments: [value]
    )
  }

  /// All rows of a table that are as they were written, in the order of their numbers.
  func rows(of table: String) throws -> [Row] {
    try Row.fetchAll(old, sql: "SELECT * FROM \(table) WHERE \(isWhole(table)) ORDER BY rowid")
  }

  /// Inserts a row, with other numbers in some columns; one that is there stays.
  ///
  /// - Returns: Its number.
  @discardableResult
  func insert(
    _ row: Row,
    into table: String,
    replacing numbers: [String: Int64] = [:]
  ) throws -> Int64 {
    let columns = columns[table] ?? []
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    // A column that the other catalogue does not have is NULL.
    let values = columns.map { column in
      numbers[column]?.databaseValue ?? (row[column] as (any DatabaseValueConvertible)?)?.databaseValue
    }
    try new.cachedStatement(
      sql: "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    ).execute(arguments: StatementArguments(values))
    return new.lastInsertedRowID
  }

  /// Takes over the row of a run that is not there.
  ///
  /// - Returns: Whether it is there now.
  func keepRun(_ identifier: DatabaseValue) throws -> Bool {
    for row in try rows(of: "runs", where: "id", is: identifier) { try insert(row, into: "runs") }
    return try Bool.fetchOne(
      new.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)"),
      arguments: [identifier]
    ) ?? false
  }
}
