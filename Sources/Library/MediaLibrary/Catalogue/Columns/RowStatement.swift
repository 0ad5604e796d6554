package import GRDB

/// A statement that writes some columns of a row, each by its name.
package struct RowStatement<Column: TableColumn>: Sendable {
  package let columns: [Column]
  let sql: String

  /// Inserts a row, or with `orReplace` puts it in the place of that with its key.
  package init(inserting columns: [Column], orReplace: Bool = false) {
    self.columns = columns
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    sql = """
      INSERT \(orReplace ? "OR REPLACE " : "")INTO \(Column.table) (\(Column.list(of: columns)))
      VALUES (\(marks))
      """
  }

  /// Changes the rows that meet a condition.
  package init(updating columns: [Column], where condition: String) {
    self.columns = columns
    let changes = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    sql = "UPDATE \(Column.table) SET \(changes) WHERE \(condition)"
  }

  /// Writes the value of each column; `key` are the arguments of the condition.
  package func execute(
    in db: Database,
    key: [any DatabaseValueConvertible] = [],
    _ value: (Column) throws -> (any DatabaseValueConvertible)?
  ) throws {
    var values = try columns.map { try value($0)?.databaseValue ?? .null }
    values += key.map(\.databaseValue)
    try db.cachedStatement(sql: sql).execute(values, in: db)
  }
}
