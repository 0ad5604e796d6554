package import GRDB
internal import MediaModel
internal import MediaPredicate

extension Catalogue {
  /// The name of the schema, the only one in the table `grdb_migrations`.
  static let schemaName = "1 library"

  /// The tables, indexes and views of the schema.
  private static let schema = """
    CREATE TABLE meta (
      identifier TEXT NOT NULL,
      opened INTEGER NOT NULL,
      digest INTEGER
    );
    \(RunColumn.creation)
    \(BatchColumn.creation)
    CREATE INDEX batchesUndone ON batches(state) WHERE state < 3;
    \(StagedBatchColumn.creation)
    \(AssetColumn.creation)
    CREATE INDEX assetsByContentDigest ON assets(contentDigest)
      WHERE contentDigest IS NOT NULL;
    CREATE INDEX assetsCorrected ON assets(sourceName) WHERE creationDateStated IS NOT NULL;
    \(indexesOfOrder)
    \(ResourceColumn.creation)
    CREATE INDEX resourcesBySourceDigest ON resources(sourceDigest);
    CREATE INDEX resourcesByAsset ON resources(asset);
    CREATE INDEX resourcesSuperseded ON resources(path) WHERE superseded = 1;
    CREATE INDEX resourcesWithdrawn ON resources(sourceDigest) WHERE superseded = 3;
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
    \(DistinctionColumn.creation)
    CREATE TABLE albums (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      key BLOB NOT NULL,
      title TEXT NOT NULL,
      digest INTEGER,
      sourceName TEXT NOT NULL,
      place INTEGER NOT NULL,
      UNIQUE (sourceName, key)
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
      sourceName TEXT NOT NULL,
      PRIMARY KEY (sourceName, path)
    );
    CREATE INDEX describedItemsByPicture ON describedItems(picture);
    \(keyChecksCreation)
    \(appliedRulesCreation)
    \(TableSums.creation)
    \(views)
    """

  /// The indexes by which `list` answers at once: the order that it has by itself, with all that decides which assets
  /// are shown, and the stripped assets without a date, which it counts.
  private static let indexesOfOrder = """
    CREATE INDEX \(indexOfOrder) ON assets(\(PredicateColumns.firstMoment(of: "creationDate")),
      creationDateFraction, nameOrder, localIdentifier, creationDate, isHidden, superseded);
    CREATE INDEX assetsUndated ON assets(policy)
      WHERE superseded = 0 AND policy <> 'keep' AND creationDate IS NULL;
    """

  private static let indexOfOrder = "assetsInOrder"

  /// Makes the indexes that a catalogue from before them lacks; where the schema is not what its sum says, it stays as
  /// it is.
  private static func makeIndexesOfOrder(in db: Database) throws {
    let isThere = try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)",
      arguments: [indexOfOrder]
    )
    guard isThere == false,
      try TableSums.sum(of: TableSums.schemaTable, in: db) == TableSums.schema(in: db)
    else { return }
    try db.execute(sql: indexesOfOrder)
    try TableSums.set(TableSums.schema(in: db), of: TableSums.schemaTable, in: db)
  }

  /// Makes the schema in an empty database, and in another one the indexes that it lacks.
  ///
  /// - Parameters:
  ///   - db: In a transaction.
  ///   - digestKey: The library's key, where it is there already: the catalogue takes its identifier.
  ///   - keep: Stores the key; see ``init(in:_:digestKey:keep:)``.
  ///   - digests: Of the connection.
  /// - Throws: ``LibraryError`` `.unknownSchema` when another version wrote the catalogue.
  static func makeSchema(
    in db: Database,
    _ digestKey: DigestKey?,
    _ keep: (DigestKey) throws -> Void,
    _ digests: RowDigests
  ) throws {
    if let refusal = try refusal(of: db) { throw refusal }
    guard try schemaNames(in: db).isEmpty else { return try makeIndexesOfOrder(in: db) }
    try db.execute(sql: "PRAGMA application_id = \(LibraryFolder.catalogueIdentifier)")
    try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [schemaName])
    try db.execute(sql: schema)
    // The key keeps outsiders from matching the digest of a stripped file's source. The file is on the
    // disk before the transaction ends.
    let key = digestKey ?? DigestKey.make(library: LocalIdentifier.make())
    try keep(key)
    try db.execute(sql: "INSERT INTO meta (identifier, opened) VALUES (?, 0)", arguments: [key.library])
    try digests.enterAll(in: db)
  }

  /// The reason that this version does not read a catalogue, which is that another one wrote it; nil when it does.
  package static func refusal(of db: Database) throws -> LibraryError? {
    let names = try schemaNames(in: db)
    if names.isEmpty { return nil }
    // The schema had the same name before sources had theirs. A table that is missing is damage.
    let isKnown =
      try names == [schemaName]
      && (!db.tableExists(ItemColumn.table)
        || db.columns(in: ItemColumn.table).contains { $0.name == ItemColumn.sourceName.name })
    return isKnown ? nil : .anotherVersion(of: "The library")
  }

  /// The names of the schema; empty in an empty database.
  static func schemaNames(in db: Database) throws -> Set<String> {
    guard try db.tableExists("grdb_migrations") else { return [] }
    return try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
  }
}
