internal import Foundation
package import GRDB
internal import MediaModel

/// What tells whether a key in a file of its own is still the one that the library had.
extension Catalogue {
  private static let digestKey = "digestKey"

  /// The step behind the base; ``Migrations/registerColumns(of:)`` makes more of it.
  static let keyCheckStep = "19 key checks"

  static func registerKeyChecks(in migrations: inout Migrations) {
    migrations.register(keyCheckStep) { db in
      try db.execute(
        sql: """
          CREATE TABLE keyChecks (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL,
            digest INTEGER
          ) WITHOUT ROWID;
          """
      )
      try TableSums.set(RowSum(), of: "keyChecks", in: db)
    }
  }

  /// The check value of the digest key; nil in a library of an earlier version, and where its row is not
  /// as it was written.
  package func digestKeyCheck() throws(LibraryError) -> String? {
    guard let table = digested["keyChecks"] else { return nil }
    return try read { db in
      try String.fetchOne(
        db,
        sql: "SELECT value FROM keyChecks WHERE name = ? AND \(table.isWhole())",
        arguments: [Self.digestKey]
      )
    }
  }

  /// Enters the check value of the digest key, where there is none yet.
  package func enter(digestKeyCheck: String) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO keyChecks (name, value) VALUES (?, ?)",
        arguments: [Self.digestKey, digestKeyCheck]
      )
    }
  }

  package static func digestKeyCheck(in db: Database) throws -> String? {
    guard try db.tableExists("keyChecks") else { return nil }
    return try String.fetchOne(
      db,
      sql: "SELECT value FROM keyChecks WHERE name = ?",
      arguments: [digestKey]
    )
  }
}
