internal import GRDB
package import MediaLibrary
package import MediaModel

/// The reason that changes since a token cannot be told: everything has to be listed.
package struct ChangeTokenError: Error, Sendable, CustomStringConvertible {
  package enum Reason: String, CaseIterable, Sendable {
    /// The token is of another library, or of a catalogue that was since made anew or restored.
    case foreign
    /// The history does not have the token's change any more.
    case pruned
    /// The history has gone on otherwise, or not yet so far.
    case outdated
  }

  package var reason: Reason
  /// The end of the history now.
  package var current: ChangeToken

  package var description: String {
    let cause =
      switch reason {
      case .foreign:
        "The token is from another library, or from before the catalogue was rebuilt or restored."
      case .pruned: "The history no longer goes back to the token."
      case .outdated: "The catalogue has another history than the one that gave the token."
      }
    return cause + " List everything, and begin again from the token that this command prints."
  }

  package var exitCode: RunExitCode { .listEverything }
}

extension CatalogueReader {
  /// The number of changes that are read in one transaction.
  private static let pageCount = 1024

  /// Calls `body` with the changes behind a token, in their order, some at a time, up to the end that the
  /// history has now. Without a token it begins at the beginning.
  ///
  /// - Returns: The end of the history.
  /// - Throws: ``ChangeTokenError`` when the token's change is not in the history, ``LibraryError``, or what
  ///   `body` throws.
  package func forEachChange(
    since token: ChangeToken?,
    _ body: ([AssetChange]) throws -> Void
  ) throws -> ChangeToken {
    let end = try changeToken()
    if let token, let reason = try read({ try Self.refusal(of: token, before: end, in: $0) }) {
      throw ChangeTokenError(reason: reason, current: end)
    }
    var last = token?.sequence ?? 0
    while last < end.sequence {
      let page = try read { try Self.changes(after: last, to: end, in: $0) }
      // A rebuild has put another catalogue in the place of this one.
      guard let final = page.last else {
        throw ChangeTokenError(reason: .foreign, current: try changeToken())
      }
      last = final.token.sequence
      try body(page)
    }
    return end
  }

  private static func refusal(
    of token: ChangeToken,
    before end: ChangeToken,
    in db: Database
  ) throws -> ChangeTokenError.Reason? {
    guard token.epoch == end.epoch else { return .foreign }
    let first = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM changes") ?? 1
    if token.sequence == 0 { return first > 1 ? .pruned : token.digest == 0 ? nil : .outdated }
    let digest = try Int64.fetchOne(
      db,
      sql: "SELECT digest FROM changes WHERE sequence = ?",
      arguments: [token.sequence]
    )
    if digest == Int64(bitPattern: token.digest) { return nil }
    return digest == nil && token.sequence < first ? .pruned : .outdated
  }

  private static func changes(
    after last: Int64,
    to end: ChangeToken,
    in db: Database
  ) throws -> [AssetChange] {
    guard try String.fetchOne(db, sql: "SELECT epoch FROM history") == end.epoch else { return [] }
    return try QueryRow<ChangeColumn>.fetchAll(
      db,
      """
      SELECT \(ChangeColumn.list) FROM changes
      WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT \(pageCount)
      """,
      [last, end.sequence]
    ).map { row in
      guard let kind = ChangeKind(rawValue: try row[.kind]),
        let what = ChangedPart(rawValue: try row[.what])
      else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "a row of changes has a word that is none of its own"
        )
      }
      return AssetChange(
        kind: kind,
        localIdentifier: try row[.localIdentifier],
        what: what,
        run: try row[.run],
        token: ChangeToken(
          epoch: end.epoch,
          sequence: try row[.sequence],
          digest: UInt64(bitPattern: try row[.digest])
        )
      )
    }
  }
}
