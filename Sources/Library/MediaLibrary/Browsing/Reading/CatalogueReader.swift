internal import Foundation
package import GRDB
internal import Glibc
internal import MediaFileSystem
package import MediaModel

/// A library's catalogue, read while a run may be writing it; changes nothing.
package final class CatalogueReader: CatalogueItems {
  let root: Descriptor
  private var connection: CatalogueConnection
  private let isAlone: Bool
  /// The library's folder, absolute or relative to the working directory.
  let library: [UInt8]
  private var readsPrivateFacts = false

  /// Opens the catalogue of the library in a folder.
  ///
  /// - Parameters:
  ///   - library: The library's folder.
  ///   - isAlone: Whether it is read as if nothing stood beside it, where what stands there is not its own; see
  ///     ``LibraryFolder/stranger(at:in:)``.
  /// - Throws: ``LibraryError`` `.notALibrary` when it holds no catalogue of ours, `.unknownSchema` for
  ///   that of another version, `.held` while the library is being made.
  package init(library: [UInt8], isAlone: Bool = false) throws(LibraryError) {
    let shown = EscapedText.percentEscaped(library)
    self.library = library
    self.isAlone = isAlone
    do {
      // Not for reading: a process that is confined after a run may read the catalogue's files alone.
      root = try FileSystem.openPath(library)
    } catch {
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is not a library of mediabatch: \(error.reason(besides: shown))."
      )
    }
    var looks = 0
    while true {
      let wasHeld = LibraryFolder.isHeld(root)
      do {
        try Self.checkContent(of: root, library, shown: shown, isAlone: isAlone)
        connection = try CatalogueConnection(of: library, root: root, isAlone: isAlone)
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

  /// Opens another connection to the catalogue of a reader, which reads what that one reads.
  ///
  /// - Throws: ``LibraryError``.
  init(beside other: CatalogueReader) throws(LibraryError) {
    (root, library, isAlone) = (other.root, other.library, other.isAlone)
    connection = try CatalogueConnection(of: library, root: root, isAlone: isAlone)
    readsPrivateFacts = other.readsPrivateFacts
    try attachPrivateFacts()
  }

  deinit { connection.queue.retire() }

  private static let maximumLooks = 20
  private static let pauseMicroseconds: UInt32 = 10_000

  private static func checkContent(
    of root: Descriptor,
    _ path: [UInt8],
    shown: String,
    isAlone: Bool
  ) throws(LibraryError) {
    let content: LibraryFolder
    do {
      content = try LibraryFolder(of: root)
    } catch {
      // A file, or a folder that is gone by now.
      guard error.isMissing else { throw LibraryError(error) }
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is not a library of mediabatch: \(error.reason(besides: shown))."
      )
    }
    if content == .library {
      if !isAlone { try LibraryFolder.confirmDatabase(LibraryFolder.catalogueName, in: root) }
      return
    }
    if content == .withoutCatalogue, let error = content.refusal(at: path) {
      throw error
    }
    if content == .beingMade, LibraryFolder.hasLock(root) {
      throw LibraryError(
        .held,
        LibraryFolder.isHeld(root)
          ? "\"\(shown)\" is being made by a run. Look again when it is done."
          : "\"\(shown)\" is empty: a run was stopped while it made the library. Run again."
      )
    }
    let hasCatalogue =
      (try? FileSystem.status(in: root, name: [UInt8](LibraryFolder.catalogueName.utf8))) != nil
    throw LibraryError(
      .notALibrary,
      "\"\(shown)\" is not a library of mediabatch: "
        + (hasCatalogue ? "its library.sqlite is of another program." : "it has no library.sqlite.")
    )
  }

  /// Reads in one transaction, so that `body` sees one moment of the catalogue.
  ///
  /// `body` is called again, twice at most, when a run begins or ends meanwhile.
  package func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      // What has written it may be done, so that it needs no file beside it, which a confined process could not make.
      for isQuiet in [true, isAlone] {
        let result = Result { try connection.queue.read(body) }
        if connection.isUndisturbed(in: root) { return try result.get() }
        connection.queue.abandon()
        connection = try CatalogueConnection(of: library, root: root, isAlone: isAlone, isQuiet: isQuiet)
        try attachPrivateFacts()
      }
      return try connection.queue.read(body)
    } catch {
      throw CatalogueConnection.wrapped(error, in: root)
    }
  }

  /// Reads the private facts beside the catalogue too, where the library has them.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when they cannot be read, `.unknownSchema`; `.cannotWrite` when this
  ///   user may not read them: the catalogue alone is read then.
  package func readPrivateFacts() throws(LibraryError) {
    readsPrivateFacts = PrivateFacts.isThere(in: root)
    do {
      try attachPrivateFacts()
    } catch {
      readsPrivateFacts = false
      throw error
    }
  }

  /// Whether no process is known to write the library.
  var isQuiet: Bool { connection.isQuiet }

  private func attachPrivateFacts() throws(LibraryError) {
    guard readsPrivateFacts else { return }
    try PrivateFacts.attach(to: connection.queue, library: library, root: root, isQuiet: connection.isQuiet)
  }

  /// The paths below the library of the originals that newer versions have replaced.
  package func replacedPaths() throws(LibraryError) -> [String] {
    try read { try Catalogue.replacedPaths(in: $0) }
  }

  /// The position of each run's audit file, oldest first.
  package func auditPositions() throws(LibraryError) -> [AuditPosition] {
    try read { try Catalogue.auditPositions(in: $0) }
  }

  /// The catalogue's rows about log and batches, of one moment.
  package func snapshot() throws(LibraryError) -> CatalogueSnapshot {
    try read { try CatalogueSnapshot($0) }
  }

  /// Calls `body` with the catalogue at one moment; it is called again when a run begins or ends meanwhile.
  ///
  /// A run that writes in the meantime cannot empty its write-ahead log until `body` has returned.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func atOneMoment<Value>(
    _ body: (CatalogueMoment) throws -> Value
  ) throws -> Value {
    let result = try read { db in
      Result { try body(CatalogueMoment(db: db, snapshot: CatalogueSnapshot(db))) }
    }
    do {
      return try result.get()
    } catch let error as DatabaseError {
      throw CatalogueConnection.wrapped(error, in: root)
    } catch let error as RowDecodingError {
      throw Catalogue.wrapped(error)
    }
  }

  /// Calls `body` with every file that the library should hold, or that was superseded, in the order of
  /// its path, at most `limit` at a time.
  ///
  /// Each part is of a moment of its own, so that a run can empty its write-ahead log however long
  /// `body` takes: a file that is entered or removed meanwhile is in one of the parts or in none.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachPage(
    superseded: Bool,
    limit: Int = 1024,
    _ body: ([Catalogue.PublishedFile]) throws -> Void
  ) throws {
    for table in FileTable.allCases {
      var last = ""
      while true {
        let page = try read { db in
          try QueryRow<FileTable.Column>.fetchAll(
            db,
            "\(table.query(superseded: superseded)) LIMIT \(limit)",
            [last]
          ).map { try Catalogue.PublishedFile($0) }
        }
        for file in page {
          // The index of a damaged catalogue could lead in a circle.
          guard last.utf8.lexicographicallyPrecedes(file.path.utf8) else {
            throw Catalogue.wrapped(
              DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "the index of the paths in \(table.name) is not in order"
              )
            )
          }
          last = file.path
        }
        if !page.isEmpty { try body(page) }
        if page.count < limit { break }
      }
    }
  }

  /// The rows that the catalogue has now of the files at some paths below the library, given by their bytes.
  package func look(up paths: [[UInt8]]) throws(LibraryError) -> [KnownFile] {
    try read { db in
      var unfinished: Set<[UInt8]>?
      // Such a file has a row under a name that it may not have any more.
      let renamed = try Catalogue.pathsBeingRenamed(in: db)
      return try paths.map { path in
        if renamed.contains(path) { return .unfinished }
        if let file = try Self.file(at: path, in: db) { return file }
        let ofBatches = try unfinished ?? Catalogue.unfinishedPaths(in: db)
        unfinished = ofBatches
        return ofBatches.contains(path) ? .unfinished : .unknown
      }
    }
  }

  private static func file(at path: [UInt8], in db: Database) throws -> KnownFile? {
    guard let text = String(validating: path, as: UTF8.self) else { return nil }
    for table in FileTable.allCases {
      guard let row = try QueryRow<FileTable.Column>.fetchOne(db, table.lookup, [text]) else {
        continue
      }
      return try row[.isSuperseded] ? .superseded : .published(Catalogue.PublishedFile(row))
    }
    return nil
  }

  /// - Throws: ``LibraryError`` `.held` when a run has begun meanwhile, since `body` can be called only
  ///   once.
  package func items(
    of source: SourceID,
    writtenUnder: String,
    failingUnder: String?,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError) {
    let result = Result {
      try connection.queue.read { db in
        try Catalogue.items(
          of: source,
          writtenUnder: writtenUnder,
          failingUnder: failingUnder,
          in: db,
          body
        )
      }
    }
    guard connection.isUndisturbed(in: root) else {
      throw LibraryError(.held, "A run has begun in the library. Look again when it is done.")
    }
    do {
      try result.get()
    } catch {
      throw CatalogueConnection.wrapped(error, in: root)
    }
  }

  package func described(
    of source: SourceID,
    _ take: (ItemPath, [UInt8]) -> Void
  ) throws(LibraryError) {
    try read { try Catalogue.described(of: source, in: $0, take) }
  }

  package func albums(of source: SourceID, notAt place: Int64) throws(LibraryError) -> [SourceAlbum] {
    try read { try Catalogue.albums(of: source, notAt: place, in: $0) }
  }

  /// The sources of which the catalogue has items, by kind and name.
  package func sources() throws(LibraryError) -> [SourceID] { try read { try Catalogue.sources(in: $0) } }

  package func isWhole(
    item path: ItemPath,
    of source: SourceID,
    asset: Int64
  ) throws(LibraryError) -> Bool {
    try read { db in
      let digested = Dictionary(try DigestedTable.all(in: db).map { ($0.name, $0) }) { $1 }
      return try Catalogue.isWhole((source, path), asset, digested, in: db)
    }
  }

  /// The problems that SQLite's own integrity check finds, and the differences between rows, their
  /// digests and the sums of these; empty when there is none.
  package func integrityProblems() throws(LibraryError) -> [String] {
    try read { db in
      let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
        .filter { $0 != "ok" }
      do {
        return try problems + Catalogue.digestProblems(in: db)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_CORRUPT && !problems.isEmpty
      {
        return problems
      }
    }
  }
}

