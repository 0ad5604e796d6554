internal import Foundation
internal import GRDB

/// How far the tree over all records of a library's log has come, in the words of who makes it.
package struct AuditTreePosition: Sendable, Hashable {
  /// From which the next run goes on.
  package var encoded: [UInt8]
  /// How many records the tree has.
  package var size: Int
  /// Its root, 64 lowercase hexadecimal digits.
  package var root: String
  /// The blocks that became whole since the position before.
  package var blocks: [AuditTreeBlock]

  package init(encoded: [UInt8], size: Int, root: String, blocks: [AuditTreeBlock] = []) {
    self.encoded = encoded
    self.size = size
    self.root = root
    self.blocks = blocks
  }
}

/// A row of records of the log, kept so that a proof does not have to read all of them.
package struct AuditTreeBlock: Sendable, Hashable {
  /// 0-based, in the order of the records.
  package var number: Int
  /// Number of the audit file in which its first record stands, 1-based line and byte offset there.
  package var file: Int
  package var line: Int
  package var offset: Int
  /// Root of the subtree of its records.
  package var hash: [UInt8]
  /// By what its records are found.
  package var keys: [UInt8]

  package init(number: Int, file: Int, line: Int, offset: Int, hash: [UInt8], keys: [UInt8]) {
    self.number = number
    self.file = file
    self.line = line
    self.offset = offset
    self.hash = hash
    self.keys = keys
  }
}

extension Catalogue {
  /// The library's own identifier, made with it.
  package func identifier() throws(LibraryError) -> String {
    try read { try Self.identifier(in: $0) }
  }

  /// Where the tree of the log stands: that of the newest run; nil when no run has kept one yet.
  package func auditTree() throws(LibraryError) -> [UInt8]? {
    try read { try Self.auditTree(in: $0) }
  }

  static func registerAuditTree(in migrator: inout DatabaseMigrator) {
    migrator.registerMigration("4 audit tree") { db in
      try db.execute(
        sql: """
          ALTER TABLE runs ADD COLUMN auditTree BLOB;
          ALTER TABLE runs ADD COLUMN auditSize INTEGER;
          ALTER TABLE runs ADD COLUMN auditRoot TEXT;
          CREATE TABLE auditBlocks (
            number INTEGER PRIMARY KEY,
            file INTEGER NOT NULL,
            line INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            hash BLOB NOT NULL,
            keys BLOB NOT NULL
          );
          """
      )
    }
  }

  /// In the transaction in which the run's head is noted.
  static func note(_ tree: AuditTreePosition, of run: String, in db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE runs SET auditTree = ?, auditSize = ?, auditRoot = ? WHERE id = ?"
    ).execute(arguments: [Data(tree.encoded), tree.size, tree.root, run])
    for block in tree.blocks {
      // A run that was killed may have been through these records before.
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO auditBlocks (number, file, line, offset, hash, keys)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        block.number, block.file, block.line, block.offset, Data(block.hash), Data(block.keys),
      ])
    }
  }

  static func identifier(in db: Database) throws -> String {
    guard let text = try String.fetchOne(db, sql: "SELECT identifier FROM meta") else {
      throw LibraryError(.inconsistent, "The catalogue has no identifier.")
    }
    return text
  }

  static func auditTree(in db: Database) throws -> [UInt8]? {
    guard try hasAuditTree(in: db) else { return nil }
    return try Data.fetchOne(
      db,
      sql: """
        SELECT auditTree FROM runs WHERE auditTree IS NOT NULL ORDER BY auditSize DESC LIMIT 1
        """
    ).map([UInt8].init)
  }

  static func auditBlocks(in db: Database) throws -> [AuditTreeBlock] {
    guard try hasAuditTree(in: db) else { return [] }
    return try Row.fetchAll(
      db,
      sql: "SELECT number, file, line, offset, hash, keys FROM auditBlocks ORDER BY number"
    ).map { row in
      AuditTreeBlock(
        number: row[0],
        file: row[1],
        line: row[2],
        offset: row[3],
        hash: [UInt8](row[4] as Data),
        keys: [UInt8](row[5] as Data)
      )
    }
  }

  /// Whether the catalogue was ever opened by a version that keeps the tree.
  static func hasAuditTree(in db: Database) throws -> Bool {
    try db.columns(in: "runs").contains { $0.name == "auditTree" }
  }
}

extension CatalogueReader {
  /// The library's own identifier, made with it.
  package func identifier() throws(LibraryError) -> String {
    try read { try Catalogue.identifier(in: $0) }
  }

  /// Where the tree of the log stands; nil when no run has kept one yet.
  package func auditTree() throws(LibraryError) -> [UInt8]? {
    try read { try Catalogue.auditTree(in: $0) }
  }

  /// The whole blocks of the tree, in their order; none in a library of an earlier version.
  package func auditBlocks() throws(LibraryError) -> [AuditTreeBlock] {
    try read { try Catalogue.auditBlocks(in: $0) }
  }
}
