internal import Foundation
package import GRDB
internal import Glibc
package import MediaFileSystem
internal import MediaModel

/// The second database of a library, with what its sources said about captures; it may be missing.
package enum PrivateFacts {
  package static let fileName = "private.sqlite"
  /// The name under which it is attached to the catalogue.
  package static let schema = "privateFacts"
  package static let table = "facts"
  /// "MBLP". Source: PRAGMA application_id.
  package static let applicationIdentifier: Int32 = 0x4D42_4C50
  package static let version = 3

  /// The columns that it has as `assets` has them, each NULL where the source said nothing.
  package static let columns = AssetColumn.ofFacts.filter { $0.fact?.isPrivate == true }

  /// Whether the library has private facts.
  package static func isThere(in root: Descriptor) -> Bool {
    (try? FileSystem.status(in: root, name: [UInt8](fileName.utf8))) != nil
  }

  /// The refusal of one that another version wrote.
  package static let refusal = LibraryError.anotherVersion(of: fileName)

  /// Looks whether it may be read: SQLite would follow a link, and wait for a FIFO.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`; `.notALibrary` when it, or what is beside it, is no regular file.
  package static func confirm(in root: Descriptor) throws(LibraryError) {
    try LibraryFolder.confirmDatabase(fileName, in: root)
    do throws(FileSystemError) {
      _ = try FileSystem.openForReading(beneath: root, [UInt8](fileName.utf8), crossMounts: true)
    } catch {
      var refusal = LibraryError(error)
      if error.errno == EACCES {
        refusal.description = "The private facts are not read: only their owner may read them."
      }
      throw refusal
    }
  }

  /// Attaches it to a connection that reads the catalogue, outside of a transaction.
  ///
  /// - Parameters:
  ///   - queue: The connection.
  ///   - library: The path of the library's folder.
  ///   - root: The library's folder.
  ///   - isQuiet: Whether no process writes: then no file beside it is needed, so that a read-only medium will do.
  /// - Throws: ``LibraryError`` `.inconsistent` when it is no such database, `.unknownSchema` for another version's,
  ///   `.cannotWrite` when this user may not read it.
  package static func attach(
    to queue: DatabaseQueue,
    library: [UInt8],
    root: Descriptor,
    isQuiet: Bool
  ) throws(LibraryError) {
    try confirm(in: root)
    let uri = uri(library: library, root: root, isQuiet: isQuiet)
    do {
      try queue.inDatabase { db in
        try db.execute(sql: "ATTACH DATABASE ? AS \(schema)", arguments: [uri])
        // A file that is no database is found out by the first question.
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(schema).sqlite_master") == 0
        let version = try Int.fetchOne(db, sql: "PRAGMA \(schema).user_version") ?? 0
        // A run was stopped while it made the file.
        if isEmpty, version == 0 { return try db.execute(sql: "DETACH DATABASE \(schema)") }
        if version != 0, version != Self.version { throw refusal }
        _ = try Int.fetchOne(db, sql: "SELECT 1 FROM \(schema).facts LIMIT 1")
      }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(
        .inconsistent,
        "The library's private facts, \(fileName), cannot be read: \(error). `mediabatch repair` "
          + "saves what is whole."
      )
    }
  }

  /// The name by which SQLite opens it for reading.
  package static func uri(library: [UInt8], root: Descriptor, isQuiet: Bool) -> String {
    let log = try? FileSystem.status(in: root, name: [UInt8]((fileName + "-wal").utf8))
    let isImmutable = isQuiet && (log.map { $0.size == 0 } ?? true)
    return DatabaseAddress.text(in: library, fileName, isImmutable ? .immutable : .readOnly)
  }
}
