import GRDB
import MediaTestSupport

@testable import MediaLibrary

func errorCode(_ body: () throws -> Void) -> LibraryError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LibraryError)?.code
  }
}

/// What the sqlite3 program says, which did not write the file.
func sqlite(_ path: String, _ sql: String) throws -> String {
  let result = try Tool.run("sqlite3", ["-readonly", path, sql])
  return result.status == 0 ? result.output : "failed: \(result.error)"
}

extension Catalogue {
  /// The number of assets that are not superseded.
  func assetCount() throws(LibraryError) -> Int {
    try read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM assets WHERE superseded = 0") ?? 0
    }
  }
}

/// Writes into a catalogue as a program does that knows nothing of digests.
func tamper(_ file: String, _ body: (Database) throws -> Void) throws {
  let queue = try DatabaseQueue(path: file)
  try queue.inDatabase { db in
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    try body(db)
    try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
  try queue.close()
}
