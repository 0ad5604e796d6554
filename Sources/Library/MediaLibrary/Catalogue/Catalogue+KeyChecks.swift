internal import Foundation
package import GRDB
internal import MediaModel

/// What tells whether a key in a file of its own is still the one that the library had.
extension Catalogue {
  private static let digestKey = "digestKey"

  static let keyChecksCreation = """
    CREATE TABLE keyChecks (
      name TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL,
      digest INTEGER
    ) WITHOUT ROWID;
    """

  /// The check value of the digest key; nil where its row is not as it was written.
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
    try String.fetchOne(db, sql: "SELECT value FROM keyChecks WHERE name = ?", arguments: [digestKey])
  }
}
