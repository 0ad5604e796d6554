internal import Foundation
internal import GRDB
internal import MediaFileSystem
internal import MediaModel

extension PrivateFactStore {
  /// Takes over the private facts of a shard, where it has some.
  ///
  /// - Parameters:
  ///   - library: The folder of the shard's library, which no run writes any more.
  ///   - dropped: The localIdentifiers of the assets that were not taken over.
  /// - Throws: ``LibraryError``.
  package func take(
    from library: [UInt8],
    without dropped: Set<String>
  ) throws(LibraryError) {
    let path = try LibraryFolder.address(of: PrivateFacts.fileName, in: library, .immutable)
    guard let path else { return }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { try $0.prohibitViews() }
    do {
      let shard = try DatabaseQueue(path: path, configuration: configuration)
      defer { shard.retire() }
      try shard.read { source in
        try write { db in
          try Self.copy(PrivateFacts.table, from: source, to: db) { row in
            !dropped.contains(row["localIdentifier"] ?? "")
          }
        }
      }
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(.inconsistent, "its private facts cannot be taken over (\(error))")
    }
  }

  /// Takes over the rows of a damaged database that are as they were written, as far as it can be read.
  ///
  /// - Parameter folder: Where its file lies.
  /// - Throws: ``LibraryError`` when what is taken over cannot be written.
  package func takeWhole(from folder: [UInt8]) throws(LibraryError) {
    let path = DatabaseAddress.text(in: folder, PrivateFacts.fileName)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in
      try db.prohibitViews()
      db.add(function: RowDigests.isWhole)
    }
    guard let damaged = try? DatabaseQueue(path: path, configuration: configuration) else { return }
    defer { damaged.retire() }
    try write { db in
      // What cannot be read ends the copying of its table.
      try? damaged.read { source in
        for table in try DigestedTable.all(in: source) {
          try? Self.copy(table.name, from: source, to: db, condition: table.isWhole())
        }
      }
    }
  }

  private static func copy(
    _ table: String,
    from source: Database,
    to target: Database,
    condition: String = "1",
    where isWanted: (Row) -> Bool = { _ in true }
  ) throws {
    // Each database gives a row its own digest.
    let columns = try target.columns(in: table).map(\.name).filter { $0 != "digest" }
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let insert = try target.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(table) (\(list)) VALUES (\(marks))"
    )
    let rows = try Row.fetchCursor(source, sql: "SELECT \(list) FROM \(table) WHERE \(condition)")
    while let row = try rows.next() {
      guard isWanted(row) else { continue }
      try insert.execute(row.values, in: target)
    }
  }
}
