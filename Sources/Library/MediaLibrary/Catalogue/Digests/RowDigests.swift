internal import Foundation
package import GRDB
internal import Synchronization

/// Keeps the digest of each row, and each table's sum of them, right for whatever writes through a
/// connection. A row that is inserted with its digest is left as it is, see ``RowCopy``.
///
/// Triggers call functions of this type. They are temporary, so that they are the connection's own:
/// other programs see no triggers, and what they write has wrong digests. The sums change in memory
/// and are written once at the end of each transaction.
///
/// A table takes part by having a column `digest`.
package final class RowDigests: Sendable {
  /// The changes of the transaction, by the table's name.
  private let changes = Mutex<[String: RowSum]>([:])

  package init() {}

  /// Adds the functions that the triggers and ``enterAll(in:)`` call.
  package func addFunctions(to db: Database) {
    db.add(function: Self.isWhole)
    db.add(
      function: DatabaseFunction("rowInserted") { [self] values in
        let table = Self.name(values)
        let digest = RowDigest(table, values.dropFirst())
        changes.withLock { $0[table, default: RowSum()].add(digest) }
        return digest.stored
      }
    )
    db.add(
      function: DatabaseFunction("rowDeleted") { [self] values in
        let table = Self.name(values)
        let digest = RowDigest(table, values.dropFirst())
        changes.withLock { $0[table, default: RowSum()].remove(digest) }
        return nil
      }
    )
    db.add(
      function: DatabaseFunction("rowUpdated") { [self] values in
        let table = Self.name(values)
        let count = (values.count - 2) / 2
        let old = RowDigest(table, values[2..<(2 + count)])
        let new = RowDigest(table, values[(2 + count)...])
        changes.withLock { changes in
          changes[table, default: RowSum()].remove(old)
          changes[table, default: RowSum()].add(new)
        }
        // A row that was damaged before does not become a good one by this change.
        let wasWhole = values[1] == old.stored.databaseValue
        return wasWhole ? new.stored : ~new.stored
      }
    )
  }

  /// The SQL function `rowIsWhole(table, digest, values…)`: whether the digest is that of the values.
  package static let isWhole = DatabaseFunction("rowIsWhole", pure: true) { values in
    values.count > 1
      && values[1] == RowDigest(name(values), values.dropFirst(2)).stored.databaseValue
  }

  private static func name(_ values: [DatabaseValue]) -> String {
    values.first.flatMap(String.fromDatabaseValue) ?? ""
  }

  /// Makes the triggers of this connection.
  ///
  /// - Returns: The tables that have digests.
  @discardableResult
  package func watch(_ db: Database) throws -> [DigestedTable] {
    // By default, replacing a row does not count as deleting it.
    try db.execute(sql: "PRAGMA recursive_triggers = ON")
    let tables = try DigestedTable.all(in: db)
    for table in tables { try watch(table, in: db) }
    return tables
  }

  /// Makes the triggers of a table: one for each kind of change, since SQLite says nothing about the order of
  /// several.
  private func watch(_ table: DigestedTable, in db: Database) throws {
    let name = table.name
    let row = table.key.map { "\($0) = new.\($0)" }.joined(separator: " AND ")
    let old = table.columns.map { "old.\"\($0)\"" }.joined(separator: ", ")
    let new = table.columns.map { "new.\"\($0)\"" }.joined(separator: ", ")
    let watched = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
    try watchInsertions(into: table, in: db)
    try db.execute(
      sql: """
        CREATE TEMP TRIGGER "\(name) updated" AFTER UPDATE OF \(watched) ON main.\(name) BEGIN
          UPDATE \(name) SET digest = rowUpdated('\(name)', old.digest, \(old), \(new))
            WHERE \(row);
        END;
        CREATE TEMP TRIGGER "\(name) deleted" AFTER DELETE ON main.\(name) BEGIN
          SELECT rowDeleted('\(name)', \(old));
        END;
        """
    )
  }

  private func watchInsertions(into table: DigestedTable, in db: Database) throws {
    let name = table.name
    let row = table.key.map { "\($0) = new.\($0)" }.joined(separator: " AND ")
    let new = table.columns.map { "new.\"\($0)\"" }.joined(separator: ", ")
    try db.execute(
      sql: """
        CREATE TEMP TRIGGER "\(name) inserted" AFTER INSERT ON main.\(name)
          WHEN new.digest IS NULL BEGIN
          UPDATE \(name) SET digest = rowInserted('\(name)', \(new)) WHERE \(row);
        END;
        """
    )
  }

  /// Calls `body`, which inserts no row into a table without its digest.
  ///
  /// Where a trigger may follow, SQLite keeps the pages as they were before each row, which took half of the time of an
  /// insertion.
  func withoutWatchingInsertions<Value>(
    into table: DigestedTable,
    in db: Database,
    _ body: () throws -> Value
  ) throws -> Value {
    try db.execute(sql: "DROP TRIGGER temp.\"\(table.name) inserted\"")
    let value = try body()
    try watchInsertions(into: table, in: db)
    return value
  }

  /// Adds the digest of a row that was inserted with it.
  func add(_ digest: RowDigest, to table: String) {
    changes.withLock { $0[table, default: RowSum()].add(digest) }
  }

  /// Writes in one transaction, the sums with it; when `body` throws, nothing is written.
  package func write<Value>(
    to queue: DatabaseQueue,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    try queue.write { db in
      begin()
      let value = try body(db)
      try writeSums(in: db)
      return value
    }
  }

  /// Begins a transaction.
  func begin() { changes.withLock { $0 = [:] } }

  /// Writes the sums of the tables that the transaction has changed.
  func writeSums(in db: Database) throws {
    let changed = changes.withLock { changes in
      defer { changes = [:] }
      return changes
    }
    if changed.isEmpty { return }
    for (table, change) in changed where !change.isEmpty {
      let sum = try TableSums.sum(of: table, in: db) ?? RowSum()
      try TableSums.set(sum + change, of: table, in: db)
    }
    try TableSums.set(TableSums.sequences(in: db), of: TableSums.sequenceTable, in: db)
  }

  /// Gives every row its digest and every table its sum: what is there counts as right from now on.
  package func enterAll(in db: Database) throws {
    try db.execute(sql: "DELETE FROM tableSums")
    begin()
    for table in try DigestedTable.all(in: db) {
      let values = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
      try db.execute(sql: "UPDATE \(table.name) SET digest = rowInserted('\(table.name)', \(values))")
      try TableSums.set(RowSum(), of: table.name, in: db)
    }
    try writeSums(in: db)
    try TableSums.set(TableSums.sequences(in: db), of: TableSums.sequenceTable, in: db)
    try TableSums.set(TableSums.schema(in: db), of: TableSums.schemaTable, in: db)
  }
}

