internal import GRDB

/// A whole row of a table.
struct TableRow<Column: TableColumn> {
  /// The values of all columns.
  var values: [DatabaseValue]

  /// Takes a row of a statement that selects ``QueryColumn/list``.
  init(_ row: Row) { values = Array(row.databaseValues) }

  subscript(column: Column) -> DatabaseValue {
    get { values[column.rawValue] }
    set { values[column.rawValue] = newValue }
  }

  /// A value of a row that may be damaged; nil for NULL, and for anything else than what it has to be.
  func value<Value: DatabaseValueConvertible>(_ column: Column) -> Value? {
    Value.fromDatabaseValue(self[column])
  }
}
