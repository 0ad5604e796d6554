internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaFileSystem
package import MediaModel

/// A library's catalogue, read while a run may be writing it; changes nothing.
package final class CatalogueReader: CatalogueItems {
  private let path: String
  private let root: Descriptor
  private var connection: CatalogueConnection

  /// Opens the catalogue of the library in a folder.
  ///
  /// - Throws: ``LibraryError`` `.notALibrary` when it holds no catalogue of ours, `.held` while the
  ///   library is being made.
  package init(library: [UInt8]) throws(LibraryError) {
    let shown = EscapedText.percentEscaped(library)
    path = String(decoding: library, as: UTF8.self) + "/" + Library.catalogueName
    do {
      // Not for reading: a process that is confined after a run may read the catalogue's files alone.
      root = try FileSystem.openPath(library)
    } catch {
      throw LibraryError(.notALibrary, "\"\(shown)\" is not a library of mediabatch: \(error).")
    }
    var looks = 0
    while true {
      let wasHeld = LibraryFolder.isHeld(root)
      do {
        try Self.checkContent(of: root, shown: shown)
        connection = try CatalogueConnection(path: path, root: root)
        return
      } catch {
        // A run may have gone from one state to the next between two of these steps.
        looks += 1
        guard error.code != .held, looks < Self.maximumLooks,
          wasHeld || LibraryFolder.isHeld(root)
        else { throw error }
        usleep(Self.pauseMicroseconds)
      }
    }
  }

  deinit { connection.queue.retire() }

  private static let maximumLooks = 20
  private static let pauseMicroseconds: UInt32 = 10_000

  private static func checkContent(of root: Descriptor, shown: String) throws(LibraryError) {
    let content: LibraryFolder
    do {
      content = try LibraryFolder(of: root)
    } catch {
      throw LibraryError(error)
    }
    if content == .library { return }
    if content == .beingMade, LibraryFolder.hasLock(root) {
      throw LibraryError(
        .held,
        LibraryFolder.isHeld(root)
          ? "\"\(shown)\" is being made into a library by a run. Look again when it is done."
          : "A run was stopped while it made \"\(shown)\" into a library, before anything was in it. "
            + "Run again: it goes on from there."
      )
    }
    let hasCatalogue =
      (try? FileSystem.status(in: root, name: [UInt8](Library.catalogueName.utf8))) != nil
    throw LibraryError(
      .notALibrary,
      "\"\(shown)\" is not a library of mediabatch: "
        + (hasCatalogue ? "its library.sqlite is not." : "it has no library.sqlite.")
    )
  }

  /// Reads in one transaction, so that `body` sees one moment of the catalogue.
  ///
  /// `body` is called twice when a run begins meanwhile.
  func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    let result = Result { try connection.queue.read(body) }
    if connection.isUndisturbed(in: root) {
      do {
        return try result.get()
      } catch {
        throw CatalogueConnection.wrapped(error)
      }
    }
    connection.queue.retire()
    connection = try CatalogueConnection(path: path, root: root, isQuiet: false)
    do {
      return try connection.queue.read(body)
    } catch {
      throw CatalogueConnection.wrapped(error)
    }
  }

  /// Every file that the library should hold, or that was superseded, in the order of its path.
  package func publishedFiles(
    superseded: Bool
  ) throws(LibraryError) -> [Catalogue.PublishedFile] {
    try read { try Catalogue.publishedFiles(superseded: superseded, in: $0) }
  }

  /// The paths below the library of the originals that newer versions have replaced.
  package func replacedPaths() throws(LibraryError) -> [String] {
    try read { try Catalogue.replacedPaths(in: $0) }
  }

  /// The position of each run's audit file, oldest first.
  package func auditPositions() throws(LibraryError) -> [AuditPosition] {
    try read { try Catalogue.auditPositions(in: $0) }
  }

  /// What the catalogue says at one moment; without its lists of files unless `readsFiles`.
  package func snapshot(readsFiles: Bool) throws(LibraryError) -> CatalogueSnapshot {
    try read { try CatalogueSnapshot($0, readsFiles: readsFiles) }
  }

  /// - Throws: ``LibraryError`` `.held` when a run has begun meanwhile, since `body` can be called only
  ///   once.
  package func items(
    of source: SourceKind,
    writtenUnder: String,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError) {
    let result = Result {
      try connection.queue.read {
        try Catalogue.items(of: source, writtenUnder: writtenUnder, in: $0, body)
      }
    }
    guard connection.isUndisturbed(in: root) else {
      throw LibraryError(.held, "A run has begun in the library. Look again when it is done.")
    }
    do {
      try result.get()
    } catch {
      throw CatalogueConnection.wrapped(error)
    }
  }

  /// The problems that SQLite's own integrity check finds, and the differences between rows, their
  /// digests and the sums of these; empty when there is none.
  package func integrityProblems() throws(LibraryError) -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
        + Catalogue.digestProblems(in: db)
    }
  }
}

