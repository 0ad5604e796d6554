internal import Foundation
internal import GRDB
internal import MediaDigest
internal import MediaModel
package import MediaPredicate

/// The albums of a library, and what could not be found out.
package struct AlbumSelection: Sendable {
  package var albums: [ListedAlbum]
  /// Keys that smart albums need and `strip` has kept from the catalogue.
  package var unknown: [PredicateKey]
}

extension CatalogueReader {
  /// The albums that have an asset: smart ones, then those of the sources' folders by title.
  ///
  /// An asset that is hidden is in `Hidden` alone.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func albums() throws(LibraryError) -> AlbumSelection {
    try read { db in
      let columns = try AssetExpressions(in: db)
      let (smart, ranks) = try Self.smartAlbums(columns, in: db)
      let users = try Self.sorted(Self.folderAlbums(ranks, in: db) + Self.ownAlbums(ranks, in: db))
      let keys = Set(SmartAlbum.allCases.compactMap(\.key)).sorted { $0.rawValue < $1.rawValue }
      let isStripped =
        try !columns.hasFacts
        && Bool.fetchOne(
          db,
          sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE superseded = 0 AND policy <> 'keep')"
        ) == true
      return AlbumSelection(albums: smart + users, unknown: isStripped ? keys : [])
    }
  }

  /// A text that is another one once assets may be in other albums, of which the history does not tell.
  package func albumState() throws(LibraryError) -> String {
    try read { db in
      let sums = try String.fetchAll(
        db,
        sql: """
          SELECT hex(sum) FROM tableSums WHERE name IN ('albumItems', 'albums', 'items') ORDER BY name
          """
      )
      return "\(try Catalogue.hasFolderAlbums(in: db)) \(sums.joined(separator: " "))"
    }
  }

  /// The albums by a name: of smart ones their own in any case, of others the title or the folder.
  ///
  /// - Returns: More than one when folders have the same name; empty when there is none.
  package func albums(named name: String) throws(LibraryError) -> [Album] {
    if let smart = SmartAlbum.allCases.first(where: {
      $0.rawValue.lowercased() == name.lowercased()
    }) {
      return [.smart(smart)]
    }
    let users = try albums().albums.map(\.album).filter { $0.folderText != nil }
    let exact = users.filter { $0.folderText.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
    return exact.isEmpty ? users.filter { $0.title == name } : exact
  }

  /// The columns of an asset and of its smart albums, a bit each.
  private enum MaskColumn: Int, QueryColumn {
    case asset, albums

    var sql: String { self == .asset ? "assets.id" : name }
  }

  private enum ItemOfAsset: Int, QueryColumn {
    case source, sourceName, path, asset
  }

  /// The smart albums, and the place of each asset that is not hidden among them, newest first.
  private static func smartAlbums(
    _ columns: AssetExpressions,
    in db: Database
  ) throws -> ([ListedAlbum], ranks: [Int64: Int]) {
    let files = try albumFiles(in: db)
    let bits = SmartAlbum.allCases.map { album in
      let condition = files[album] == nil ? album.condition(columns) : album.ownCondition(columns)
      return "(\(condition) << \(album.position))"
    }
    var masks: [Int64: Int] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(MaskColumn.asset.sql), \(bits.joined(separator: " | ")) FROM \(columns.tablesInOneRead)
        WHERE assets.superseded = 0
        """
    )
    while let row = try rows.next().map(QueryRow<MaskColumn>.init) {
      masks[try row.decoded(.asset)] = try row.decoded(.albums) as Int
    }
    // An index has the order, but not what the albums are about.
    let newest = FetchSortDescriptor(.creationDate, ascending: false)
    let assets = try Int64.fetchCursor(
      db,
      sql: """
        SELECT assets.id FROM \(columns.hasFacts ? columns.tablesInOneRead : columns.tables)
        WHERE assets.superseded = 0 ORDER BY \(columns.order(by: [newest]))
        """
    )
    var counts = [Int](repeating: 0, count: SmartAlbum.allCases.count)
    var covers: [Int64?] = counts.map { _ in nil }
    var ranks: [Int64: Int] = [:]
    let hidden = 1 << SmartAlbum.hidden.position
    while let asset = try assets.next() {
      guard var mask = masks[asset] else { continue }
      for (album, assets) in files where assets.contains(asset) { mask |= 1 << album.position }
      let shown = mask & hidden == 0 ? mask : hidden
      if shown != hidden { ranks[asset] = ranks.count }
      for index in counts.indices where shown & 1 << index != 0 {
        counts[index] += 1
        if covers[index] == nil { covers[index] = asset }
      }
    }
    let albums = SmartAlbum.allCases.enumerated().compactMap { index, album in
      covers[index].map { ListedAlbum(album: .smart(album), count: counts[index], cover: $0) }
    }
    return (albums, ranks)
  }

  /// The assets that are in smart albums because of one of their files.
  ///
  /// One pass over all files takes less time than to ask for the files of each asset.
  private static func albumFiles(in db: Database) throws -> [SmartAlbum: RowSet] {
    var assets: [SmartAlbum: RowSet] = [:]
    for (album, condition) in [
      (SmartAlbum.livePhotos, AssetExpressions.isMovieOfStill),
      (.raw, AssetExpressions.hasRawFormat),
    ] {
      let rows = try Int64.fetchCursor(
        db,
        sql: "SELECT asset FROM resources WHERE superseded = 0 AND \(condition)"
      )
      var rowSet = RowSet()
      while let row = try rows.next() { rowSet.insert(row) }
      assets[album] = rowSet
    }
    return assets
  }

  /// The folders of the sources as albums, where the newest run's manifest makes them such; a file that
  /// lies in no folder of its source is in no album.
  private static func folderAlbums(
    _ ranks: [Int64: Int],
    in db: Database
  ) throws -> [ListedAlbum] {
    guard try Catalogue.hasFolderAlbums(in: db) else { return [] }
    struct Folder {
      var album: Album
      var assets: [Int64] = []
      var cover: Int64 = 0
      var rank = Int.max
    }
    var folders: [Folder] = []
    var indices: [Album: Int] = [:]
    // The files of a folder mostly stand side by side.
    var last: (source: SourceID, path: [UInt8], index: Int)?
    let rows = try Row.fetchCursor(db, sql: "SELECT \(ItemOfAsset.list) FROM items WHERE asset IS NOT NULL")
    while let row = try rows.next().map(QueryRow<ItemOfAsset>.init) {
      let asset: Int64 = try row.decoded(.asset)
      guard let rank = ranks[asset],
        let source = SourceID(kind: try row.decoded(.source), name: try row.decoded(.sourceName))
      else { continue }
      let path = ItemPath(bytes: try row.bytes(.path)).folder
      if path.isEmpty { continue }
      let index: Int
      if let last, last.source == source, path.elementsEqual(last.path) {
        index = last.index
      } else {
        let album = Album.folder(source, ItemPath(bytes: Array(path)))
        index = indices[album] ?? folders.count
        indices[album] = index
        if index == folders.count { folders.append(Folder(album: album)) }
        last = (source, Array(path), index)
      }
      folders[index].assets.append(asset)
      if rank < folders[index].rank {
        (folders[index].rank, folders[index].cover) = (rank, asset)
      }
    }
    // The two files of a live photo are one asset.
    return folders.map { folder in
      ListedAlbum(album: folder.album, count: Set(folder.assets).count, cover: folder.cover)
    }
  }

  /// The albums that sources have, as the newest run has found them.
  private static func ownAlbums(
    _ ranks: [Int64: Int],
    in db: Database
  ) throws -> [ListedAlbum] {
    let albums = try QueryRow<AlbumColumn>.fetchAll(db, "SELECT \(AlbumColumn.list) FROM albums")
    return try albums.compactMap { row in
      guard let source = SourceID(kind: try row[.source], name: try row[.sourceName]) else { return nil }
      let assets = try Int64.fetchSet(
        db.cachedStatement(
          sql: """
            SELECT items.asset FROM albumItems
            JOIN items ON items.sourceName = ? AND items.path = albumItems.path
            WHERE albumItems.album = ? AND items.asset IS NOT NULL
            """
        ),
        arguments: [source.name, try row[.id] as Int64]
      ).filter { ranks[$0] != nil }
      guard let cover = assets.min(by: { ranks[$0, default: 0] < ranks[$1, default: 0] }) else {
        return nil
      }
      let key = ItemPath(bytes: [UInt8](try row[.key] as Data))
      return ListedAlbum(
        album: .own(source, key, title: try row[.title]),
        count: assets.count,
        cover: cover
      )
    }
  }

  /// The albums by their titles, those of one title by their places.
  private static func sorted(_ albums: [ListedAlbum]) -> [ListedAlbum] {
    albums.sorted { first, second in
      let titles = (first.album.title, second.album.title)
      if titles.0 != titles.1 { return titles.0.utf8.lexicographicallyPrecedes(titles.1.utf8) }
      return (first.album.folderText ?? "").utf8
        .lexicographicallyPrecedes((second.album.folderText ?? "").utf8)
    }
  }
}

extension Catalogue {
  /// Whether the manifest of the newest run makes albums of folders; a command that has no manifest has the
  /// digest of no bytes in its place.
  static func hasFolderAlbums(in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT ifnull(albumsFromFolders, 0) FROM runs WHERE manifestSHA256 <> ?
        ORDER BY auditFile DESC LIMIT 1
        """,
      arguments: [Hexadecimal.text(SHA256.hash([]))]
    ) ?? false
  }
}
