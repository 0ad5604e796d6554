internal import Foundation
internal import GRDB
internal import MediaModel
internal import MediaSyntax

/// The database of a Photos library, open for reading.
///
/// It is never written, locked or marked. Changes that lie in its write-ahead log are read with it, by an index of the
/// log in memory: SQLite's `immutable` would pass them over, and a copy of both files may take gigabytes.
///
/// Source: SQLite, "URI filenames" (`immutable`, `vfs`), "PRAGMA locking_mode", "WAL mode without shared memory".
struct PhotosDatabase: ~Copyable {
  /// The name of the database in queries; `main` is an empty one in memory.
  static let name = "photos"

  private let queue: DatabaseQueue

  /// Makes a connection that has opened nothing yet.
  ///
  /// - Parameter isKept: Whether the connection outlives this value and every failure to read: the end of a dispatch
  ///   queue starts a thread, which a confined process may not have.
  /// - Throws: ``PhotosLibraryError`` `.tooLarge` without memory.
  init(isKept: Bool = true) throws(PhotosLibraryError) {
    var configuration = Configuration()
    configuration.label = Self.name
    // Core Data's tables have references to rows of other entities.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA temp_store = MEMORY;
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA mmap_size = 0;
          """
      )
    }
    do {
      queue = try DatabaseQueue(configuration: configuration)
    } catch {
      throw Self.wrapped(error)
    }
    if isKept { _ = Unmanaged.passRetained(queue) }
  }

  /// Opens a library's database for reading.
  ///
  /// - Parameters:
  ///   - path: The path as SQLite opens it; absolute, or relative to the working folder.
  ///   - hasLog: Whether a write-ahead log lies beside it that is not empty.
  /// - Throws: ``PhotosLibraryError`` `.cannotOpen`, `.damaged`.
  func open(_ path: String, hasLog: Bool) throws(PhotosLibraryError) {
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? path
    let relative = escaped.replacingOccurrences(of: "%2F", with: "/")
    let file = "file:\(relative)?mode=ro&" + (hasLog ? "vfs=unix-none" : "immutable=1")
    try read { db in
      // Held alone, the log needs no file of shared memory.
      if hasLog { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try db.execute(sql: "ATTACH ? AS \(Self.name)", arguments: [file])
      try db.execute(sql: "PRAGMA query_only = ON")
    }
  }

  /// Reads with one connection, and turns errors of SQLite into those of the library.
  ///
  /// - Throws: ``PhotosLibraryError``.
  func read<Value>(_ body: (Database) throws -> Value) throws(PhotosLibraryError) -> Value {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw Self.wrapped(error)
    }
  }

  private static func wrapped(_ error: any Error) -> PhotosLibraryError {
    if let error = error as? PhotosLibraryError { return error }
    guard let error = error as? DatabaseError else {
      return PhotosLibraryError(.damaged, "\(error)")
    }
    switch error.resultCode {
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      return PhotosLibraryError(.cannotOpen, error.message ?? "")
    case .SQLITE_NOMEM, .SQLITE_TOOBIG, .SQLITE_FULL:
      return PhotosLibraryError(.tooLarge, error.message ?? "")
    // A column that holds another type, or is not there.
    case .SQLITE_ERROR, .SQLITE_MISMATCH:
      return PhotosLibraryError(.unknownSchema, error.message ?? "")
    default: return PhotosLibraryError(.damaged, error.message ?? "")
    }
  }

  /// Returns the number of the data model; nil when the database does not say.
  ///
  /// Source: Core Data's table `Z_METADATA`, whose property list has `PLModelVersion`.
  func modelVersion() throws(PhotosLibraryError) -> Int? {
    let list = try read { db -> Data? in
      guard try db.tableExists("Z_METADATA", in: Self.name) else { return nil }
      return try Data.fetchOne(
        db,
        sql: """
          SELECT Z_PLIST FROM Z_METADATA
          WHERE typeof(Z_PLIST) = 'blob' AND length(Z_PLIST) < 1000000 LIMIT 1
          """
      )
    }
    return list.flatMap { Self.modelVersion(in: [UInt8]($0)) }
  }

  /// The number in the property list of the database's metadata; nil for what is no such list.
  ///
  /// The bytes are a stranger's: Foundation's reader would end the process at a set (`docs/decisions/0004`).
  static func modelVersion(in list: [UInt8]) -> Int? {
    let values = PropertyListReading(list).members.filter { $0.key == "PLModelVersion" }
    guard values.count == 1, case .integer(let version) = values[0].value else { return nil }
    return version
  }
}