/// A catalogue at one moment: all that is asked of it is answered by the same transaction.
///
/// Valid only in the closure that it is given to.
package struct CatalogueMoment {
  package let db: Database
  package let snapshot: CatalogueSnapshot
}

/// The row that a catalogue has of the file at a path.
package enum KnownFile: Sendable, Hashable {
  /// The library should hold it.
  case published(Catalogue.PublishedFile)
  /// The next run removes it.
  case superseded
  /// It is of a batch that is not done, and not entered yet.
  case unfinished
  /// The catalogue does not have it.
  case unknown
}

/// A connection that reads a catalogue.
private struct CatalogueConnection {
  let queue: DatabaseQueue
  /// The catalogue's file before it was opened, if it is read as one that no process writes.
  private let quietFile: FileStatus?
  private let isAlone: Bool

  /// Opens the catalogue; `isQuiet` is false when a run is known to write it, `isAlone` is that of ``CatalogueReader``.
  ///
  /// - Throws: ``LibraryError`` `.notALibrary`, `.unknownSchema`, `.held`, `.inconsistent`,
  ///   `.cannotWrite`.
  init(
    of library: [UInt8],
    root: Descriptor,
    isAlone: Bool,
    isQuiet: Bool = true
  ) throws(LibraryError) {
    self.isAlone = isAlone
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in
      PathText.add(to: db)
      try db.prohibitViews()
      db.add(function: RowDigests.isWhole)
      // A process that is confined can make no file for what a long sort does not keep in its cache.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    // The first connection after a kill reads the write-ahead log anew, and others wait for that.
    configuration.busyMode = .timeout(5)
    quietFile = isQuiet ? Self.quietFile(in: root, isAlone: isAlone) : nil
    // Reading a catalogue that no process writes needs no further file: so nothing in the library is
    // touched, and one on a read-only disk can be read.
    let path = DatabaseAddress.text(
      in: library,
      LibraryFolder.catalogueName,
      quietFile == nil ? .asOpened : .immutable
    )
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") }
      // The question that is asked of it meets the damage.
      if let refusal = (try? queue.read(Catalogue.refusal)) ?? nil {
        queue.retire()
        throw refusal
      }
    } catch {
      throw Self.wrapped(error, in: root)
    }
  }

  /// Whether it is read as a file that no process writes.
  var isQuiet: Bool { quietFile != nil }

  /// Whether no process has written what this connection reads as a file that stays.
  func isUndisturbed(in root: Descriptor) -> Bool {
    quietFile == nil || Self.quietFile(in: root, isAlone: isAlone) == quietFile
  }

  /// The status of a catalogue's file that no run holds, and whose write-ahead log is empty.
  private static func quietFile(in root: Descriptor, isAlone: Bool) -> FileStatus? {
    if !isAlone {
      if LibraryFolder.isHeld(root) { return nil }
      let log = [UInt8]((LibraryFolder.catalogueName + "-wal").utf8)
      let size = try? FileSystem.status(in: root, name: log).size
      guard size ?? 0 == 0 else { return nil }
    }
    return try? FileSystem.status(in: root, name: [UInt8](LibraryFolder.catalogueName.utf8))
  }

  static func wrapped(_ error: any Error, in root: Descriptor) -> LibraryError {
    guard let error = error as? DatabaseError else { return Catalogue.wrapped(error) }
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return LibraryError(.notALibrary, "The library's catalogue, library.sqlite, is no database.")
    case .SQLITE_BUSY, .SQLITE_PROTOCOL:
      return LibraryError(
        .held,
        "The catalogue is locked by another program. Look again when that is done."
      )
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR:
      if let lock = LibraryFolder.heldLock(root) {
        let holder = LockFile.holder(of: lock)
        return LibraryError(.held, "A run writes the library: \(holder). Repeat this when it is done.")
      }
      let unread = LibraryError(
        .cannotWrite,
        "The catalogue cannot be read: disk I/O error. Check the device that it is on, then repeat this."
      )
      if error.resultCode == .SQLITE_IOERR { return unread }
      return LibraryError(
        .cannotWrite,
        "The catalogue cannot be read: a stopped run left its last changes in library.sqlite-wal, which SQLite "
          + "reads only where it can write. Copy the library to such a place, and read it there."
      )
    default: return Catalogue.wrapped(error)
    }
  }
}
