internal import Foundation
internal import GRDB
package import MediaCatalogue
package import MediaFileSystem
internal import MediaModel

/// Whether the private facts are as they were written.
extension PrivateFacts {
  /// "MBLP". Source: PRAGMA application_id.
  static let applicationIdentifier: Int32 = 0x4D42_4C50
  /// The version whose rows have digests is 2.
  static let version = 2

  /// The damage that SQLite and the digests of the rows find.
  ///
  /// - Parameters:
  ///   - library: The path of the library's folder.
  ///   - root: The library's folder.
  ///   - isQuiet: Whether nobody writes; see ``attach(to:library:root:isQuiet:)``.
  /// - Returns: A line for each, without the file's name; none where there is no file, or an empty one.
  /// - Throws: ``LibraryError`` `.cannotWrite` when it cannot be opened, `.unknownSchema` for a whole one of a newer
  ///   version.
  package static func damage(
    library: [UInt8],
    root: Descriptor,
    isQuiet: Bool
  ) throws(LibraryError) -> [String] {
    let name = [UInt8](fileName.utf8)
    guard let status = try? FileSystem.status(in: root, name: name) else { return [] }
    guard status.kind == .regular else { return ["it is no regular file"] }
    try confirm(in: root)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.prohibitViews()
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    do {
      let path = uri(library: library, root: root, isQuiet: isQuiet)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      return try queue.read { try damage(in: $0) }
    } catch let error as LibraryError {
      throw error
    } catch {
      let code = (error as? DatabaseError)?.resultCode
      if let code, [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_BUSY].contains(code) {
        throw LibraryError(.cannotWrite, "\(fileName) cannot be read: \(error).")
      }
      return ["it cannot be read: \(EscapedText.printable("\(error)", limit: 300))"]
    }
  }

  private static func damage(in db: Database) throws -> [String] {
    let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if identifier == 0, version == 0, isEmpty { return [] }
    guard identifier == applicationIdentifier else { return ["it is another program's database"] }
    var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
      .filter { $0 != "ok" }
    // An earlier version's rows have no digests; of a later one's the sums say that this is not its version.
    if version == 1, try !db.columns(in: table).contains(where: { $0.name == "digest" }) {
      return problems
    }
    guard try db.tableExists("tableSums") else { return problems + ["its sums are missing"] }
    problems += try Catalogue.rowProblems(in: db)
    // A changed version is damage: the sums cover it.
    if problems.isEmpty, version > Self.version { throw newer }
    return problems
  }
}
