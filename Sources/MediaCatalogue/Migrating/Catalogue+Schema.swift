internal import GRDB
internal import MediaModel

extension Catalogue {
  /// The tables, indexes and views of the schema that every catalogue begins with.
  static let base = """
    CREATE TABLE meta (
      identifier TEXT NOT NULL,
      opened INTEGER NOT NULL,
      digest INTEGER,
      migratedFrom TEXT
    );
    \(RunColumn.creation)
    \(BatchColumn.creation)
    CREATE INDEX batchesUndone ON batches(state) WHERE state < 3;
    \(AssetColumn.creation)
    CREATE INDEX assetsByContentDigest ON assets(contentDigest)
      WHERE contentDigest IS NOT NULL;
    \(ResourceColumn.creation)
    CREATE INDEX resourcesBySourceDigest ON resources(sourceDigest);
    CREATE INDEX resourcesByAsset ON resources(asset);
    CREATE INDEX resourcesSuperseded ON resources(path) WHERE superseded = 1;
    \(ThumbnailColumn.creation)
    CREATE INDEX thumbnailsByAsset ON thumbnails(asset);
    CREATE INDEX thumbnailsSuperseded ON thumbnails(path) WHERE superseded = 1;
    \(ItemColumn.creation)
    CREATE INDEX itemsByAsset ON items(asset);
    \(TrackColumn.creation)
    \(FailureColumn.creation)
    \(AuditBlockColumn.creation)
    CREATE TABLE history (
      epoch TEXT NOT NULL,
      digest INTEGER,
      stacked INTEGER
    );
    \(ChangeColumn.creation)
    \(StackColumn.creation)
    CREATE INDEX stacksByCover ON stacks(cover);
    CREATE TABLE albums (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      key BLOB NOT NULL,
      title TEXT NOT NULL,
      digest INTEGER,
      UNIQUE (source, key)
    );
    CREATE TABLE albumItems (
      album INTEGER NOT NULL REFERENCES albums(id),
      position INTEGER NOT NULL,
      path BLOB NOT NULL,
      digest INTEGER,
      PRIMARY KEY (album, position)
    );
    CREATE TABLE describedItems (
      source TEXT NOT NULL,
      path BLOB NOT NULL,
      picture BLOB NOT NULL,
      digest INTEGER,
      PRIMARY KEY (source, path)
    );
    CREATE INDEX describedItemsByPicture ON describedItems(picture);
    \(TableSums.creation)
    \(views)
    """

  /// The lists of columns of all tables that are written by them.
  static let columnLists: [any TableColumn.Type] = [
    RunColumn.self, BatchColumn.self, StagedBatchColumn.self, AssetColumn.self, ResourceColumn.self,
    ThumbnailColumn.self,
    ItemColumn.self, TrackColumn.self, FailureColumn.self, AuditBlockColumn.self,
    ChangeColumn.self, StackColumn.self,
  ]

  /// Refuses a catalogue that has had every step and lacks columns: one of a version in between, before the
  /// columns joined their step. Reading takes them for NULL, and no statement could write a row.
  static func checkColumns(in db: Database) throws {
    let lacking = try columnLists.flatMap { try $0.lacking(in: db) }
    guard !lacking.isEmpty else { return }
    throw LibraryError(
      .inconsistent,
      "The library was last written by a mediabatch between two versions: its catalogue lacks "
        + "\(lacking.joined(separator: ", ")). Nothing was changed. Keep the library's folder: "
        + "`mediabatch rebuild` makes a new catalogue from its files and its log."
    )
  }

  /// The steps of this version.
  ///
  /// - Parameters:
  ///   - digestKey: The library's key, where it is there already: a new catalogue takes its identifier.
  ///   - keep: Stores the key of a new catalogue; see ``init(in:_:digestKey:keep:)``.
  ///   - digests: Of the connection that carries them out.
  /// - Returns: The base and what is behind it.
  static func migrations(
    _ digestKey: DigestKey?,
    _ keep: @escaping @Sendable (DigestKey) throws -> Void,
    _ digests: RowDigests
  ) -> Migrations {
    var migrations = Migrations { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationIdentifier)")
      try db.execute(sql: base)
      // The key keeps outsiders from matching the digest of a stripped file's source. The file is on the
      // disk before the transaction ends.
      let key = digestKey ?? DigestKey.make(library: LocalIdentifier.make())
      try keep(key)
      try db.execute(
        sql: "INSERT INTO meta (identifier, opened) VALUES (?, 0)",
        arguments: [key.library]
      )
      try digests.enterAll(in: db)
    }
    registerKeyChecks(in: &migrations)
    registerAppliedRules(in: &migrations)
    migrations.registerColumns(of: ThumbnailColumn.self)
    migrations.registerColumns(of: AssetColumn.self)
    migrations.register(keyCheckStep) { db in
      try db.execute(sql: StagedBatchColumn.creation)
      try TableSums.set(RowSum(), of: StagedBatchColumn.table, in: db)
    }
    // A run that corrects no dates asks for those that earlier runs have corrected.
    migrations.register(keyCheckStep) { db in
      try db.execute(
        sql: "CREATE INDEX assetsCorrected ON assets(source) WHERE creationDateStated IS NOT NULL"
      )
    }
    return migrations
  }
}
