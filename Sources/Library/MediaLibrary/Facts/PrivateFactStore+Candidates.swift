internal import Foundation
internal import GRDB
package import MediaFileSystem
package import MediaModel
package import MediaPredicate

/// The sort values of a candidate for a limit, as its open file told them, whether or not it is imported.
package struct CandidateKeys: Sendable, Hashable {
  package var path: ItemPath
  /// The file that was read.
  package var status: FileStatus
  /// The values by which it is sorted; nil when it does not meet the other fetch options.
  package var values: [PredicateValue]?

  package init(path: ItemPath, status: FileStatus, values: [PredicateValue]?) {
    (self.path, self.status, self.values) = (path, status, values)
  }
}

extension PrivateFactStore {
  static let candidates = "candidates"

  static func makeCandidates(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE \(candidates) (
          source TEXT NOT NULL,
          path BLOB NOT NULL,
          conditions TEXT NOT NULL,
          device INTEGER NOT NULL,
          inode INTEGER NOT NULL,
          size INTEGER NOT NULL,
          modified INTEGER NOT NULL,
          changed INTEGER NOT NULL,
          sortValues BLOB,
          digest INTEGER,
          PRIMARY KEY (source, path)
        ) WITHOUT ROWID
        """
    )
  }

  private enum SortColumn: Int, QueryColumn {
    case sortValues
  }

  /// Finds what was stored of files that have not changed since.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - conditions: The digest of all that the values depend on besides the file.
  ///   - body: Takes a function that finds one file's.
  /// - Throws: ``LibraryError``, or what `body` throws.
  package func withCandidates(
    of source: SourceID,
    conditions: String,
    _ body: ((ItemPath, FileStatus) throws -> CandidateKeys?) throws -> Void
  ) throws {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(SortColumn.list) FROM \(Self.candidates) WHERE source = ? AND path = ? AND conditions = ?
            AND device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
          """
      )
      try body { path, status in
        let arguments =
          Self.key(source, path) + [conditions.databaseValue] + Self.columns(of: status)
        guard let row = try Row.fetchOne(statement, arguments: StatementArguments(arguments)) else {
          return nil
        }
        let json: Data? = try QueryRow<SortColumn>(row).decoded(.sortValues)
        let values = json.flatMap { try? JSONDecoder().decode([PredicateValue].self, from: $0) }
        if json != nil, values == nil { return nil }
        return CandidateKeys(path: path, status: status, values: values)
      }
    }
  }

  /// Stores what candidates have told, in place of what was known of them, in one transaction.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`.
  package func store(
    _ candidates: [CandidateKeys],
    of source: SourceID,
    conditions: String
  ) throws(LibraryError) {
    if candidates.isEmpty { return }
    try write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO \(Self.candidates)
            (source, path, conditions, device, inode, size, modified, changed, sortValues)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      )
      for candidate in candidates {
        let values = try candidate.values.map { try JSONEncoder().encode($0) }
        try statement.execute(
          arguments: StatementArguments(
            Self.key(source, candidate.path) + [conditions.databaseValue]
              + Self.columns(of: candidate.status)
              + [values?.databaseValue ?? .null]
          )
        )
      }
    }
  }

  private static func key(_ source: SourceID, _ path: ItemPath) -> [DatabaseValue] {
    [source.name.databaseValue, Data(path.bytes).databaseValue]
  }

  /// The columns that tell one state of a file from another.
  private static func columns(of status: FileStatus) -> [DatabaseValue] {
    [
      Int64(bitPattern: status.device).databaseValue, Int64(bitPattern: status.inode).databaseValue,
      status.size.databaseValue, status.modified.databaseValue, status.changed.databaseValue,
    ]
  }
}
