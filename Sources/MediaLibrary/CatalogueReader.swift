internal import Foundation
internal import GRDB
internal import MediaFileSystem
package import MediaModel

/// A library's catalogue, read while a run may be writing it; changes nothing.
package final class CatalogueReader: CatalogueItems {
  private let queue: DatabaseQueue

  /// - Parameter library: The library's folder.
  /// - Throws: ``LibraryError`` `.notALibrary` when it holds no catalogue of ours.
  package init(library: [UInt8]) throws(LibraryError) {
    let shown = EscapedText.percentEscaped(library)
    let path = String(decoding: library, as: UTF8.self) + "/" + Library.catalogueName
    guard FileSystem.exists([UInt8](path.utf8)) else {
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is not a library of mediabatch: it has no library.sqlite."
      )
    }
    var configuration = Configuration()
    configuration.readonly = true
    // With nothing in a log beside it nobody writes the catalogue, and reading it needs no further
    // file: so nothing in the library is touched, and one on a read-only disk can be read.
    let log = try? FileSystem.status(ofPath: [UInt8]((path + "-wal").utf8))
    let isQuiet = log.map { $0.size == 0 } ?? true
    var uri = URLComponents()
    uri.scheme = "file"
    uri.path = path
    if isQuiet { uri.queryItems = [URLQueryItem(name: "immutable", value: "1")] }
    do {
      queue = try DatabaseQueue(path: uri.string ?? path, configuration: configuration)
      let identifier = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") }
      guard identifier == Catalogue.applicationIdentifier else {
        throw LibraryError(
          .notALibrary,
          "\"\(shown)\" is not a library of mediabatch: its library.sqlite is not."
        )
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is not a library of mediabatch: its library.sqlite is not."
      )
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      throw LibraryError(
        .cannotWrite,
        "The catalogue cannot be read: a run was stopped, and left its last changes in "
          + "library.sqlite-wal, which SQLite reads only where it can write beside it. Copy the "
          + "library to where it can be written, and read it there."
      )
    } catch {
      throw Catalogue.wrapped(error)
    }
  }

  deinit { queue.retire() }

  func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Catalogue.wrapped(error)
    }
  }

  /// Every file that the library should hold, or that was superseded, in the order of its path.
  package func publishedFiles(
    superseded: Bool
  ) throws(LibraryError) -> [Catalogue.PublishedFile] {
    try read { try Catalogue.publishedFiles(superseded: superseded, in: $0) }
  }

  /// The position of each run's audit file, oldest first.
  package func auditPositions() throws(LibraryError) -> [AuditPosition] {
    try read { try Catalogue.auditPositions(in: $0) }
  }

  /// Files that an interrupted run has renamed and not yet entered: the next run finishes them.
  package func unfinishedFiles() throws(LibraryError) -> Set<String> {
    let batches = try read { try Catalogue.undoneBatches(in: $0) }
    return batches.reduce(into: []) { paths, batch in
      for asset in batch.staged?.assets ?? [] {
        paths.formUnion(asset.thumbnails.map(\.publishedPath))
        paths.formUnion(asset.resources.map { "\(asset.publishedFolder)/\($0.fileName)" })
      }
    }
  }

  package func items(
    of source: SourceKind,
    writtenUnder: String,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError) {
    try read { try Catalogue.items(of: source, writtenUnder: writtenUnder, in: $0, body) }
  }

  /// The problems that SQLite's own integrity check finds; empty when there is none.
  package func integrityProblems() throws(LibraryError) -> [String] {
    try read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }.filter { $0 != "ok" }
  }
}
