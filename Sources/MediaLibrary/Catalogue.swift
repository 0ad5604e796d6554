internal import Foundation
internal import GRDB
package import MediaFileSystem
package import MediaModel

/// The library's SQLite database: what was imported, from where, under which rules, and how far each
/// batch has come.
///
/// One connection, WAL, `synchronous=FULL`, nothing temporary on disk: a confined process may hold
/// it open and needs no other file. Its schema is what ``Migrations`` made.
package final class Catalogue {
  /// "MBLB": by this a folder is taken for a library. Source: PRAGMA application_id.
  package static let applicationIdentifier: Int32 = 0x4D42_4C42

  let queue: DatabaseQueue
  private let digests: RowDigests
  /// The tables whose rows have digests, by their names.
  let digested: [String: DigestedTable]

  /// Opens or makes the catalogue, brings it to the newest schema in one transaction and writes to it
  /// once, so that `-wal` and `-shm` exist before the process is confined.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - known: The library's key, where it is there already: a new catalogue takes its identifier.
  ///   - keep: Stores the key of a catalogue that has none in a file yet, and returns when it is on the
  ///     disk; the transaction that takes it out of the catalogue ends after that.
  /// - Throws: ``LibraryError`` `.unknownSchema` for one made by a newer version, `.inconsistent` for
  ///   one with another list of migrations, `.cannotWrite`.
  init(
    path: String,
    known: DigestKey? = nil,
    keep: @escaping @Sendable (DigestKey) throws -> Void
  ) throws(LibraryError) {
    var configuration = Configuration()
    configuration.label = "catalogue"
    // A reader that comes first after a kill holds the file for a moment.
    configuration.busyMode = .timeout(10)
    let digests = RowDigests()
    self.digests = digests
    configuration.prepareDatabase { db in
      digests.addFunctions(to: db)
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { db in
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      let migrations = Self.migrations(known, keep, digests)
      let tables = try queue.write { db in
        let earlier = try migrations.apply(to: db)
        try digests.watch(db)
        digests.begin()
        if let earlier { try Self.remember(migratedFrom: earlier, in: db) }
        try Self.beginHistory(in: db)
        try digests.writeSums(in: db)
        return try DigestedTable.all(in: db)
      }
      // The header says whose file this is before anything is put beside it: what is only in the
      // write-ahead log is not seen by who looks at the file.
      try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      try queue.write { db in
        digests.begin()
        try db.execute(sql: "UPDATE meta SET opened = opened + 1")
        try digests.writeSums(in: db)
      }
      digested = Dictionary(tables.map { ($0.name, $0) }) { $1 }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw Self.wrapped(error, opening: path)
    }
  }

  deinit { queue.retire() }

  /// Closes the connection; nothing may be called after.
  ///
  /// Empties the write-ahead log first, which stays: then whoever reads the catalogue has to write
  /// nothing beside it.
  package func close() {
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? queue.close()
  }

  /// Closes the connection, with everything in the database's own file.
  ///
  /// - Throws: ``LibraryError`` when the write-ahead log could not be emptied.
  func closeDurably() throws(LibraryError) {
    do {
      let busy = try queue.inDatabase { db in
        try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try queue.close()
      guard busy == 0 else {
        throw LibraryError(.cannotWrite, "The new catalogue is held open by another program.")
      }
    } catch {
      throw Self.wrapped(error)
    }
  }

  static func wrapped(_ error: any Error) -> LibraryError {
    if let error = error as? LibraryError { return error }
    if let error = error as? DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL:
        return LibraryError(
          .outOfSpace,
          "The catalogue cannot grow: no space is left. Make room, then run again: it resumes."
        )
      case .SQLITE_CONSTRAINT:
        return LibraryError(
          .inconsistent,
          "The catalogue contradicts itself: \(error.message ?? ""). This is a defect of mediabatch; "
            + "please report it."
        )
      case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR:
        return LibraryError(
          .inconsistent,
          "The catalogue is damaged: \(error.message ?? "unknown"). Keep the library's folder: "
            + "`mediabatch rebuild` makes a new catalogue from its files and its log."
        )
      default:
        return LibraryError(
          .cannotWrite,
          "The catalogue cannot be written: \(error.message ?? "unknown")."
        )
      }
    }
    if error is DecodingError || error is RowDecodingError {
      return LibraryError(
        .inconsistent,
        "The catalogue is damaged: a row cannot be read. Run `mediabatch verify` on the library."
      )
    }
    return LibraryError(.cannotWrite, "The catalogue cannot be written: \(error).")
  }

  /// Wraps an error of opening or making a catalogue: SQLite's index of a write-ahead log that finds no
  /// room on the disk is a failed read to it.
  private static func wrapped(_ error: any Error, opening path: String) -> LibraryError {
    guard (error as? DatabaseError)?.resultCode != .SQLITE_FULL,
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      let place = try? FileSystem.openPath([UInt8](path.utf8[...slash])),
      let room = try? FileSystem.room(fileSystemOf: place),
      room.bytes < indexByteCount || room.files == 0
    else { return wrapped(error) }
    return LibraryError(
      .outOfSpace,
      "The catalogue cannot be opened: too little space is left for it. Make room, then run again: it "
        + "resumes."
    )
  }

  /// The least that the index of a write-ahead log takes. Source: sqlite.org/walformat.html, section 2.
  private static let indexByteCount: UInt64 = 32 << 10

  /// Writes in one transaction, the sums of digests with it; when `body` throws, nothing is written.
  func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try queue.write { db in
        digests.begin()
        let value = try body(db)
        try digests.writeSums(in: db)
        return value
      }
    } catch {
      throw Self.wrapped(error)
    }
  }

  /// Reads without a transaction of its own: this process alone writes, through the same connection,
  /// and a transaction for each item costs three statements that are parsed again.
  func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try queue.unsafeRead(body)
    } catch {
      throw Self.wrapped(error)
    }
  }

  static func migrations(
    _ known: DigestKey?,
    _ keep: @escaping @Sendable (DigestKey) throws -> Void,
    _ digests: RowDigests
  ) -> Migrations {
    var migrations = Migrations()
    migrations.register("1 library") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationIdentifier)")
      try db.execute(sql: schema)
      // The key keeps outsiders from matching the digest of a stripped file's source.
      let key = known ?? DigestKey.make(library: LocalIdentifier.make())
      try db.execute(
        sql: "INSERT INTO meta (identifier, digestKey, opened) VALUES (?, ?, 0)",
        arguments: [key.library, Data(key.bytes)]
      )
    }
    // An asset that is written anew keeps its identifier, and its older files wait for the next start.
    migrations.register("2 superseded resources") { db in
      try db.execute(
        sql: """
          ALTER TABLE resources ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
          """
      )
    }
    migrations.register("3 tracks") { db in
      try db.execute(
        sql: """
          ALTER TABLE assets ADD COLUMN frameCount INTEGER;
          CREATE TABLE tracks (
            asset INTEGER NOT NULL REFERENCES assets(id),
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            codec TEXT NOT NULL,
            durationMilliseconds INTEGER,
            pixelWidth INTEGER,
            pixelHeight INTEGER,
            frameRateMilli INTEGER,
            channelCount INTEGER,
            sampleRate INTEGER,
            PRIMARY KEY (asset, number)
          ) WITHOUT ROWID;
          CREATE INDEX itemsByAsset ON items(asset);
          """
      )
    }
    registerAuditTree(in: &migrations)
    // A lost catalogue does not lose the key. The file is on the disk before the transaction ends.
    migrations.register("5 digest key in a file") { db in
      let row = try Row.fetchOne(db, sql: "SELECT identifier, digestKey FROM meta")
      guard let row, let key = row[1] as Data?, key.count == 32 else {
        throw LibraryError(.inconsistent, "The catalogue has lost its key.")
      }
      try keep(DigestKey(library: row[0], bytes: [UInt8](key)))
      // The bytes that the key had in the database are overwritten.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      try db.execute(sql: "ALTER TABLE meta DROP COLUMN digestKey")
    }
    registerDigests(in: &migrations, digests)
    registerVersions(in: &migrations)
    registerSchemaChanges(in: &migrations)
    registerFailures(in: &migrations)
    registerViews(in: &migrations)
    registerHistory(in: &migrations)
    registerAlbums(in: &migrations)
    registerContentIdentifiers(in: &migrations)
    registerLabels(in: &migrations)
    registerDescriptions(in: &migrations)
    registerStacks(in: &migrations)
    migrations.register("17 thumbhash") { db in
      try db.execute(sql: "ALTER TABLE thumbnails ADD COLUMN thumbHash BLOB")
    }
    registerSourceAlbums(in: &migrations)
    registerKeyChecks(in: &migrations)
    return migrations
  }

  private static let schema = """
    CREATE TABLE meta (
      identifier TEXT NOT NULL,
      digestKey BLOB NOT NULL,
      opened INTEGER NOT NULL
    );
    CREATE TABLE runs (
      id TEXT PRIMARY KEY NOT NULL,
      started TEXT NOT NULL,
      ended TEXT,
      client TEXT NOT NULL,
      manifestSHA256 TEXT NOT NULL,
      auditFile TEXT NOT NULL UNIQUE,
      auditRecords INTEGER NOT NULL,
      auditBytes INTEGER NOT NULL,
      auditHead TEXT NOT NULL,
      exitCode INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      run TEXT NOT NULL REFERENCES runs(id),
      state INTEGER NOT NULL,
      firstAccess INTEGER NOT NULL,
      intended BLOB,
      staged BLOB
    );
    CREATE INDEX batchesUndone ON batches(state) WHERE state < 3;
    CREATE TABLE assets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      localIdentifier TEXT NOT NULL UNIQUE,
      saved TEXT NOT NULL,
      label TEXT NOT NULL,
      mediaType TEXT NOT NULL,
      source TEXT NOT NULL,
      policy TEXT NOT NULL,
      pixelWidth INTEGER,
      pixelHeight INTEGER,
      orientation INTEGER NOT NULL,
      durationMilliseconds INTEGER,
      creationDate TEXT,
      creationDateOffsetMinutes INTEGER,
      creationDateTag TEXT,
      camera TEXT,
      hasLocation INTEGER,
      contentIdentifier TEXT,
      degraded INTEGER NOT NULL,
      superseded INTEGER NOT NULL DEFAULT 0,
      run TEXT NOT NULL REFERENCES runs(id)
    );
    CREATE TABLE resources (
      id INTEGER PRIMARY KEY,
      asset INTEGER NOT NULL REFERENCES assets(id),
      role TEXT NOT NULL,
      path TEXT NOT NULL UNIQUE,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      sourceDigest BLOB NOT NULL,
      source TEXT NOT NULL,
      sourcePath BLOB NOT NULL
    );
    CREATE INDEX resourcesBySourceDigest ON resources(sourceDigest);
    CREATE INDEX resourcesByAsset ON resources(asset);
    CREATE TABLE thumbnails (
      id INTEGER PRIMARY KEY,
      asset INTEGER NOT NULL REFERENCES assets(id),
      name TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      path TEXT NOT NULL UNIQUE,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      superseded INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX thumbnailsByAsset ON thumbnails(asset);
    CREATE TABLE items (
      source TEXT NOT NULL,
      path BLOB NOT NULL,
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT,
      writtenUnder TEXT NOT NULL,
      asset INTEGER REFERENCES assets(id),
      run TEXT NOT NULL REFERENCES runs(id),
      PRIMARY KEY (source, path)
    ) WITHOUT ROWID;
    """
}

