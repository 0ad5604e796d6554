internal import Foundation
package import GRDB
internal import MediaDigest
package import MediaModel

/// An album that a source has, as its newest run has found it.
package struct SourceAlbum: Sendable, Hashable {
  /// What tells it from others of its source: a folder of the source, or an identifier.
  package var key: ItemPath
  /// As its maker has written it; for people, to be escaped.
  package var title: String
  /// The paths of its items within the source, in its order; those that are in no asset do not count.
  package var members: [ItemPath]

  /// A keyed digest of the folder that the source was in when it had the album.
  package var place: Int64 = 0

  /// The longest title that is stored, in bytes of UTF-8.
  package static let maximumTitleLength = 1000

  package init(key: ItemPath, title: String, members: [ItemPath] = []) {
    self.key = key
    self.title = title
    self.members = members
  }

  /// The ``place`` of a source's folder, every symbolic link resolved; `key` is the library's.
  package static func place(of folder: [UInt8], key: [UInt8]) -> Int64 {
    let digest = SHA256.authenticationCode(for: folder, key: key).prefix(8)
    return Int64(bitPattern: digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// The columns of an album that a source has.
package enum AlbumColumn: Int, QueryColumn {
  case id, source, sourceName, key, title, place
}

private enum DescribedColumn: Int, QueryColumn {
  case path, picture
}

/// The albums that sources have. They are what a source says, so that no log has them: `rebuild` takes them
/// from the catalogue of before, if it can be read, and the next run reads them again.
extension Catalogue {
  /// Stores the albums of a source in the place of those that it had.
  ///
  /// - Parameters:
  ///   - albums: All albums of the source; none to forget them.
  ///   - source: The source.
  /// - Throws: ``LibraryError`` when the catalogue cannot be written.
  package func setAlbums(
    _ albums: [SourceAlbum],
    of source: SourceID
  ) throws(LibraryError) {
    if try self.albums(of: source) == albums { return }
    try write { db in
      try db.execute(
        sql: "DELETE FROM albumItems WHERE album IN (SELECT id FROM albums WHERE sourceName = ?)",
        arguments: [source.name]
      )
      try db.execute(sql: "DELETE FROM albums WHERE sourceName = ?", arguments: [source.name])
      let insert = try db.makeStatement(
        sql: "INSERT INTO albumItems (album, position, path) VALUES (?, ?, ?)"
      )
      for album in albums {
        try db.execute(
          sql: "INSERT INTO albums (source, sourceName, key, title, place) VALUES (?, ?, ?, ?, ?)",
          arguments: [source.kind.rawValue, source.name, Data(album.key.bytes), album.title, album.place]
        )
        let row = db.lastInsertedRowID
        for (position, path) in album.members.enumerated() {
          try insert.execute(arguments: [row, position, Data(path.bytes)])
        }
      }
    }
  }

  /// The albums that a source had when they were stored last, in the order of their storing.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func albums(of source: SourceID) throws(LibraryError) -> [SourceAlbum] {
    try read { try Self.albums(of: source, in: $0) }
  }

  /// Those that it had at another place than this one, see ``SourceAlbum/place``.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func albums(of source: SourceID, notAt place: Int64) throws(LibraryError) -> [SourceAlbum] {
    try read { try Self.albums(of: source, notAt: place, in: $0) }
  }

  static func albums(of source: SourceID, notAt place: Int64? = nil, in db: Database) throws -> [SourceAlbum]
  {
    var albums: [SourceAlbum] = []
    let rows = try QueryRow<AlbumColumn>.fetchAll(
      db,
      "SELECT \(AlbumColumn.list) FROM albums WHERE sourceName = ? AND place IS NOT ? ORDER BY id",
      [source.name, place]
    )
    for row in rows {
      let members = try Data.fetchAll(
        db.cachedStatement(sql: "SELECT path FROM albumItems WHERE album = ? ORDER BY position"),
        arguments: [try row[.id] as Int64]
      )
      var album = SourceAlbum(
        key: ItemPath(bytes: [UInt8](try row[.key] as Data)),
        title: try row[.title],
        members: members.map { ItemPath(bytes: [UInt8]($0)) }
      )
      album.place = try row[.place]
      albums.append(album)
    }
    return albums
  }

  // MARK: What sidecars describe

  /// Notes which picture a sidecar describes, by a keyed digest of its words for it.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be written.
  package func note(
    described: [(path: ItemPath, picture: [UInt8])],
    of source: SourceID
  ) throws(LibraryError) {
    if described.isEmpty { return }
    try write { db in
      let statement = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO describedItems (source, sourceName, path, picture) VALUES (?, ?, ?, ?)"
      )
      for asset in described {
        try statement.execute(arguments: [
          source.kind.rawValue, source.name, Data(asset.path.bytes), Data(asset.picture),
        ])
      }
    }
  }

  /// What ``note(described:of:)`` has noted of the items of a source, one after the other.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func described(
    of source: SourceID,
    _ take: (ItemPath, [UInt8]) -> Void
  ) throws(LibraryError) {
    try read { try Self.described(of: source, in: $0, take) }
  }

  package static func described(
    of source: SourceID,
    in db: Database,
    _ take: (ItemPath, [UInt8]) -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT \(DescribedColumn.list) FROM describedItems WHERE sourceName = ?",
      arguments: [source.name]
    )
    while let row = try rows.next().map(QueryRow<DescribedColumn>.init) {
      take(ItemPath(bytes: try row.bytes(.path)), try row.bytes(.picture))
    }
  }

  /// The asset of the only picture that sidecars with an asset describe by these words; nil for none, and for
  /// several.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func assetDescribed(
    as picture: [UInt8],
    in source: SourceID
  ) throws(LibraryError) -> String? {
    try read { db in
      let assets = try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT DISTINCT assets.localIdentifier FROM describedItems
            JOIN items ON items.sourceName = describedItems.sourceName AND items.path = describedItems.path
            JOIN assets ON assets.id = items.asset
            WHERE describedItems.picture = ? AND describedItems.sourceName = ? LIMIT 2
            """
        ),
        arguments: [Data(picture), source.name]
      )
      return assets.count == 1 ? assets.first : nil
    }
  }

  /// What a source may say of a file besides the file itself, without its date.
  private static let describing: [AssetColumn] = [
    .latitude, .longitude, .rating, .isFavorite, .isHidden, .caption, .keywords, .people,
  ]

  /// Whether facts of an asset's content say more than its row does, and nothing else than what it says; a date may
  /// take the place of one that only a file's name or time tells.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func isDescribed(asset: Int64, better facts: Facts) throws(LibraryError) -> Bool {
    try read { db in
      let row = try QueryRow<AssetColumn>.fetchOne(
        db,
        "SELECT \(AssetColumn.list) FROM assets WHERE id = ?",
        [asset]
      )
      guard let row else { return false }
      let date = facts.creationDate
      let (local, offset): (String?, Int?) =
        (try row[.creationDate], try row[.creationDateOffsetMinutes])
      var isBetter = local != date?.local || offset != date?.offsetMinutes
      if isBetter, local != nil {
        let tag: String? = try row[.creationDateTag]
        guard let date, Self.isGuess(tag), !Self.isGuess(date.tag) else { return false }
      }
      for column in Self.describing {
        let stored: DatabaseValue = try row[column]
        let value = column.value(of: facts, isLive: false)
        if stored == value { continue }
        guard stored.isNull else { return false }
        isBetter = true
      }
      return isBetter
    }
  }

  /// Whether an asset is hidden; false for none.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func isHidden(asset: Int64) throws(LibraryError) -> Bool {
    try read { db in
      let sql = "SELECT ifnull(isHidden, 0) <> 0 FROM assets WHERE id = ?"
      return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [asset]) ?? false
    }
  }

  /// Whether neither the file nor what describes it has given a date of this tag.
  private static func isGuess(_ tag: String?) -> Bool {
    [CaptureDate.nameTag, CaptureDate.modificationTag].contains { tag?.hasPrefix($0) ?? false }
  }
}
