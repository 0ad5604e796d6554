internal import GRDB
internal import MediaFileSystem
internal import MediaModel

/// Stores people's answers between runs, and every change of them in a hash chain.
///
/// One SQLite file, mode 0600, in a folder that only its owner may write, with a rollback journal:
/// a second process sees a change as soon as it is made, and a connection that is open may go on
/// reading in a confined process, which may open nothing. A store that cannot be read, or whose
/// answers are not those that its transitions tell of, is an error and never an empty one.
///
/// Source: SQLite, "Rollback journal", "PRAGMA synchronous".
package final class AnswerStore: Sendable {
  package enum Mode: Sendable {
    /// Made, with its folder, where there is none.
    case create
    /// ``StoreError`` `.missing` where there is none.
    case existing
    /// Like `existing`, and nothing can be changed; for reading on while confined.
    case readOnly
  }

  /// "MBAN": by this a file is taken for stored answers. Source: PRAGMA application_id.
  package static let applicationIdentifier: Int32 = 0x4D42_414E
  static let schemaVersion = 3

  /// Absolute; the symbolic links above it resolved.
  package let path: [UInt8]
  private let queue: DatabaseQueue

  /// Opens, or makes, the store at an absolute path, and checks it whole.
  ///
  /// - Throws: ``StoreError``, any code but `.invalidAnswer`.
  package convenience init(at path: [UInt8], mode: Mode) throws(StoreError) {
    guard path.first == .slash, path.last != .slash else {
      throw StoreError(
        .noPlace,
        "The stored answers cannot lie at \(StoreError.shown(path)), which is not the absolute path "
          + "of a file. Set XDG_DATA_HOME to an absolute path."
      )
    }
    let file = try AnswerStoreFile(path: path, makesFolder: mode == .create)
    if mode == .create, try !file.exists() {
      _ = try file.create { new throws(StoreError) in
        let store = try AnswerStore(opening: new, readOnly: false)
        try store.makeSchema()
        store.close()
      }
    }
    try file.check()
    if mode == .readOnly {
      // A hot journal can only be rolled back by a connection with write access.
      let hasJournal = try file.hasJournal()
      let needsWriter = hasJournal ? true : try Self.hasLog(file.path)
      if needsWriter {
        let store = try AnswerStore(at: path, mode: .existing)
        defer { store.close() }
        if hasJournal { try store.removeJournal() }
      }
    }
    try self.init(opening: file.path, readOnly: mode == .readOnly)
    try checkFile()
  }

  /// Opens the store where there is one.
  ///
  /// - Returns: Nil only when nothing stands under that name, so that nobody has answered.
  /// - Throws: ``StoreError``, as ``init(at:mode:)`` does; never `.missing`.
  package static func openIfPresent(
    at path: [UInt8],
    mode: Mode
  ) throws(StoreError) -> AnswerStore? {
    do {
      return try AnswerStore(at: path, mode: mode)
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  private init(opening path: [UInt8], readOnly: Bool) throws(StoreError) {
    self.path = path
    var configuration = Configuration()
    configuration.label = "answers"
    configuration.readonly = readOnly
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA temp_store = MEMORY;
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          """
      )
      // FULL leaves the journal's removal unflushed: after a power cut a denial could be undone.
      if !readOnly { try db.execute(sql: "PRAGMA synchronous = EXTRA") }
    }
    do {
      queue = try DatabaseQueue(
        path: DatabaseAddress.text(path, readOnly ? .readOnly : .existing),
        configuration: configuration
      )
    } catch {
      throw StoreError(error, path: path)
    }
    // Never released, only closed: the end of a dispatch queue starts a thread, and a process that
    // has more than one cannot be confined.
    _ = Unmanaged.passRetained(queue)
  }

  deinit {
    close()
  }

  /// Closes the connection; nothing may be called after.
  package func close() {
    try? queue.close()
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Runs a transaction that excludes other writers.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// A number that is another one after another connection has changed the store; equal numbers
  /// mean that nothing has changed.
  ///
  /// Reads one page of the file that is open: quick, and possible in a confined process.
  ///
  /// - Throws: ``StoreError`` `.busy`, `.damaged`, `.cannotRead`; a denial may be in the store then.
  ///
  /// Source: PRAGMA data_version.
  package func changeCounter() throws(StoreError) -> Int64 {
    do {
      return try queue.inDatabase { db in
        try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Runs `body` if the store has not changed since ``changeCounter()`` returned `counter`; until it
  /// returns, no other connection can commit a change.
  ///
  /// - Returns: Nil when the store has changed; `body` was not run.
  /// - Throws: ``StoreError``, as ``changeCounter()``.
  ///
  /// Source: SQLite, "File Locking And Concurrency": a reader's SHARED lock keeps a writer from
  /// committing.
  package func whileUnchanged<Value>(
    since counter: Int64,
    _ body: () -> Value
  ) throws(StoreError) -> Value? {
    try read { db in
      // The first statement of the transaction takes the lock.
      let current = try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
      return current == counter ? body() : nil
    }
  }

  /// Whether somebody has given the file a write-ahead log in the place of its rollback journal.
  ///
  /// Asks SQLite, since to close the file here would free the locks of this process's connections.
  ///
  /// Source: fcntl(2), "Advisory record locking".
  private static func hasLog(_ path: [UInt8]) throws(StoreError) -> Bool {
    let store = try AnswerStore(opening: path, readOnly: true)
    defer { store.close() }
    return try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal"
  }

  /// Removes a journal that a command left behind which was ended before it changed the store.
  ///
  /// SQLite lets such a file lie, since its head is not written yet; but a confined process cannot
  /// open it, and SQLite takes a journal that cannot be opened for one that has to be rolled back.
  ///
  /// Source: SQLite, pager.c, hasHotJournal().
  private func removeJournal() throws(StoreError) {
    try write { db in
      // Written as it is: only a transaction that writes makes, and removes, a journal.
      let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
  }

  /// Checks that this is a store that this version knows, whole, and believable.
  private func checkFile() throws(StoreError) {
    let lacksLanguages: Bool
    do {
      lacksLanguages = try queue.inDatabase { db in
        let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        guard identifier == Self.applicationIdentifier else {
          throw StoreError(.notAStore, StoreError.notAStore(path))
        }
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version >= 1 else {
          throw StoreError(.damaged, StoreError.damaged(path, "schema \(version)"))
        }
        let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(answers)")
          .map { $0.value("name", as: String.self) }
        let hasAll = ["sourceName", "usageText"].allSatisfy(columns.contains)
        guard version == Self.schemaVersion, hasAll || columns.isEmpty else {
          throw StoreError(
            .unknownSchema,
            "Another version wrote the stored answers in \(StoreError.shown(path)). Use that version, or move the file "
              + "away: then each question is asked again."
          )
        }
        // A log beside the file would be one more file to open, which a confined reader cannot.
        let change = db.configuration.readonly ? "" : " = DELETE"
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode\(change)")
        guard mode == "delete" else {
          throw StoreError(
            .notWritable,
            "The stored answers in \(StoreError.shown(path)) have a write-ahead log. Make the file "
              + "and its folder writable for you, and run `mediabatch access list`."
          )
        }
        let check = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
        guard check == "ok" else {
          throw StoreError(.damaged, StoreError.damaged(path, check))
        }
        return hasAll && !columns.contains("usageTextLanguage") && !db.configuration.readonly
      }
    } catch {
      throw StoreError(error, path: path)
    }
    let verification = try verify()
    if let difference = verification.difference {
      throw StoreError(
        .inconsistent,
        "The stored answers in \(StoreError.shown(path)) were changed by something other than "
          + "mediabatch (\(difference.description)), so none of them counts. Restore the file from a "
          + "copy, or move it away: then each question is asked again."
      )
    }
    guard lacksLanguages else { return }
    try write { try $0.execute(sql: "ALTER TABLE answers ADD COLUMN usageTextLanguage TEXT") }
  }
}
