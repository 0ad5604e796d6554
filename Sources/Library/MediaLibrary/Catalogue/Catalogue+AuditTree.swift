internal import Foundation
package import GRDB
package import MediaModel

extension Catalogue {
  /// The library's own identifier, made with it.
  package func identifier() throws(LibraryError) -> String {
    try read { try Self.identifier(in: $0) }
  }

  /// The tree of the log after the newest run; nil when no run has stored one yet.
  package func auditTree() throws(LibraryError) -> [UInt8]? {
    try read { try Self.auditTree(in: $0) }
  }

  /// In the transaction in which the run's head is noted.
  package static func note(_ tree: AuditTreePosition, of run: String, in db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE runs SET auditTree = ?, auditSize = ?, auditRoot = ? WHERE id = ?"
    ).execute(arguments: [Data(tree.encoded), tree.head.size, tree.head.root, run])
    for block in tree.blocks {
      // A run that was killed may have been through these records before.
      try blockInsertion.execute(in: db) { column in
        switch column {
        case .number: block.number
        case .file: block.start.file
        case .line: block.start.line
        case .offset: block.start.offset
        case .hash: Data(block.hash)
        case .keys: Data(block.keys)
        case .digest: nil
        }
      }
    }
  }

  private static let blockInsertion = RowStatement<AuditBlockColumn>(
    inserting: AuditBlockColumn.all(but: .digest),
    orReplace: true
  )

  package static func identifier(in db: Database) throws -> String {
    guard let text = try String.fetchOne(db, sql: "SELECT identifier FROM meta") else {
      throw LibraryError(.inconsistent, "The catalogue has no identifier.")
    }
    return text
  }

  package static func auditTree(in db: Database) throws -> [UInt8]? {
    try Data.fetchOne(
      db,
      sql: """
        SELECT auditTree FROM runs WHERE auditTree IS NOT NULL ORDER BY auditSize DESC LIMIT 1
        """
    ).map([UInt8].init)
  }

  package static func auditBlocks(in db: Database) throws -> [AuditBlock] {
    try QueryRow<AuditBlockColumn>.fetchAll(
      db,
      "SELECT \(AuditBlockColumn.list) FROM auditBlocks ORDER BY number"
    ).map { row in
      AuditBlock(
        number: try row[.number],
        start: RecordPosition(file: try row[.file], line: try row[.line], offset: try row[.offset]),
        hash: [UInt8](try row[.hash] as Data),
        keys: [UInt8](try row[.keys] as Data)
      )
    }
  }
}
