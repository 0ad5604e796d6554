internal import Foundation
package import GRDB
internal import MediaFileSystem
package import MediaModel

/// The facts of one asset that stripping takes from its files.
package struct PrivateAssetFacts: Sendable, Hashable {
  package var localIdentifier: String
  /// The source's own description, completed by the rules for dates; of a burst only a keyed digest.
  package var facts: Facts
  /// Whether the asset has a movie beside its still.
  package var isLive: Bool

  package init(localIdentifier: String, facts: Facts, isLive: Bool) {
    self.localIdentifier = localIdentifier
    self.facts = facts
    self.isLive = isLive
  }
}

/// Writes the library's second database, ``PrivateFacts``: what the sources of stripped files said.
///
/// It is there only if a manifest asked for it. Nothing needs it: who removes it loses these facts and
/// nothing else. Like the catalogue it is opened before the process is confined.
package final class PrivateFactStore {
  let queue: DatabaseQueue
  private let digests = RowDigests()

  private static let insertion = """
    INSERT OR REPLACE INTO \(PrivateFacts.table)
      (localIdentifier, \(AssetColumn.list(of: PrivateFacts.columns)))
    VALUES (?\(String(repeating: ", ?", count: PrivateFacts.columns.count)))
    """

  /// Opens or makes the database of a library, readable by its owner alone.
  ///
  /// - Throws: ``LibraryError`` `.unknownSchema` for one that another version wrote,
  ///   `.inconsistent` for a file that is not one, `.cannotWrite`.
  init(of library: Library) throws(LibraryError) {
    let path = DatabaseAddress.text(in: library.path, PrivateFacts.fileName)
    do {
      try Self.makeFile(in: library.root)
      var configuration = Configuration()
      configuration.label = "private facts"
      configuration.busyMode = .timeout(10)
      let digests = digests
      configuration.prepareDatabase { db in
        digests.addFunctions(to: db)
        try db.prohibitViews()
        try db.execute(sql: "PRAGMA temp_store = MEMORY")
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // Removed and replaced values leave no bytes behind.
        try db.execute(sql: "PRAGMA secure_delete = ON")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      // Another program's database is not even put into another journal mode.
      let isEmpty = try queue.read { try Self.isEmpty($0) }
      try queue.inDatabase { db in
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      try queue.write { db in
        if isEmpty { try Self.makeTables(in: db, digests) }
        try digests.watch(db)
      }
    } catch let error as FileSystemError {
      throw LibraryError(error)
    } catch {
      throw Self.wrapped(error)
    }
  }

  deinit { queue.retire() }

  /// Makes the file, or checks the one that is there: no link, and no rights for others.
  private static func makeFile(in root: Descriptor) throws {
    let name = [UInt8](PrivateFacts.fileName.utf8)
    let file = try FileSystem.openOrCreate(in: root, name, mode: 0o600)
    let status = try file.status()
    guard status.kind == .regular, status.linkCount == 1 else {
      throw LibraryError(
        .inconsistent,
        "\(PrivateFacts.fileName) is a hard link or no regular file, and is not written to. Ask who "
          + "made it, and remove it."
      )
    }
    try LibraryFolder.confirmDatabase(PrivateFacts.fileName, in: root)
    do {
      try file.setMode(0o600)
    } catch {
      throw LibraryError(
        .cannotWrite,
        "\(PrivateFacts.fileName) belongs to another user, and others may read it. Remove it."
      )
    }
  }

  /// Whether nothing is in the database yet.
  ///
  /// - Throws: ``LibraryError`` when another program or another version wrote it.
  private static func isEmpty(_ db: Database) throws -> Bool {
    let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if identifier == 0, version == 0, isEmpty { return true }
    guard identifier == PrivateFacts.applicationIdentifier else {
      throw LibraryError(
        .inconsistent,
        "\(PrivateFacts.fileName) is another program's database. Move it out of the library."
      )
    }
    guard version == PrivateFacts.version else { throw PrivateFacts.refusal }
    return false
  }

  private static func makeTables(in db: Database, _ digests: RowDigests) throws {
    try db.execute(sql: "PRAGMA application_id = \(PrivateFacts.applicationIdentifier)")
    try db.execute(sql: "PRAGMA user_version = \(PrivateFacts.version)")
    let columns = PrivateFacts.columns.map { "\($0.name) \($0.definition)" }
    try db.execute(
      sql: """
        CREATE TABLE \(PrivateFacts.table) (
          localIdentifier TEXT PRIMARY KEY NOT NULL,
          \(columns.joined(separator: ",\n  ")),
          digest INTEGER
        ) WITHOUT ROWID
        """
    )
    try makeCandidates(in: db)
    try db.execute(sql: TableSums.creation)
    try digests.enterAll(in: db)
  }

  /// Writes in one transaction, the sums of digests with it.
  package func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try digests.write(to: queue, body)
    } catch {
      throw Self.wrapped(error)
    }
  }

  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Self.wrapped(error)
    }
  }

  /// Stores the facts of a batch's assets, in place of earlier ones, in one transaction.
  package func store(_ rows: [PrivateAssetFacts]) throws(LibraryError) {
    if rows.isEmpty { return }
    try write { db in
      for row in rows {
        let values = PrivateFacts.columns.map { $0.value(of: row.facts, isLive: row.isLive) }
        try db.cachedStatement(sql: Self.insertion)
          .execute(arguments: StatementArguments([row.localIdentifier] + values))
      }
    }
  }

  /// Forgets the facts of assets that the catalogue does not have: they belong to a batch that was
  /// never published.
  package func forgetUnpublished(in catalogue: Catalogue) throws(LibraryError) {
    do {
      let all = try queue.read { db in
        try String.fetchAll(db, sql: "SELECT localIdentifier FROM \(PrivateFacts.table)")
      }
      let unpublished = try all.filter { try !catalogue.hasAsset($0) }
      if unpublished.isEmpty { return }
      try write { db in
        for identifier in unpublished {
          try db.cachedStatement(sql: "DELETE FROM \(PrivateFacts.table) WHERE localIdentifier = ?")
            .execute(arguments: [identifier])
        }
      }
    } catch {
      throw Self.wrapped(error)
    }
  }

  /// Closes the connection, with an empty write-ahead log; nothing may be called after.
  package func close() {
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? queue.close()
  }

  static func wrapped(_ error: any Error) -> LibraryError {
    if let error = error as? LibraryError { return error }
    switch (error as? DatabaseError)?.resultCode {
    case .SQLITE_FULL:
      return LibraryError(
        .outOfSpace,
        "\(PrivateFacts.fileName) cannot grow: no space is left. Make room, then run again: it "
          + "resumes."
      )
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return LibraryError(
        .inconsistent,
        "\(PrivateFacts.fileName) is damaged. `mediabatch repair` moves it to Quarantine, and saves "
          + "what is whole."
      )
    default:
      return LibraryError(.cannotWrite, "\(PrivateFacts.fileName) cannot be written: \(error).")
    }
  }
}

