internal import Foundation
package import GRDB
package import MediaFileSystem
package import MediaModel

/// The library's SQLite database: what was imported, from where, under which rules, and how far each
/// batch has come.
///
/// One connection, WAL, `synchronous=FULL`, nothing temporary on disk: a confined process may hold
/// it open and needs no other file.
package final class Catalogue {
  package let queue: DatabaseQueue
  /// The database's file, as it was opened.
  let file: FileStatus
  let digests: RowDigests
  /// The tables whose rows have digests, by their names.
  package let digested: [String: DigestedTable]

  /// Opens or makes the catalogue and writes to it once, so that `-wal` and `-shm` exist before the process
  /// is confined.
  ///
  /// - Parameters:
  ///   - folder: The library's folder, as bytes.
  ///   - name: The name of the database there.
  ///   - digestKey: The library's key, where it is there already: a new catalogue takes its identifier.
  ///   - keep: Stores the key of a new catalogue, and returns when it is on the disk; the transaction that
  ///     makes the catalogue ends after that.
  /// - Throws: ``LibraryError`` `.unknownSchema` for one that another version wrote, `.inconsistent`,
  ///   `.cannotWrite`.
  package init(
    in folder: [UInt8],
    _ name: String,
    digestKey: DigestKey? = nil,
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
      try db.prohibitViews()
      try db.execute(sql: Self.settings)
    }
    do {
      queue = try DatabaseQueue(path: DatabaseAddress.text(in: folder, name), configuration: configuration)
      try queue.inDatabase { db in
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      let tables = try queue.write { db in
        try Self.makeSchema(in: db, digestKey, keep, digests)
        let tables = try digests.watch(db)
        digests.begin()
        try Self.beginHistory(in: db)
        try digests.writeSums(in: db)
        return tables
      }
      // The header says whose file this is before anything is put beside it: what is only in the
      // write-ahead log is not seen by a reader of the file alone.
      let isBusy = try queue.inDatabase { db in
        try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      // Nothing rests on how often it was opened, so the first transaction that counts flushes this one too, with the
      // header of the log: where that is empty now, no earlier frame can stand behind a header that is lost.
      // Source: sqlite.org/pragma.html#pragma_synchronous, sqlite.org/src/info/ff5be73dee.
      try queue.inDatabase { db in
        try db.execute(sql: "PRAGMA synchronous = \(isBusy == 0 ? "OFF" : "NORMAL")")
      }
      try digests.write(to: queue) { try $0.execute(sql: "UPDATE meta SET opened = opened + 1") }
      try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      file = try FileSystem.status(ofPath: folder + [UInt8.slash] + Array(name.utf8))
      digested = Dictionary(tables.map { ($0.name, $0) }) { $1 }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw Self.wrapped(error, openedIn: folder)
    }
  }

  deinit { queue.retire() }

  /// Closes the connection; nothing may be called after.
  ///
  /// Empties the write-ahead log first, which stays: then a reader of the catalogue has to write
  /// nothing beside it.
  package func close() {
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? queue.close()
  }

  /// Closes the connection, with everything in the database's own file.
  ///
  /// - Throws: ``LibraryError`` when the write-ahead log could not be emptied.
  package func closeDurably() throws(LibraryError) {
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

  /// Pages of 8 KiB take half as many calls as SQLite's of 4 KiB, for as many bytes; one that each batch changes goes
  /// from the write-ahead log into the database once in 32 MiB. A catalogue keeps the pages that it was made with.
  private static let settings = """
    PRAGMA page_size = 8192;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA temp_store = MEMORY;
    PRAGMA synchronous = FULL;
    """

  package static func wrapped(_ error: any Error) -> LibraryError {
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
          "The catalogue contradicts itself: \(error.message ?? ""). This is a bug of mediabatch; "
            + "please report it."
        )
      case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR:
        return LibraryError(
          .inconsistent,
          "The catalogue is damaged: \(error.message ?? "unknown"). Keep the library's folder: "
            + "`mediabatch rebuild` makes a new catalogue from its files and its log."
        )
      default:
        return LibraryError(.cannotWrite, "The catalogue cannot be written: \(error.message ?? "unknown").")
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
  private static func wrapped(_ error: any Error, openedIn folder: [UInt8]) -> LibraryError {
    guard (error as? DatabaseError)?.resultCode != .SQLITE_FULL,
      let descriptor = try? FileSystem.openPath(folder),
      let room = try? FileSystem.room(fileSystemOf: descriptor),
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
  package func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try digests.write(to: queue, body)
    } catch {
      throw Self.wrapped(error)
    }
  }

  /// Reads without a transaction of its own: this process alone writes, through the same connection,
  /// and a transaction for each item costs three statements that are parsed again.
  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try queue.unsafeRead(body)
    } catch {
      throw Self.wrapped(error)
    }
  }

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
  /// Whether it failed or was refused.
  package var hasFailed = false
  /// Whether a person has taken its asset out of the library.
  package var isWithdrawn = false
  /// The file that failed under this run's conditions, and whose failure a run has said; nil when there
  /// is none.
  package var failure: CatalogueFailure?

  package init(
    path: ItemPath,
    device: UInt64,
    inode: UInt64,
    size: Int64,
    modified: Int64,
    changed: Int64,
    isWritten: Bool,
    writtenUnder: String? = nil,
    asset: Int64? = nil,
    isLeftOut: Bool = false,
    isUnsupported: Bool = false,
    hasFailed: Bool = false,
    isWithdrawn: Bool = false,
    failure: CatalogueFailure? = nil
  ) {
    (self.path, self.device, self.inode, self.size) = (path, device, inode, size)
    (self.modified, self.changed, self.isWritten) = (modified, changed, isWritten)
    (self.writtenUnder, self.asset, self.failure) = (writtenUnder, asset, failure)
    (self.isLeftOut, self.isUnsupported, self.isWithdrawn) = (isLeftOut, isUnsupported, isWithdrawn)
    self.hasFailed = hasFailed
  }
}

extension CatalogueItem {
  /// Whether nothing about the file has changed since it was written.
  package func isSameFile(as status: FileStatus) -> Bool {
    isWritten && isSameContent(as: status)
  }

  /// Whether nothing about the file has changed since its outcome.
  package func isSameContent(as status: FileStatus) -> Bool {
    status.isUnchanged(
      since: (device: device, inode: inode, size: size, modified: modified, changed: changed)
    )
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