/// A file that an earlier run has dealt with.
package struct CatalogueItem: Sendable, Hashable {
  package var path: ItemPath
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var modified: Int64
  package var changed: Int64
  /// Whether an asset holds its content: it was imported, a duplicate or unchanged, or it is a sidecar that
  /// was read for it.
  package var isWritten: Bool
  /// See ``WrittenUnder``; nil when it is the same as this run's.
  package var writtenUnder: String?
  /// Row of the asset that holds its content.
  package var asset: Int64?
  /// Whether it was skipped or unsupported.
  package var isLeftOut = false
  /// Whether it was unsupported.
  package var isUnsupported = false
  /// Whether a person has taken its asset out of the library.
  package var isWithdrawn = false
  /// The file that failed under this run's conditions, and whose failure a run has said; nil when there
  /// is none.
  package var failure: CatalogueFailure?
}

extension CatalogueItem {
  /// Whether nothing about the file has changed since it was written.
  package func isSameFile(as status: FileStatus) -> Bool {
    isWritten && isSameContent(as: status)
  }

  /// Whether nothing about the file has changed since its outcome.
  package func isSameContent(as status: FileStatus) -> Bool {
    device == status.device && inode == status.inode && size == status.size
      && modified == status.modified && changed == status.changed
  }
}

/// Under which policy and with which thumbnails an item was written, as one comparable text:
/// `strip grid=256x256 aspectFill q80;preview=…`.
package enum WrittenUnder {
  package static func text(policy: MetadataPolicy, thumbnails: [ThumbnailSpec]) -> String {
    text(policy: policy, fingerprints: thumbnails.map { ($0.name, $0.fingerprint) })
  }

  package static func text(
    policy: MetadataPolicy,
    fingerprints: [(name: String, fingerprint: String)]
  ) -> String {
    let specs = fingerprints.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.fingerprint)" }
    return policy.rawValue + " " + specs.joined(separator: ";")
  }

  /// The policy that a text starts with.
  package static func policy(of text: String) -> MetadataPolicy? {
    text.split(separator: " ", maxSplits: 1).first.flatMap { MetadataPolicy(rawValue: String($0)) }
  }

  /// The thumbnails of a text: name to fingerprint.
  package static func fingerprints(of text: String) -> [String: String] {
    guard let space = text.firstIndex(of: " ") else { return [:] }
    var fingerprints: [String: String] = [:]
    for spec in text[text.index(after: space)...].split(separator: ";") {
      guard let equals = spec.firstIndex(of: "=") else { continue }
      fingerprints[String(spec[..<equals])] = String(spec[spec.index(after: equals)...])
    }
    return fingerprints
  }
}
