internal import CSQLite
package import GRDB

/// Copies the rows of a table from one catalogue into another, each with some other values.
///
/// A value goes from statement to statement: as values of Swift they took half of a merge's time with rows. Each row has
/// to be as it was written, and at the end the table. One without large values.
package final class RowCopy<Column: TableColumn> {
  private let db: Database
  private let rows: Statement
  // Asked of the type, they would cost a call for each value.
  private let table = Column.table
  private let digestIndex = Column.digest.rawValue
  private var insertion: Statement?
  /// What the row gets in place of its own values.
  private var changes = [DatabaseValue?](repeating: nil, count: Column.allCases.count)
  private var isChanged = false
  private var digest: RowDigest?
  /// Of the rows so far.
  private var sum = RowSum()

  /// Begins before the first row.
  ///
  /// - Throws: `DatabaseError`.
  package init(from db: Database, order: String) throws {
    self.db = db
    rows = try db.makeStatement(sql: "SELECT \(Column.list) FROM \(Column.table) ORDER BY \(order)")
  }

  /// Goes on to the next row; false behind the last one.
  ///
  /// - Throws: `DatabaseError`; ``LibraryError`` `.inconsistent` when the row is not as it was written, or at the end the
  ///   table.
  package func next() throws -> Bool {
    if isChanged {
      for index in changes.indices { changes[index] = nil }
      isChanged = false
    }
    switch sqlite3_step(rows.sqliteStatement) {
    case SQLITE_ROW:
      let digest = rowDigest()
      guard value(digestIndex) == digest.stored.databaseValue else { throw otherRows() }
      sum.add(digest)
      self.digest = digest
      return true
    case SQLITE_DONE:
      guard try TableSums.sum(of: table, in: db) == sum else { throw otherRows() }
      return false
    case let code:
      throw rows.failure(code, in: db)
    }
  }

  private func otherRows() -> LibraryError {
    LibraryError(.inconsistent, "the rows of \(table) in its catalogue were changed")
  }

  private func rowDigest() -> RowDigest {
    RowDigest(table, rows.sqliteStatement, changes, leavingOut: digestIndex)
  }

  private func value(_ index: Int) -> DatabaseValue {
    changes[index] ?? DatabaseValue(sqliteStatement: rows.sqliteStatement, index: CInt(index))
  }

  package subscript(column: Column) -> DatabaseValue {
    get { value(column.rawValue) }
    set {
      if newValue == value(column.rawValue) { return }
      changes[column.rawValue] = newValue
      isChanged = true
    }
  }

  /// An integer of the row; nil for NULL and for anything else.
  package func number(_ column: Column) -> Int64? { Int64.fromDatabaseValue(self[column]) }

  /// A text of the row; nil for NULL and for anything else.
  package func text(_ column: Column) -> String? { String.fromDatabaseValue(self[column]) }

  /// Inserts the row with the digest that it has now.
  ///
  /// The triggers of ``RowDigests`` would pass each value to Swift, and write the row a second time.
  ///
  /// - Parameters:
  ///   - catalogue: The other catalogue, the same for all rows.
  ///   - target: Its database, in a transaction of ``Catalogue/write(_:)``.
  /// - Throws: `DatabaseError`.
  package func insert(into catalogue: Catalogue, in target: Database) throws {
    guard var digest else { return }
    if isChanged { digest = rowDigest() }
    let statement =
      try insertion ?? target.makeStatement(sql: RowStatement<Column>(inserting: Column.allCases).sql)
    insertion = statement
    let raw = statement.sqliteStatement
    // Texts and BLOBs are bound where they are, which is until the next row.
    defer {
      sqlite3_reset(raw)
      sqlite3_clear_bindings(raw)
    }
    for (index, change) in changes.enumerated() {
      let parameter = CInt(index + 1)
      let code =
        index == digestIndex
        ? sqlite3_bind_int64(raw, parameter, digest.stored)
        : change?.bind(to: raw, at: parameter) ?? rows.bind(column: CInt(index), to: raw)
      if code != SQLITE_OK { throw statement.failure(code, in: target) }
    }
    let code = sqlite3_step(raw)
    if code != SQLITE_DONE { throw statement.failure(code, in: target) }
    catalogue.digests.add(digest, to: table)
  }
}

extension Statement {
  /// Binds a value of the row at which this statement is to the parameter in the same place of another one, which has to
  /// be reset before this one is at another row.
  fileprivate func bind(column index: CInt, to other: SQLiteStatement) -> CInt {
    switch sqlite3_column_type(sqliteStatement, index) {
    case SQLITE_INTEGER:
      sqlite3_bind_int64(other, index + 1, sqlite3_column_int64(sqliteStatement, index))
    case SQLITE_FLOAT:
      sqlite3_bind_double(other, index + 1, sqlite3_column_double(sqliteStatement, index))
    case SQLITE_TEXT:
      sqlite3_bind_text(
        other,
        index + 1,
        UnsafeRawPointer(sqlite3_column_text(sqliteStatement, index))?.assumingMemoryBound(to: CChar.self),
        sqlite3_column_bytes(sqliteStatement, index),
        nil
      )
    case SQLITE_BLOB where sqlite3_column_bytes(sqliteStatement, index) == 0:
      sqlite3_bind_zeroblob(other, index + 1, 0)
    case SQLITE_BLOB:
      sqlite3_bind_blob(
        other,
        index + 1,
        sqlite3_column_blob(sqliteStatement, index),
        sqlite3_column_bytes(sqliteStatement, index),
        nil
      )
    default: sqlite3_bind_null(other, index + 1)
    }
  }
}
