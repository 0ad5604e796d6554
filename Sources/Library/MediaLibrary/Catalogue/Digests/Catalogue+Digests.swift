internal import Foundation
package import GRDB
package import MediaModel

extension Catalogue {
  /// The content of the library, as the catalogue has it now.
  package func content() throws(LibraryError) -> CatalogueContent? {
    try read { try TableSums.content(in: $0) }
  }

  /// Writes in one transaction the rows of a table that are copied, see ``RowCopy``, and no other rows of it.
  package func writeCopies<Value>(
    into table: String,
    _ body: (Database) throws -> Value
  ) throws(LibraryError) -> Value {
    try write { db in
      guard let table = digested[table] else { return try body(db) }
      return try digests.withoutWatchingInsertions(into: table, in: db) { try body(db) }
    }
  }

  package func isWhole(
    item path: ItemPath,
    of source: SourceID,
    asset: Int64
  ) throws(LibraryError) -> Bool {
    try read { try Self.isWhole((source, path), asset, digested, in: $0) }
  }

  package static func isWhole(
    _ item: (source: SourceID, path: ItemPath),
    _ asset: Int64,
    _ digested: [String: DigestedTable],
    in db: Database
  ) throws -> Bool {
    let rows: [(table: String, key: String, arguments: StatementArguments)] = [
      ("items", "sourceName = ? AND path = ?", [item.source.name, Data(item.path.bytes)]),
      ("assets", "id = ?", [asset]), ("resources", "asset = ?", [asset]),
      ("thumbnails", "asset = ?", [asset]), ("tracks", "asset = ?", [asset]),
    ]
    return try rows.allSatisfy { row in
      guard let table = digested[row.table] else { return false }
      return try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT NOT EXISTS (
              SELECT 1 FROM \(row.table) WHERE \(row.key) AND NOT \(table.isWhole()))
            """
        ),
        arguments: row.arguments
      ) ?? false
    }
  }

  /// The differences between the catalogue's rows and their digests and sums, at most `limit` of each
  /// table; empty when there is none.
  package static func digestProblems(in db: Database, limit: Int = 20) throws -> [String] {
    if try schemaNames(in: db).isEmpty { return ["the name of its schema is missing"] }
    return try rowProblems(in: db, limit: limit)
  }

  /// The differences between the rows of a database that has `tableSums`, and their digests and sums, at
  /// most `limit` of each table.
  package static func rowProblems(in db: Database, limit: Int = 20) throws -> [String] {
    var problems: [String] = []
    var sums: [String: RowSum] = [
      TableSums.schemaTable: try TableSums.schema(in: db),
      TableSums.sequenceTable: try TableSums.sequences(in: db),
    ]
    for table in try DigestedTable.all(in: db) {
      var sum = RowSum()
      var damaged = 0
      let names = (table.key + ["digest"] + table.columns).map {
        $0 == "rowid" ? $0 : "\"\($0)\""
      }
      let rows = try RawRows(db, sql: "SELECT \(names.joined(separator: ", ")) FROM \(table.name)")
      while let values = try rows.next() {
        let first = table.key.count + 1
        let digest = RowDigest(table.name, values[first...])
        sum.add(digest)
        if values[table.key.count] == digest.stored.databaseValue { continue }
        damaged += 1
        if damaged > limit { continue }
        let key = zip(table.key, values).map { "\($0) \(shown($1))" }.joined(separator: ", ")
        problems.append("the row of \(table.name) with \(key) is not as it was written")
      }
      if damaged > limit {
        problems.append("\(damaged - limit) more rows of \(table.name) are not as they were written")
      }
      sums[table.name] = sum
    }
    for name in sums.keys.sorted() {
      guard let recorded = try TableSums.sum(of: name, in: db) else {
        problems.append("the sum of \(name) is missing")
        continue
      }
      guard let sum = sums[name], sum != recorded else { continue }
      problems.append(
        sum.rows == recorded.rows
          ? "\(name) has other content than its sum says"
          : "\(name) has \(sum.rows) rows, \(recorded.rows) expected"
      )
    }
    let extra = try String.fetchAll(db, sql: "SELECT name FROM tableSums ORDER BY name")
      .filter { sums[$0] == nil }
    problems += extra.map { "a sum belongs to no table: \(EscapedText.printable($0, limit: 100))" }
    return problems
  }

  private static func shown(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .string(let text): "\"\(EscapedText.printable(text, limit: 200))\""
    case .blob(let data): "\"\(EscapedText.percentEscaped(data.prefix(400)))\""
    }
  }
}