/// A connection that reads a catalogue.
private struct CatalogueConnection {
  let queue: DatabaseQueue
  /// The catalogue's file before it was opened, if it is read as one that nobody writes.
  private let quietFile: FileStatus?

  /// Opens the catalogue; `isQuiet` is false when a run is known to write it.
  ///
  /// - Throws: ``LibraryError`` `.notALibrary`, `.held`, `.inconsistent`, `.cannotWrite`.
  init(path: String, root: Descriptor, isQuiet: Bool = true) throws(LibraryError) {
    var configuration = Configuration()
    configuration.readonly = true
    // Whoever comes first after a kill reads the write-ahead log anew, and others wait for that.
    configuration.busyMode = .timeout(5)
    var uri = URLComponents()
    uri.scheme = "file"
    uri.path = path
    quietFile = isQuiet ? Self.quietFile(in: root) : nil
    // Reading a catalogue that nobody writes needs no further file: so nothing in the library is
    // touched, and one on a read-only disk can be read.
    if quietFile != nil { uri.queryItems = [URLQueryItem(name: "immutable", value: "1")] }
    do {
      queue = try DatabaseQueue(path: uri.string ?? path, configuration: configuration)
      _ = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") }
    } catch {
      throw Self.wrapped(error)
    }
  }

  /// Whether nobody has written what this connection reads as a file that nobody writes.
  func isUndisturbed(in root: Descriptor) -> Bool {
    quietFile == nil || Self.quietFile(in: root) == quietFile
  }

  /// The status of a catalogue's file that no run holds, and whose write-ahead log is empty.
  private static func quietFile(in root: Descriptor) -> FileStatus? {
    if LibraryFolder.isHeld(root) { return nil }
    let log = try? FileSystem.status(in: root, name: [UInt8]((Library.catalogueName + "-wal").utf8))
    guard log.map({ $0.size == 0 }) ?? true else { return nil }
    return try? FileSystem.status(in: root, name: [UInt8](Library.catalogueName.utf8))
  }

  static func wrapped(_ error: any Error) -> LibraryError {
    guard let error = error as? DatabaseError else { return Catalogue.wrapped(error) }
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return LibraryError(.notALibrary, "The library's catalogue, library.sqlite, is no database.")
    case .SQLITE_BUSY, .SQLITE_PROTOCOL:
      return LibraryError(
        .held,
        "The catalogue is locked by another program. Look again when that is done."
      )
    case .SQLITE_CANTOPEN, .SQLITE_READONLY:
      return LibraryError(
        .cannotWrite,
        "The catalogue cannot be read: a run was stopped, and left its last changes in "
          + "library.sqlite-wal, which SQLite reads only where it can write beside it. Copy the "
          + "library to where it can be written, and read it there."
      )
    default: return Catalogue.wrapped(error)
    }
  }
}