extension Library {
  /// The path below the library of the private facts.
  package static let privateFactsFile = PrivateFacts.fileName

  /// The three files of the private facts.
  package static let privateFactsFiles = [
    PrivateFacts.fileName, PrivateFacts.fileName + "-wal", PrivateFacts.fileName + "-shm",
  ]

  /// Opens or makes the private facts, whose files exist from here on.
  ///
  /// - Throws: ``LibraryError``; see ``PrivateFactStore``.
  package func openPrivateFacts() throws(LibraryError) {
    privateFacts = try PrivateFactStore(of: self)
  }

  /// Whether a library has a file of private facts.
  package var hasPrivateFacts: Bool { PrivateFacts.isThere(in: root) }
}

extension Library {
  /// Forgets private facts of assets that were never published, whether or not this process stores any.
  ///
  /// Where this process stores none, damaged ones stay as they are: `repair` is for them.
  ///
  /// - Throws: ``LibraryError``; see ``PrivateFactStore``.
  package func forgetUnpublishedFacts() throws(LibraryError) {
    if let privateFacts { return try privateFacts.forgetUnpublished(in: catalogue) }
    guard hasPrivateFacts else { return }
    let facts: PrivateFactStore
    do throws(LibraryError) {
      facts = try PrivateFactStore(of: self)
    } catch {
      if [.inconsistent, .notALibrary].contains(error.code) { return }
      throw error
    }
    try facts.forgetUnpublished(in: catalogue)
    // A run that does not store facts gets no rights to their files.
    facts.close()
  }
}
