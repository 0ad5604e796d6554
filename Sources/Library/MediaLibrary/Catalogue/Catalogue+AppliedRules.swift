package import GRDB
package import MediaModel

/// The rules of a manifest by which the catalogue has the dates and places of a source's assets; each is only
/// compared, and tells nothing of a file.
package struct AppliedRules: Sendable, Hashable {
  /// The rules for dates that are on, separated by spaces; nil for the default ones.
  package var dates: String?
  /// A digest of the time zone and the wrong clocks; nil without any.
  package var corrections: String?
  /// A digest of the tracks and the names of places; nil without any.
  package var places: String?

  /// Creates the rules of a manifest that says nothing.
  package init() {}
}

extension Catalogue {
  private static let appliedRulesTable = "appliedRules"

  static let appliedRulesCreation = """
    CREATE TABLE \(appliedRulesTable) (
      source TEXT NOT NULL,
      dates TEXT,
      corrections TEXT,
      places TEXT,
      digest INTEGER,
      sourceName TEXT PRIMARY KEY NOT NULL
    );
    """

  private enum RulesColumn: Int, QueryColumn {
    case dates, corrections, places
  }

  /// The rules that a source's rows follow; those of a manifest that says nothing for a source without a row.
  package func appliedRules(of source: SourceID) throws(LibraryError) -> AppliedRules {
    try read { try Self.appliedRules(of: source, in: $0) }
  }

  package static func appliedRules(of source: SourceID, in db: Database) throws -> AppliedRules {
    var rules = AppliedRules()
    let row = try QueryRow<RulesColumn>.fetchOne(
      db,
      "SELECT \(RulesColumn.list) FROM \(appliedRulesTable) WHERE sourceName = ?",
      [source.name]
    )
    guard let row else { return rules }
    rules.dates = try row[.dates]
    rules.corrections = try row[.corrections]
    rules.places = try row[.places]
    return rules
  }

  /// Enters the rules that a source's rows follow from now on; writes nothing where they are the same.
  package func setAppliedRules(
    _ rules: AppliedRules,
    of source: SourceID
  ) throws(LibraryError) {
    if try appliedRules(of: source) == rules { return }
    try write { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO \(Self.appliedRulesTable) (source, sourceName, dates, corrections, places)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [source.kind.rawValue, source.name, rules.dates, rules.corrections, rules.places]
      )
    }
  }
}
