package import Foundation
package import GRDB

/// A row of a query whose columns are listed.
package struct QueryRow<Column: QueryColumn> {
  private let row: Row
  private var statement: SQLiteStatement?

  /// Takes a row of a statement that selects ``QueryColumn/list``.
  package init(_ row: Row) { self.row = row }

  /// Takes the row of a cursor, which is valid until the next one: GRDB's generic functions look up a type for each
  /// value.
  init(_ row: Row, at statement: Statement) { (self.row, self.statement) = (row, statement.sqliteStatement) }

  private func stored(_ column: Column) -> DatabaseValue {
    if let statement { return DatabaseValue(sqliteStatement: statement, index: CInt(column.rawValue)) }
    return row[column.rawValue]
  }

  /// A value as what it has to be; the subscripts of GRDB's row would end the program instead.
  ///
  /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` when it is something else.
  package subscript<Value: DatabaseValueConvertible>(column: Column) -> Value {
    get throws {
      try RowValue.checked(Value.fromDatabaseValue(stored(column)), column.name)
    }
  }

  /// Calls `body` with the bytes of a text or BLOB while they are the database's; with nil for NULL.
  package func withData<Result>(
    _ column: Column,
    _ body: (Data?) throws -> Result
  ) throws -> Result {
    try row.withUnsafeData(atIndex: column.rawValue, body)
  }

  /// The bytes of a BLOB straight from the statement; empty for NULL.
  package func bytes(_ column: Column) throws -> [UInt8] {
    try row.withUnsafeData(atIndex: column.rawValue) { $0.map([UInt8].init) ?? [] }
  }
}

/// Values of the types that most columns have: a generic function looks up its types whenever a module above calls it,
/// which took a quarter of the time of a list.
extension QueryRow {
  package subscript(column: Column) -> Int64 {
    get throws { try RowValue.checked(Int64.fromDatabaseValue(stored(column)), column.name) }
  }

  package subscript(column: Column) -> Int64? {
    get throws { try RowValue.optional(stored(column), column.name, Int64.fromDatabaseValue) }
  }

  package subscript(column: Column) -> Int {
    get throws { try RowValue.checked(Int.fromDatabaseValue(stored(column)), column.name) }
  }

  package subscript(column: Column) -> Int? {
    get throws { try RowValue.optional(stored(column), column.name, Int.fromDatabaseValue) }
  }

  package subscript(column: Column) -> Bool {
    get throws { try RowValue.checked(Bool.fromDatabaseValue(stored(column)), column.name) }
  }

  package subscript(column: Column) -> String {
    get throws { try RowValue.checked(String.fromDatabaseValue(stored(column)), column.name) }
  }

  package subscript(column: Column) -> String? {
    get throws {
      try RowValue.optional(stored(column), column.name, String.fromDatabaseValue)
    }
  }

  package subscript(column: Column) -> Data? {
    get throws { try RowValue.optional(stored(column), column.name, Data.fromDatabaseValue) }
  }
}

/// Checks values, apart from the rows, so that the compiler makes a function of each type. It is not inlined, since the
/// optimizer of Swift 6.3 ends with an assertion then.
private enum RowValue {
  @inline(never)
  static func checked<Value>(_ value: Value?, _ name: @autoclosure () -> String) throws -> Value {
    guard let value else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "column \(name()) of a row is not what it has to be"
      )
    }
    return value
  }

  @inline(never)
  static func optional<Value>(
    _ value: DatabaseValue,
    _ name: @autoclosure () -> String,
    _ convert: (DatabaseValue) -> Value?
  ) throws -> Value? {
    value.isNull ? nil : try checked(convert(value), name())
  }
}

/// Values straight from the statement, for a query of every item or file.
extension QueryRow {
  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> Int64 {
    try row.decode(atIndex: column.rawValue)
  }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> Int64? {
    try row.decode(atIndex: column.rawValue)
  }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> Int { try row.decode(atIndex: column.rawValue) }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> Bool { try row.decode(atIndex: column.rawValue) }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> String {
    try row.decode(atIndex: column.rawValue)
  }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> String? {
    try row.decode(atIndex: column.rawValue)
  }

  /// - Throws: `RowDecodingError` when it is something else.
  package func decoded(_ column: Column) throws -> Data? {
    try row.decode(atIndex: column.rawValue)
  }
}

extension QueryRow {
  /// Fetches all rows of a statement, which is kept prepared.
  package static func fetchAll(
    _ db: Database,
    _ sql: String,
    _ arguments: StatementArguments = []
  ) throws -> [QueryRow] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { QueryRow($0) }
  }

  /// Fetches the first row, as above; nil when there is none.
  package static func fetchOne(
    _ db: Database,
    _ sql: String,
    _ arguments: StatementArguments = []
  ) throws -> QueryRow? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments).map { QueryRow($0) }
  }
}
