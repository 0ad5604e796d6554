internal import GRDB

extension Row {
  /// A column as what it has to be; the subscripts of a row would end the program instead.
  ///
  /// - Throws: `DatabaseError` `.SQLITE_CORRUPT` when it is something else.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    guard let value = Value.fromDatabaseValue(self[index] as DatabaseValue) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "column \(index + 1) of a row is not what it has to be"
      )
    }
    return value
  }
}
