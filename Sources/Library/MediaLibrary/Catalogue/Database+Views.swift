internal import CSQLite
package import GRDB

extension Database {
  /// Makes every access to a view an error of SQLite (`SQLITE_ERROR`): one that stands under the name of a
  /// table can have rows without end.
  ///
  /// - Throws: `DatabaseError`.
  package func prohibitViews() throws {
    let code = mediabatch_sqlite3_prohibit_views(sqliteConnection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
