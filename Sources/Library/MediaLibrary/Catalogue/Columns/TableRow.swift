package import GRDB

/// A row of a query, which may be that of a whole table, with all its values.
package struct TableRow<Column: QueryColumn> {
  /// The values of all columns.
  package var values: [DatabaseValue]

  /// Takes a row of a statement that selects ``QueryColumn/list``.
  package init(_ row: Row) { values = row.values }

  /// Takes the values of a row of such a statement.
  package init(_ values: [DatabaseValue]) { self.values = values }

  package subscript(column: Column) -> DatabaseValue {
    get { values[column.rawValue] }
    set { values[column.rawValue] = newValue }
  }

  /// A value of a row that may be damaged; nil for NULL, and for anything else than what it has to be.
  package func value<Value: DatabaseValueConvertible>(_ column: Column) -> Value? {
    Value.fromDatabaseValue(self[column])
  }
}
