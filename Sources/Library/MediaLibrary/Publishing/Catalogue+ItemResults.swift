internal import Foundation
internal import GRDB
internal import MediaModel

/// The rows that a batch writes of its items.
extension Catalogue {
  /// Whether an asset was made of a file at this path before. Its row stays then, whatever became of
  /// the file this time: only the row says which asset that is, of how many bytes it was made, and
  /// under which policy.
  private static func holdsAsset(of item: PlannedItem, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT asset IS NOT NULL FROM items WHERE sourceName = ? AND path = ?"),
      arguments: [item.source.name, Data(item.path.bytes)]
    ) ?? false
  }

  static func upsert(_ result: ItemResult, run: String, in db: Database) throws {
    let asset = try result.localIdentifier.flatMap { try row(ofAsset: $0, in: db) }
    if asset == nil, try holdsAsset(of: result.item, in: db) { return }
    try itemInsertion.execute(in: db) { column in
      switch column {
      case .source, .sourceName, .path, .device, .inode, .size, .modified, .changed:
        column.value(of: result.item)
      case .outcome: result.outcome.rawValue
      case .reason: result.reason?.rawValue
      case .writtenUnder: result.writtenUnder
      case .asset: asset
      case .run: run
      case .digest: nil
      }
    }
  }

  private static let itemInsertion = RowStatement<ItemColumn>(
    inserting: ItemColumn.all(but: .digest),
    orReplace: true
  )
}
