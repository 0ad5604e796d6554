internal import GRDB
package import MediaModel

extension CatalogueReader {
  /// Calls `body` with each asset of a selection, in its order.
  ///
  /// The assets are read some at a time, each part at a moment of its own, so that a run that writes
  /// meanwhile is not held up; one that is gone by then is left out.
  ///
  /// - Parameters:
  ///   - selection: The assets.
  ///   - readsThumbnails: Whether their thumbnails are wanted too.
  ///   - body: Takes an asset.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachAsset(
    of selection: AssetSelection,
    readsThumbnails: Bool = false,
    _ body: (ListedAsset) throws -> Void
  ) throws {
    try keepPages(for: selection)
    var unread = selection.rows[...]
    while !unread.isEmpty {
      let part = unread.prefix(Self.assetsOfAPart)
      unread = unread.dropFirst(part.count)
      let assets = try assets(rows: Array(part), readsThumbnails: readsThumbnails)
      for row in part {
        if let asset = assets[row] { try body(asset) }
      }
    }
  }

  /// Lets SQLite keep 32 MiB: the order of a list takes the pages in which its assets stand by turns.
  private func keepPages(for selection: AssetSelection) throws(LibraryError) {
    guard selection.rows.count > Self.assetsOfAPart else { return }
    try read { try $0.execute(sql: "PRAGMA cache_size = -32768") }
  }

  /// How many assets are read at a time.
  static let assetsOfAPart = 512

  /// The assets of some rows, read together, by their rows; without those that are gone.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func assets(
    rows: [Int64],
    readsThumbnails: Bool = false
  ) throws(LibraryError) -> FoundAssets {
    try read { db in
      try AssetDetails(in: db, .some, readsThumbnails: readsThumbnails).assets(RowList.text(rows))
    }
  }

  /// Calls `body` with the path below the library of each file of a selection's assets, in its order, those of an
  /// asset as ``ListedAsset/files`` has them.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachPath(
    of selection: AssetSelection,
    _ body: (String) throws -> Void
  ) throws {
    var unread = selection.rows[...]
    while !unread.isEmpty {
      // SQLite looks the rows of a part up in their order, so that a large one meets each page once.
      let part = unread.prefix(32 * Self.assetsOfAPart)
      unread = unread.dropFirst(part.count)
      let paths = try read { db in
        var paths: [Int64: [String]] = [:]
        let rows = try Row.fetchCursor(
          db.cachedStatement(sql: AssetDetails.files(FileOfAsset.list, .some)),
          arguments: [RowList.text(Array(part))]
        )
        while let row = try rows.next().map(QueryRow<FileOfAsset>.init) {
          paths[try row[.asset], default: []].append(try row[.path])
        }
        return paths
      }
      for row in part {
        for path in paths[row] ?? [] { try body(path) }
      }
    }
  }

  private enum FileOfAsset: Int, QueryColumn {
    case asset, path

    var sql: String { "own.\(name)" }
  }

  /// The settings of the newest thumbnail of a name in the manifest, as `ThumbnailSpec.fingerprint` has them; nil
  /// where there is none.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func fingerprint(ofThumbnails name: String) throws(LibraryError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT fingerprint FROM thumbnails WHERE name = ? AND superseded = 0
          ORDER BY id DESC LIMIT 1
          """,
        arguments: [name]
      )
    }
  }

  /// The asset of a row; nil when it is gone.
  package func asset(row: Int64) throws(LibraryError) -> ListedAsset? {
    try read { try AssetDetails(in: $0, .one).assets(row)[row] }
  }
}

/// Finds assets by their localIdentifiers, at one moment and without private facts.
///
/// Valid as long as its ``CatalogueMoment``.
package final class AssetFinder {
  private let details: AssetDetails
  private let rows: Statement

  /// Prepares to look into the catalogue.
  ///
  /// - Throws: When the catalogue has no assets.
  package init(_ moment: CatalogueMoment) throws {
    details = try AssetDetails(in: moment.db, .one)
    rows = try moment.db.makeStatement(sql: "SELECT id FROM assets WHERE localIdentifier = ?")
  }

  /// The asset; nil when the catalogue does not have it.
  ///
  /// - Throws: When the catalogue cannot be read.
  package func asset(_ localIdentifier: String) throws -> ListedAsset? {
    guard let row = try Int64.fetchOne(rows, arguments: [localIdentifier]) else { return nil }
    return try details.assets(row)[row]
  }
}
