internal import GRDB
package import MediaModel

/// A change of the catalogue's schema, by the names of the newest migration before and after it.
package struct SchemaChange: Sendable, Hashable {
  package var from: String
  package var to: String
}

extension Catalogue {
  static func registerSchemaChanges(in migrations: inout Migrations) {
    migrations.register("8 migrations in the log") { db in
      try db.execute(sql: "ALTER TABLE meta ADD COLUMN migratedFrom TEXT")
    }
  }

  /// Whether a newer version has written the catalogue.
  static func isNewer(_ db: Database) throws -> Bool {
    try migrations(nil, { _ in }, RowDigests()).standing(of: db) == .newer
  }

  /// The names of all migrations, in their order.
  static let migrationNames = migrations(nil, { _ in }, RowDigests()).names

  /// Remembers, in the transaction that changed the schema, that the log has to say so.
  static func remember(migratedFrom earlier: String, in db: Database) throws {
    try db.execute(
      sql: "UPDATE meta SET migratedFrom = ifnull(migratedFrom, ?)",
      arguments: [earlier]
    )
  }

  /// The change of the schema of which the log does not know yet; nil when there is none.
  package func unrecordedSchemaChange() throws(LibraryError) -> SchemaChange? {
    try read { try Self.unrecordedSchemaChange(in: $0) }
  }

  static func unrecordedSchemaChange(in db: Database) throws -> SchemaChange? {
    guard try db.columns(in: "meta").contains(where: { $0.name == "migratedFrom" }),
      let from = try String.fetchOne(db, sql: "SELECT migratedFrom FROM meta"),
      let to = migrationNames.last
    else { return nil }
    return SchemaChange(from: from, to: to)
  }

  /// Notes that the log of a run says how the schema changed: its record is on the disk.
  package func recordSchemaChange(run: String, audit: AuditPosition) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "UPDATE meta SET migratedFrom = NULL")
      try Self.note(audit, of: run, in: db)
    }
  }
}
