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
  /// The type and the constraints of the column.
  var definition: String { get }
  /// The digest of the row.
  static var digest: Self { get }
}

extension TableColumn {
  package static var constraint: String? { nil }
  package static var isWithoutRowID: Bool { false }

  /// The statement that makes the table.
  static var creation: String {
    let lines = allCases.map { "\($0.name) \($0.definition)" } + [constraint].compactMap(\.self)
    return "CREATE TABLE \(table) (\n  \(lines.joined(separator: ",\n  "))\n)"
      + (isWithoutRowID ? " WITHOUT ROWID;" : ";")
  }
}
