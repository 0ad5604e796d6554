/// The columns of a query, in their order: the list makes the `SELECT`, and each value is read by its name.
///
/// The number of a case is the place of its column, so that no name is looked up for a row.
package protocol QueryColumn: CaseIterable, CodingKey, Hashable, Sendable, RawRepresentable
where RawValue == Int, AllCases == [Self] {
  /// The expression that a `SELECT` has for it.
  var sql: String { get }
}

extension QueryColumn {
  /// The name of the case, which the compiler writes out for a coding key.
  package var name: String { stringValue }

  package var sql: String { name }

  /// The expressions of all columns, separated by commas.
  package static var list: String { list(of: allCases) }

  package static func list(of columns: [Self]) -> String {
    columns.map { $0.sql }.joined(separator: ", ")
  }

  /// The columns without these.
  package static func all(but left: Self...) -> [Self] { allCases.filter { !left.contains($0) } }
}
