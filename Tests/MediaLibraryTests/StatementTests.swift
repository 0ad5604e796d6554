import Foundation
import GRDB
import Testing

@testable import MediaLibrary

@Suite("A statement with the values of a row")
struct StatementTests {
  private static let values: [DatabaseValue] = [
    .null, Int64.min.databaseValue, 0.1.databaseValue, "".databaseValue,
    "Zürich 🏔".databaseValue, Data([0, 255, 0]).databaseValue,
  ]

  private func withTable(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE rows (a, b, c, d, e, f, number INTEGER UNIQUE)")
      try body(db)
    }
  }

  private static let insertion = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)"

  @Test("Values are read as they were written, and as GRDB's arguments would be")
  func roundTrip() throws {
    try withTable { db in
      let statement = try db.cachedStatement(sql: Self.insertion)
      try statement.execute(Self.values + [1.databaseValue], in: db)
      try statement.execute(arguments: StatementArguments(Self.values + [2.databaseValue]))
      try statement.execute(Self.values + [3.databaseValue], in: db)
      let rows = try Row.fetchAll(db, sql: "SELECT a, b, c, d, e, f FROM rows ORDER BY number")
      #expect(rows.map(\.values) == [[DatabaseValue]](repeating: Self.values, count: 3))
      let types = "typeof(a) || typeof(b) || typeof(c) || typeof(d) || typeof(e) || typeof(f)"
      let text = try String.fetchAll(db, sql: "SELECT DISTINCT \(types) FROM rows")
      #expect(text == ["nullintegerrealtexttextblob"])
    }
  }

  @Test("What cannot be written is an error with SQLite's code, and the next row is written")
  func failures() throws {
    try withTable { db in
      let statement = try db.cachedStatement(sql: Self.insertion)
      try statement.execute(Self.values + [1.databaseValue], in: db)
      let repeated = #expect(throws: DatabaseError.self) {
        try statement.execute(Self.values + [1.databaseValue], in: db)
      }
      #expect(repeated?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(repeated?.message == "UNIQUE constraint failed: rows.number")
      let short = #expect(throws: DatabaseError.self) {
        try statement.execute(Self.values, in: db)
      }
      #expect(short?.resultCode == .SQLITE_MISUSE)
      try statement.execute(Self.values + [2.databaseValue], in: db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM rows") == 2)
    }
  }
}
