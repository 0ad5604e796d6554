internal import GRDB
package import MediaModel

/// The dates and places that a library has of its assets, which are found anew where a manifest's rules change:
/// those of the catalogue, or of the private facts under a policy other than `keep`.
package struct StoredFacts: Sendable {
  private static let dates: [AssetColumn] = [
    .creationDate, .creationDateOffsetMinutes, .creationDateTag, .creationDateStated, .creationDatePrecision,
    .creationDateFraction,
  ]
  private static let places: [AssetColumn] = [
    .hasLocation, .latitude, .longitude, .placeTag, .city, .region, .country,
  ]

  private let isPrivate: Bool
  private let table: String
  /// All columns of an asset, NULL where the table has none.
  private let list: String

  package init(isPrivate: Bool) {
    self.isPrivate = isPrivate
    table = isPrivate ? PrivateFacts.table : AssetColumn.table
    list = AssetColumn.allCases.map { column in
      isPrivate && !PrivateFacts.columns.contains(column) ? "NULL" : column.name
    }.joined(separator: ", ")
  }

  /// Writes the dates and places of assets anew, in one transaction, and nothing else of them; the history has
  /// each asset that is another one then.
  ///
  /// - Parameters:
  ///   - assets: Their localIdentifiers.
  ///   - catalogue: The catalogue.
  ///   - privateFacts: The private facts; nil without any.
  ///   - run: The run that does it.
  ///   - revised: Returns the facts of an asset with the date and the place that it has by now.
  /// - Throws: `LibraryError` when one of the two databases cannot be written.
  package func revise(
    _ assets: [String],
    in catalogue: Catalogue,
    _ privateFacts: PrivateFactStore?,
    run: String,
    _ revised: (String, Facts) -> Facts
  ) throws(LibraryError) {
    func changes(in db: Database) throws -> [(asset: String, part: ChangedPart)] {
      try assets.flatMap { asset in
        try revise(asset, in: db) { revised(asset, $0) }.map { (asset, $0) }
      }
    }
    func note(_ changes: [(asset: String, part: ChangedPart)], in db: Database) throws {
      for change in changes {
        try Catalogue.note(.updated, change.asset, change.part, run: run, in: db)
      }
    }
    guard isPrivate else {
      return try catalogue.write { db in try note(changes(in: db), in: db) }
    }
    let changed = try privateFacts?.write(changes) ?? []
    if !changed.isEmpty { try catalogue.write { try note(changed, in: $0) } }
  }

  private func revise(
    _ asset: String,
    in db: Database,
    _ revised: (Facts) -> Facts
  ) throws -> [ChangedPart] {
    let fetched = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(list) FROM \(table) WHERE localIdentifier = ?"),
      arguments: [asset]
    )
    guard let row = fetched.map(TableRow<AssetColumn>.init) else { return [] }
    // Neither date nor place depends on the format.
    let facts = revised(Facts(row, format: .jpeg))
    func value(_ column: AssetColumn) -> DatabaseValue {
      column.value(of: facts, isLive: false)
    }
    let changed = (Self.dates + Self.places).filter { column in
      (!isPrivate || PrivateFacts.columns.contains(column)) && value(column) != row[column]
    }
    if changed.isEmpty { return [] }
    let assignments = changed.map { "\($0.name) = ?" }.joined(separator: ", ")
    try db.execute(
      sql: "UPDATE \(table) SET \(assignments) WHERE localIdentifier = ?",
      arguments: StatementArguments(changed.map(value) + [asset.databaseValue])
    )
    return (changed.contains(where: Self.dates.contains) ? [.date] : [])
      + (changed.contains(where: Self.places.contains) ? [.place] : [])
  }
}