/// A table whose rows have digests.
package struct DigestedTable {
  package let name: String
  /// All columns but `digest`, in their order.
  package let columns: [String]
  /// The columns that find a row.
  package let key: [String]

  private enum SchemaColumn: Int, QueryColumn {
    case table, isWithoutRowID, column, key

    var sql: String {
      switch self {
      case .table: "tables.name"
      case .isWithoutRowID: "tables.wr"
      case .column: "columns.name"
      case .key: "columns.pk"
      }
    }
  }

  /// Every such table of a database.
  package static func all(in db: Database) throws -> [DigestedTable] {
    let rows = try QueryRow<SchemaColumn>.fetchAll(
      db,
      """
      SELECT \(SchemaColumn.list)
      FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.schema = 'main' AND tables.type = 'table'
      ORDER BY tables.name, columns.cid
      """
    )
    let tables = try Dictionary(grouping: rows) { try $0[.table] as String }
    return try tables.keys.sorted().compactMap { name in
      let rows = tables[name] ?? []
      let columns = try rows.map { try $0[.column] as String }
      guard columns.contains("digest") else { return nil }
      let isWithoutRowID = try rows.contains { try $0[.isWithoutRowID] as Bool }
      let key = try rows.filter { (try $0[.key] as Int) > 0 }.map { try $0[.column] as String }
      return DigestedTable(
        name: name,
        columns: columns.filter { $0 != "digest" },
        key: isWithoutRowID ? key : ["rowid"]
      )
    }
  }

  /// An SQL expression that is true of a row with the right digest; `row` is the table's name or its
  /// alias in the statement.
  package func isWhole(_ row: String? = nil) -> String {
    let prefix = row ?? name
    let values = columns.map { "\(prefix).\"\($0)\"" }.joined(separator: ", ")
    return "rowIsWhole('\(name)', \(prefix).digest, \(values))"
  }
}
