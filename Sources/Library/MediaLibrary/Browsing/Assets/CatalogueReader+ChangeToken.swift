internal import GRDB
package import MediaModel

extension CatalogueReader {
  /// The end of the history.
  package func changeToken() throws(LibraryError) -> ChangeToken {
    try read { try Self.end(of: $0) }
  }

  private static func end(of db: Database) throws -> ChangeToken {
    guard let epoch = try String.fetchOne(db, sql: "SELECT epoch FROM history") else {
      throw LibraryError(
        .inconsistent,
        "The catalogue has lost its history. Run `mediabatch verify` on the library."
      )
    }
    let row = try QueryRow<ChangeColumn>.fetchOne(
      db,
      "SELECT \(ChangeColumn.list) FROM changes ORDER BY sequence DESC LIMIT 1"
    )
    guard let row else { return ChangeToken(epoch: epoch, sequence: 0, digest: 0) }
    return ChangeToken(
      epoch: epoch,
      sequence: try row[.sequence],
      digest: UInt64(bitPattern: try row[.digest])
    )
  }
}
