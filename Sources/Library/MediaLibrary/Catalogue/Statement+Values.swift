internal import CSQLite
package import GRDB

extension Row {
  /// All values, in the order of the columns. GRDB's `databaseValues` makes a string of each column's name, too.
  package var values: [DatabaseValue] { (0..<count).map { self[$0] } }
}

/// The rows of a statement, straight from SQLite: in a check of a catalogue, GRDB's search for the types of each value
/// took more than the digests.
package struct RawRows {
  private let statement: Statement
  private let db: Database

  /// Prepares a statement, which is at its beginning.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - sql: The statement.
  ///   - isKept: Whether it stays prepared for the next one with this text, which begins when this one has ended.
  /// - Throws: `DatabaseError`.
  package init(_ db: Database, sql: String, isKept: Bool = false) throws {
    statement = try isKept ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
    self.db = db
  }

  /// The values of the next row, in the order of the columns; nil behind the last one, after which it begins anew.
  ///
  /// - Throws: `DatabaseError`.
  package func next() throws -> [DatabaseValue]? {
    let raw = statement.sqliteStatement
    switch sqlite3_step(raw) {
    case SQLITE_ROW:
      return (0..<sqlite3_column_count(raw)).map { DatabaseValue(sqliteStatement: raw, index: $0) }
    case SQLITE_DONE:
      sqlite3_reset(raw)
      return nil
    case let code:
      defer { sqlite3_reset(raw) }
      throw statement.failure(code, in: db)
    }
  }

  /// Begins before the first row that the statement has with these arguments.
  ///
  /// - Throws: `DatabaseError`; `SQLITE_MISUSE` for another number of arguments.
  package func begin(_ arguments: [DatabaseValue]) throws { try statement.bind(arguments, in: db) }

  /// The values of the first row that a statement with these arguments has; nil without any.
  ///
  /// - Throws: `DatabaseError`; `SQLITE_MISUSE` for another number of arguments.
  package func first(_ arguments: [DatabaseValue]) throws -> [DatabaseValue]? {
    defer {
      sqlite3_reset(statement.sqliteStatement)
      sqlite3_clear_bindings(statement.sqliteStatement)
    }
    try statement.bind(arguments, in: db)
    return try next()
  }
}

extension Statement {
  /// Runs a statement that returns no rows, with the values of its parameters.
  ///
  /// A run or a merge writes some rows for each asset: GRDB's arguments took a tenth of a merge's processor time.
  ///
  /// - Parameters:
  ///   - values: One for each `?`, in their order.
  ///   - db: The database of the statement.
  /// - Throws: `DatabaseError`; `SQLITE_MISUSE` for another number of values.
  package func execute(_ values: [DatabaseValue], in db: Database) throws {
    // The values are not kept until the next call.
    defer {
      sqlite3_reset(sqliteStatement)
      sqlite3_clear_bindings(sqliteStatement)
    }
    try bind(values, in: db)
    let code = sqlite3_step(sqliteStatement)
    if code != SQLITE_DONE { throw failure(code, in: db) }
  }

  /// Brings the statement to its beginning, with the values of its parameters.
  fileprivate func bind(_ values: [DatabaseValue], in db: Database) throws {
    guard values.count == sqlite3_bind_parameter_count(sqliteStatement) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, sql: sql)
    }
    sqlite3_reset(sqliteStatement)
    for (index, value) in values.enumerated() {
      let code = value.bind(to: sqliteStatement, at: CInt(index + 1))
      if code != SQLITE_OK { throw failure(code, in: db) }
    }
  }

  func failure(_ code: CInt, in db: Database) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(db.sqliteConnection)),
      sql: sql
    )
  }
}
