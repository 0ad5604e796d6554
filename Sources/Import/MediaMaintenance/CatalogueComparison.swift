internal import Foundation
internal import GRDB
package import MediaLibrary
internal import MediaModel

/// The rows in which a rebuilt catalogue differs from the one of before.
///
/// Rows are found again by what they mean, not by their numbers; the numbers are compared as one more
/// column.
package struct CatalogueComparison: Sendable {
  package enum Kind: String, Sendable {
    /// The catalogue of before has the row, the new one has not.
    case gone
    /// The new catalogue has the row, the one of before has not.
    case new
    case changed
  }

  package struct Difference: Sendable, Hashable {
    package var kind: Kind
    package var table: String
    /// The row, by its name, path or number, escaped.
    package var row: String
    /// The columns of a changed row that differ; their values are not told.
    package var columns: [String]
  }

  package private(set) var differences: [Difference] = []
  /// The reason that the catalogue of before could not be compared to its end, escaped.
  package private(set) var unreadable: String?

  /// Rows of finished batches, which a rebuild does not make and nothing reads.
  package private(set) var finishedBatches = 0

  /// Compares the catalogue of before with the new one.
  package init(_ earlier: EarlierCatalogue, _ rebuilt: Catalogue) {
    for table in Self.tables {
      do {
        try compare(table, earlier, rebuilt)
      } catch {
        unreadable = EscapedText.printable("\(table.name): \(error)", limit: 300)
        return
      }
    }
    finishedBatches = earlier.finishedBatches
  }

  private struct Table {
    var name: String
    /// The expression by which a row is found again, bytes.
    var key: String
    /// Columns that are compared as another expression, or with nil not at all.
    var replaced: [String: String?] = [:]
    var condition = "1"
  }

  private static let asset =
    "(SELECT localIdentifier FROM assets AS owner WHERE owner.id = asset)"

  private static let olderVersion =
    "(SELECT localIdentifier FROM assets AS older WHERE older.id = assets.olderVersion)"

  private static let tables = [
    // The number of openings says nothing about the library.
    Table(name: "meta", key: "''", replaced: ["opened": nil]),
    Table(name: "keyChecks", key: "name"),
    Table(name: "appliedRules", key: "sourceName"),
    Table(name: "runs", key: "id"),
    Table(name: "assets", key: "localIdentifier", replaced: ["olderVersion": olderVersion]),
    Table(name: "resources", key: "path", replaced: ["asset": asset]),
    Table(name: "tracks", key: asset + " || '/' || number", replaced: ["asset": asset]),
    Table(name: "thumbnails", key: "path", replaced: ["asset": asset]),
    Table(name: "items", key: "CAST(sourceName AS BLOB) || x'2f' || path", replaced: ["asset": asset]),
    Table(name: "failures", key: "CAST(sourceName AS BLOB) || x'2f' || path"),
    Table(
      name: "stacks",
      key: asset,
      replaced: [
        "asset": asset,
        "cover": "(SELECT localIdentifier FROM assets AS owner WHERE owner.id = cover)",
      ]
    ),
    Table(name: "distinguished", key: "assets"),
    Table(name: "auditBlocks", key: "printf('%012d', number)"),
    // A batch that was staged is finished from its row, whatever state the row names.
    Table(
      name: "batches",
      key: "printf('%012d', id)",
      replaced: ["state": nil],
      condition: "state IN (1, 2)"
    ),
  ]

  private mutating func compare(
    _ table: Table,
    _ earlier: EarlierCatalogue,
    _ rebuilt: Catalogue
  ) throws {
    differences += try rebuilt.read { new in
      try earlier.queue.read { old in
        // A catalogue from before a table has nothing to compare.
        guard try old.tableExists(table.name) else { return [] }
        return try Self.differences(of: table, Self.columns(of: table, in: new), old, new)
      }
    }
  }

  private static func columns(of table: Table, in db: Database) throws -> [String] {
    // A row's digest follows from its other columns.
    try db.columns(in: table.name).map(\.name).filter { name in
      name != "digest" && (table.replaced[name].map { $0 != nil } ?? true)
    }
  }

  private static func differences(
    of table: Table,
    _ columns: [String],
    _ old: Database,
    _ new: Database
  ) throws -> [Difference] {
    let values = columns.map { name in (table.replaced[name] ?? nil) ?? "\"\(name)\"" }
    let sql = """
      SELECT CAST(\(table.key) AS BLOB), \(values.joined(separator: ", ")) FROM \(table.name)
      WHERE \(table.condition) ORDER BY 1
      """
    let before = try Row.fetchCursor(old, sql: sql)
    let after = try Row.fetchCursor(new, sql: sql)
    var differences: [Difference] = []
    var left = try before.next()?.copy()
    var right = try after.next()?.copy()
    func add(_ kind: Kind, _ key: [UInt8], _ columns: [String] = []) {
      differences.append(
        Difference(kind: kind, table: table.name, row: EscapedText.percentEscaped(key), columns: columns)
      )
    }
    while left != nil || right != nil {
      let leftKey = left.map(key)
      let rightKey = right.map(key)
      if let leftKey, rightKey.map({ leftKey.lexicographicallyPrecedes($0) }) ?? true {
        add(.gone, leftKey)
        left = try before.next()?.copy()
      } else if let rightKey, leftKey.map({ rightKey.lexicographicallyPrecedes($0) }) ?? true {
        add(.new, rightKey)
        right = try after.next()?.copy()
      } else if let leftRow = left, let other = right, let leftKey {
        let differing = columns.indices.filter { index in
          leftRow[index + 1] as DatabaseValue != other[index + 1] as DatabaseValue
        }
        if !differing.isEmpty { add(.changed, leftKey, differing.map { columns[$0] }) }
        left = try before.next()?.copy()
        right = try after.next()?.copy()
      }
    }
    return differences
  }

  private static func key(_ row: Row) -> [UInt8] { [UInt8]((row[0] as Data?) ?? Data()) }
}
