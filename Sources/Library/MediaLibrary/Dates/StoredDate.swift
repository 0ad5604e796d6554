internal import Foundation
internal import GRDB
package import MediaModel
package import MediaPredicate

/// The date that a catalogue has of an asset, with what its correction depends on.
package struct StoredDate: Sendable {
  package var row: Int64
  package var localIdentifier: String
  /// The date of the catalogue.
  package var date: CaptureDate
  /// The date before corrections.
  package var stated: CaptureDate
  /// When the asset was saved.
  package var saved: SaveTime
  package var hasLocation: Bool
  /// Whether it meets each of the predicates that were asked; one without a predicate is met.
  package var meets: [Bool]

  private enum DateColumn: Int, QueryColumn {
    case id, localIdentifier, creationDate, creationDateOffsetMinutes, creationDateTag,
      creationDateStated, saved, hasLocation, creationDatePrecision, creationDateFraction

    var sql: String { "assets.\(name)" }
  }

  /// Visits the dates of a source's assets under `keep`.
  ///
  /// A predicate on the date itself asks for the one before corrections.
  static func visit(
    of source: SourceID,
    meeting predicates: [FetchPredicate?],
    correctedOnly: Bool,
    in db: Database,
    _ body: (StoredDate) throws -> Void
  ) throws {
    PathText.add(to: db)
    let expressions = try AssetExpressions(in: db)
    let columns = PredicateColumns { key in
      key == .creationDate
        ? "ifnull(substr(assets.creationDateStated, 1, 19), assets.creationDate)"
        : expressions.expression(key)
    }
    let conditions = predicates.map { $0?.sql(columns) }
    let selected = [DateColumn.list] + conditions.map { $0?.text ?? "1" }
    var arguments: [DatabaseValue] = []
    for condition in conditions { arguments += condition?.arguments.map(\.databaseValue) ?? [] }
    arguments.append(source.name.databaseValue)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(selected.joined(separator: ", ")) FROM \(expressions.tables)
        WHERE assets.superseded = 0 AND assets.sourceName = ? AND assets.policy = 'keep'
          AND assets.creationDate IS NOT NULL
          \(correctedOnly ? "AND assets.creationDateStated IS NOT NULL" : "")
        """,
      arguments: StatementArguments(arguments)
    )
    while let row = try rows.next() {
      let values = QueryRow<DateColumn>(row)
      let meets = predicates.indices.map {
        (row[DateColumn.allCases.count + $0] as Int64?) == 1
      }
      if let stored = try StoredDate(values, meets: meets) { try body(stored) }
    }
  }

  /// Reads the date of an asset by its localIdentifier; nil for one that is not there, or has no date.
  fileprivate static func read(ofAsset asset: String, in db: Database) throws -> StoredDate? {
    try QueryRow<DateColumn>.fetchOne(
      db,
      "SELECT \(DateColumn.list) FROM assets WHERE localIdentifier = ?",
      [asset]
    ).flatMap { try StoredDate($0, meets: []) }
  }

  /// Takes the values of a row; nil for one without a date.
  private init?(_ values: QueryRow<DateColumn>, meets: [Bool]) throws {
    guard let local: String = try values[.creationDate],
      let tag: String = try values[.creationDateTag],
      let saved = SaveTime(timestamp: try values[.saved])
    else { return nil }
    var date = CaptureDate(
      local: local,
      // A number that is too large to count with is damage.
      offsetMinutes: (try values[.creationDateOffsetMinutes] as Int32?).map(Int.init),
      tag: tag
    )
    date.take(precision: try values[.creationDatePrecision], fraction: try values[.creationDateFraction])
    let stated: String? = try values[.creationDateStated]
    row = try values[.id]
    localIdentifier = try values[.localIdentifier]
    self.date = date
    // No correction changes the precision.
    self.stated =
      stated.flatMap { CaptureDate(timestamp: $0, tag: date.ruleTag)?.asPrecise(as: date) } ?? date
    self.saved = saved
    hasLocation = try values[.hasLocation] as Bool? ?? false
    self.meets = meets
  }

  /// Corrects the stated date in another way.
  ///
  /// - Parameters:
  ///   - shift: By how many seconds its clock was wrong; nil if it was right.
  ///   - zone: The zone of its clock; nil if nobody has said it.
  /// - Returns: The date; nil if it is the one of the catalogue.
  package func corrected(by shift: Int?, in zone: LocalTimeZone?) -> CaptureDate? {
    let candidates = DateCandidates(
      own: [],
      locationTime: nil,
      name: [],
      modified: 0,
      saved: saved.microseconds
    )
    let corrected = candidates.corrected(stated, by: shift, in: zone).date
    return corrected == date ? nil : corrected
  }
}

extension CatalogueReader {
  /// Counts the dates of a source's assets under `keep` that are of one kind, with the predicates that each
  /// meets.
  package func countDates(
    of source: SourceID,
    meeting predicates: [FetchPredicate?],
    correctedOnly: Bool,
    where isCounted: (StoredDate) -> Bool
  ) throws(LibraryError) -> Int {
    try read { db in
      var count = 0
      try StoredDate.visit(
        of: source,
        meeting: predicates,
        correctedOnly: correctedOnly,
        in: db
      ) { if isCounted($0) { count += 1 } }
      return count
    }
  }
}

extension Catalogue {
  /// Visits the dates of a source's assets under `keep`, with the predicates that each meets; with
  /// `correctedOnly` those alone that differ from what was stated.
  package func visitDates(
    of source: SourceID,
    meeting predicates: [FetchPredicate?],
    correctedOnly: Bool,
    _ body: (StoredDate) throws -> Void
  ) throws(LibraryError) {
    try read { db in
      try StoredDate.visit(of: source, meeting: predicates, correctedOnly: correctedOnly, in: db, body)
    }
  }

  /// The paths of the items of one source that an asset was made of.
  package func itemPaths(
    ofAsset row: Int64,
    of source: SourceID
  ) throws(LibraryError) -> [ItemPath] {
    try read { db in
      try Data.fetchAll(
        db,
        sql: "SELECT path FROM items WHERE asset = ? AND sourceName = ?",
        arguments: [row, source.name]
      ).map { ItemPath(bytes: [UInt8]($0)) }
    }
  }

  /// Corrects the dates of assets by their localIdentifiers, in one transaction: by a shift in seconds, if
  /// their clock was wrong, and by the zone of their clock, if somebody has said it.
  package func correctDates(
    of assets: [String],
    by shift: Int?,
    in zone: LocalTimeZone?,
    run: String
  ) throws(LibraryError) {
    try write { db in
      for asset in assets {
        guard let stored = try StoredDate.read(ofAsset: asset, in: db),
          let corrected = stored.corrected(by: shift, in: zone)
        else { continue }
        try db.cachedStatement(
          sql: """
            UPDATE assets SET creationDate = ?, creationDateOffsetMinutes = ?, creationDateTag = ?,
              creationDateStated = ? WHERE localIdentifier = ?
            """
        ).execute(arguments: [
          corrected.local, corrected.offsetMinutes, corrected.tag,
          corrected == stored.stated ? nil : stored.stated.timestamp, asset,
        ])
        try Self.note(.updated, asset, .date, run: run, in: db)
      }
    }
  }
}
