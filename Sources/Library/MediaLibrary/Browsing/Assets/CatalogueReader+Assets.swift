internal import GRDB
package import MediaModel

extension CatalogueReader {
  /// Calls `body` with each asset of a selection, in its order; see ``forEachEntry(of:readsThumbnails:making:_:)``.
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
    try forEachEntry(
      of: selection,
      Self.assetsOfAPart,
      readsThumbnails: readsThumbnails,
      making: { $0 },
      body
    )
  }

  /// Calls `body` with what is made of each asset of a selection, in its order.
  ///
  /// The assets are read some at a time, each part at a moment of its own, so that a run that writes
  /// meanwhile is not held up; one that is gone by then is left out.
  ///
  /// - Parameters:
  ///   - selection: The assets.
  ///   - count: How many are read at a time on each thread: of more that stand side by side a page is read once.
  ///   - parts: What is read of each.
  ///   - readsThumbnails: Whether their thumbnails are wanted too.
  ///   - entry: Makes an entry of an asset, on any of several threads.
  ///   - body: Takes an entry, on the thread that calls.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachEntry<Entry: Sendable>(
    of selection: AssetSelection,
    _ count: Int = entriesOfAPart,
    reading parts: AssetParts = .all,
    readsThumbnails: Bool = false,
    making entry: @escaping @Sendable (ListedAsset) -> Entry,
    _ body: (Entry) throws -> Void
  ) throws {
    let read: ReadingOfRows<Entry> = { reader, rows in
      let assets = try reader.assets(rows: rows, reading: parts, readsThumbnails: readsThumbnails)
      return rows.map { assets[$0].map(entry) }
    }
    try forEachRow(of: selection, count, read, body)
  }

  /// How many assets are read at a time.
  static let assetsOfAPart = 512

  /// How many are read at a time where less than the asset is kept of each.
  package static let entriesOfAPart = 1024

  /// The assets of some rows, read together, by their rows; without those that are gone.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func assets(
    rows: [Int64],
    reading parts: AssetParts = .all,
    readsThumbnails: Bool = false
  ) throws(LibraryError) -> FoundAssets {
    try read { db in
      try AssetDetails(in: db, .some, reading: parts, readsThumbnails: readsThumbnails).assets(
        RowList.text(rows)
      )
    }
  }

  /// Calls `body` with what is made of the paths below the library of the files of each asset of a selection, in its
  /// order; an asset has them as ``ListedAsset/files`` has them.
  ///
  /// - Parameters:
  ///   - selection: The assets.
  ///   - entry: Makes an entry of the paths, on any of several threads.
  ///   - body: Takes an entry, on the thread that calls.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachPaths<Entry: Sendable>(
    of selection: AssetSelection,
    making entry: @escaping @Sendable ([String]) -> Entry,
    _ body: (Entry) throws -> Void
  ) throws {
    let read: ReadingOfRows<Entry> = { reader, rows in
      try reader.read { db in
        let files = try db.cachedStatement(sql: AssetDetails.files(FileOfAsset.list, .some))
        let cursor = try Row.fetchCursor(files, arguments: [RowList.text(rows)])
        var next = try cursor.next().map { QueryRow<FileOfAsset>($0, at: files) }
        return try rows.map { row in
          var paths: [String] = []
          while let file = next {
            let asset: Int64 = try file[.asset]
            if asset > row { break }
            if asset == row { paths.append(try file[.path]) }
            next = try cursor.next().map { QueryRow<FileOfAsset>($0, at: files) }
          }
          return paths.isEmpty ? nil : entry(paths)
        }
      }
    }
    // Several connections took more of all processors, and no less time.
    try forEachRow(of: selection, Self.pathsOfAPart, connections: 1, read, body)
  }

  /// Of how many assets the paths are read at a time: of more that stand side by side a page is read once.
  private static let pathsOfAPart = 1 << 14

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
