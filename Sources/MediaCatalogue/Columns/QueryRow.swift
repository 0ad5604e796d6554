package import Foundation
package import GRDB

/// A row of a query whose columns are listed.
///
/// Its functions are inlinable, since the modules above read a row of each item.
package struct QueryRow<Column: QueryColumn> {
  @usableFromInline
  let row: Row

  /// Takes a row of a statement that selects ``QueryColumn/list``.
  @inlinable
  package init(_ row: Row) { self.row = row }

  /// A value as what it has to be; the subscripts of GRDB's row would end the program instead.
  ///
  /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` when it is something else.
  @inlinable
  package subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    column: Column
  ) -> Value {
    get throws {
      guard let value = Value.fromDatabaseValue(row[column.rawValue] as DatabaseValue) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "column \(column.name) of a row is not what it has to be"
        )
      }
      return value
    }
  }

  /// A value straight from the statement, for a query of every item or file.
  ///
  /// Inlined, since a module that is optimized for size calls it without its types, each of which it looks up then.
  ///
  /// - Throws: `RowDecodingError` when it is something else.
  @inline(__always)
  @inlinable
  package func decoded<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: Column
  ) throws -> Value {
    try row.decode(Value.self, atIndex: column.rawValue)
  }

  /// Calls `body` with the bytes of a text or BLOB while they are the database's; with nil for NULL.
  @inlinable
  package func withData<Result>(
    _ column: Column,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    try row.withUnsafeData(atIndex: column.rawValue, body)
  }

  /// The bytes of a BLOB straight from the statement; empty for NULL.
  @inlinable
  package func bytes(_ column: Column) throws -> [UInt8] {
    try row.withUnsafeData(atIndex: column.rawValue) { $0.map([UInt8].init) ?? [] }
  }
}

extension QueryRow {
  /// Fetches all rows of a statement, which is kept prepared.
  @inlinable
  package static func fetchAll(
    _ db: Database,
    _ sql: String,
    _ arguments: StatementArguments = []
  ) throws -> [QueryRow] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { QueryRow($0) }
  }

  /// Fetches the first row, as above; nil when there is none.
  @inlinable
  package static func fetchOne(
    _ db: Database,
    _ sql: String,
    _ arguments: StatementArguments = []
  ) throws -> QueryRow? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments).map { QueryRow($0) }
  }
}
