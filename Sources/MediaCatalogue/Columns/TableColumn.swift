package import GRDB

/// The columns of a table, in their order there: the list makes the table, and the statements that read and
/// write its rows.
///
/// The order belongs to the format, since a row's digest has the number of each column: a new column is the last
/// one.
package protocol TableColumn: QueryColumn {
  static var table: String { get }
  /// What stands behind the columns, such as a key of several.
  static var constraint: String? { get }
  static var isWithoutRowID: Bool { get }
  /// The columns that the base does not have, each with the step of ``Migrations`` that adds it, in their order.
  static var added: [(step: String, column: Self)] { get }
  /// The type and the constraints of the column.
  var definition: String { get }
  /// The digest of the row.
  static var digest: Self { get }
}

extension TableColumn {
  package static var constraint: String? { nil }
  package static var isWithoutRowID: Bool { false }
  package static var added: [(step: String, column: Self)] { [] }

  /// The statement that makes the table of the base.
  static var creation: String {
    let base = allCases.dropLast(added.count)
    let lines = base.map { "\($0.name) \($0.definition)" } + [constraint].compactMap(\.self)
    return "CREATE TABLE \(table) (\n  \(lines.joined(separator: ",\n  "))\n)"
      + (isWithoutRowID ? " WITHOUT ROWID;" : ";")
  }

  /// The expressions of all columns in a table that may have been made before some of them were: NULL for
  /// those.
  package static func list(in db: Database) throws -> String {
    let present = Set(try db.columns(in: table).map { $0.name })
    return allCases.map { present.contains($0.name) ? $0.name : "NULL" }.joined(separator: ", ")
  }

  /// The names of the columns that a table does not have, with that of the table.
  static func lacking(in db: Database) throws -> [String] {
    let present = Set(try db.columns(in: table).map { $0.name })
    return allCases.map { $0.name }.filter { !present.contains($0) }.map { "\(table).\($0)" }
  }

  /// The statement that adds the column to a table without it, where it is NULL in every row.
  var addition: String { "ALTER TABLE \(Self.table) ADD COLUMN \(name) \(definition)" }
}
