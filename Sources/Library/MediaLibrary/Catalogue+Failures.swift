internal import Foundation
internal import GRDB
package import MediaModel

/// Failures that cannot change by themselves; see ``MediaModel/ItemReason/isLasting``.
///
/// So is the verdict of a predicate that only an open file decides, and that thumbnails are over a limit.
///
/// They have a table of their own because the row of an item whose asset was published before stays as it
/// is when its file is broken later.
extension Catalogue {
  /// Enters the failures among a batch's items, and removes earlier ones of items that ended otherwise.
  static func enterFailures(of results: [ItemResult], run: String, in db: Database) throws {
    // Nearly every batch has nothing to remove, and then no item costs a statement.
    let hasEarlier =
      try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM failures)")) ?? false
    for result in results {
      if let reason = result.reason, reason.isLasting, let conditions = result.conditions {
        try enter(result, reason, under: conditions, run: run, in: db)
      } else if hasEarlier {
        let item = result.item
        try db.cachedStatement(sql: "DELETE FROM failures WHERE sourceName = ? AND path = ?")
          .execute(arguments: [item.source.name, Data(item.path.bytes)])
      }
    }
  }

  private static func enter(
    _ result: ItemResult,
    _ reason: ItemReason,
    under conditions: String,
    run: String,
    in db: Database
  ) throws {
    try failureInsertion.execute(in: db) { column in
      switch column {
      case .source, .sourceName, .path, .device, .inode, .size, .modified, .changed:
        column.value(of: result.item)
      case .reason: reason.rawValue
      case .conditions: conditions
      case .run: run
      case .digest: nil
      }
    }
  }

  private static let failureInsertion = RowStatement<FailureColumn>(
    inserting: FailureColumn.all(but: .digest),
    orReplace: true
  )

  /// Whether a failure of this source may count as said: only then are the failures looked up.
  static func hasFailures(of source: SourceID, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM failures WHERE sourceName = ?)",
      arguments: [source.name]
    ) ?? false
  }

  /// Why files of a source have failed; without those whose failure is not known.
  package func failureReasons(
    of paths: [ItemPath],
    in source: SourceID
  ) throws(LibraryError) -> [ItemPath: ItemReason] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT reason FROM failures WHERE sourceName = ? AND path = ?"
      )
      return try paths.reduce(into: [:]) { reasons, path in
        let word = try String.fetchOne(statement, arguments: [source.name, Data(path.bytes)])
        reasons[path] = word.flatMap(ItemReason.init)
      }
    }
  }

  /// The failures that count as said, beside the items. One does only when the run that met it has ended by
  /// itself with the code of failures; that an item is not fetched, or has no thumbnails, need not be said.
  static let pastFailures = """
    LEFT JOIN failures ON failures.sourceName = items.sourceName AND failures.path = items.path
      AND failures.conditions = ?
      AND (failures.reason IN (
          '\(ItemReason.notFetched.rawValue)', '\(ItemReason.thumbnailMissing.rawValue)'
        )
        OR (SELECT exitCode FROM runs WHERE id = failures.run) = \(RunExitCode.itemsFailed.rawValue))
    """
}

extension CatalogueFailure {
  /// Reads the columns of ``Catalogue/pastFailures``; nil when the item has no such failure.
  init?(_ row: QueryRow<CatalogueItem.Column>) throws {
    guard let device: Int64 = try row.decoded(.failedDevice) else { return nil }
    self.init(
      device: UInt64(bitPattern: device),
      inode: UInt64(bitPattern: try row.decoded(.failedInode)),
      size: try row.decoded(.failedSize),
      modified: try row.decoded(.failedModified),
      changed: try row.decoded(.failedChanged)
    )
    isNotFetched = try row.decoded(.isNotFetched)
    isThumbnailMissing = try row.decoded(.isThumbnailMissing)
  }
}
