package import GRDB
package import MediaModel

/// A change of the catalogue's schema, by the names of the newest migration before and after it.
package struct SchemaChange: Sendable, Hashable {
  package var from: String
  package var to: String

  package init(from: String, to: String) { (self.from, self.to) = (from, to) }
}

extension Catalogue {
  /// The reason that this version does not read a catalogue: a newer one has written it, or one before the
  /// base; nil when it does.
  package static func refusal(of db: Database) throws -> LibraryError? {
    switch try migrations(nil, { _ in }, RowDigests()).standing(of: db) {
    case .newer: Migrations.newer
    case .older: Migrations.older
    case .empty, .steps, .damaged: nil
    }
  }

  /// The names of all migrations, in their order.
  package static let migrationNames = migrations(nil, { _ in }, RowDigests()).names

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

  package static func unrecordedSchemaChange(in db: Database) throws -> SchemaChange? {
    guard let from = try String.fetchOne(db, sql: "SELECT migratedFrom FROM meta"),
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
