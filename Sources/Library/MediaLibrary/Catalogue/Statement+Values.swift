internal import CSQLite
package import GRDB

extension Row {
  /// All values, in the order of the columns. GRDB's `databaseValues` makes a string of each column's name, too.
  package var values: [DatabaseValue] { (0..<count).map { self[$0] } }
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
    guard values.count == sqlite3_bind_parameter_count(sqliteStatement) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, sql: sql)
    }
    sqlite3_reset(sqliteStatement)
    // The values are not kept until the next call.
    defer {
      sqlite3_reset(sqliteStatement)
      sqlite3_clear_bindings(sqliteStatement)
    }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: sqliteStatement, at: CInt(index + 1)), SQLITE_OK, in: db)
    }
    try check(sqlite3_step(sqliteStatement), SQLITE_DONE, in: db)
  }

  private func check(_ code: CInt, _ expected: CInt, in db: Database) throws {
    guard code != expected else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(db.sqliteConnection)),
      sql: sql
    )
  }
}
