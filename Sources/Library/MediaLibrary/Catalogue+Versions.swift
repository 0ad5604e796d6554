package import GRDB
internal import MediaModel

/// Versions: assets that were made of one source file after the other, and originals that were replaced.
extension Catalogue {
  /// The paths below the library of the replaced originals, in their order.
  package func replacedPaths() throws(LibraryError) -> [String] {
    try read { try Self.replacedPaths(in: $0) }
  }

  package static func replacedPaths(in db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: "SELECT path FROM resources WHERE superseded = ? ORDER BY path",
      arguments: [FileState.replaced.rawValue]
    )
  }

  /// Gives up the replaced originals, so that the next start removes them; one whose row is not as it was
  /// written stays.
  package func supersedeReplaced(run: String) throws(LibraryError) {
    guard let table = digested["resources"] else { return }
    try write { db in
      try Self.noteReplaced(run: run, in: db)
      try db.execute(
        sql: "UPDATE resources SET superseded = ? WHERE superseded = ? AND \(table.isWhole())",
        arguments: [FileState.superseded.rawValue, FileState.replaced.rawValue]
      )
    }
  }
}
