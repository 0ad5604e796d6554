internal import GRDB

/// The named steps that make a catalogue of this version's schema out of nothing, or of an earlier one.
///
/// A step is never changed and only ever appended; a catalogue lists those that it has had, by the names
/// that GRDB's `DatabaseMigrator` gives them. That commits after each step; here all that a catalogue
/// lacks are one transaction, so that whatever stops them leaves it as it was.
struct Migrations {
  private var steps: [(name: String, migrate: (Database) throws -> Void)] = []

  /// The names of all steps, in their order.
  var names: [String] { steps.map(\.name) }

  mutating func register(_ name: String, _ migrate: @escaping (Database) throws -> Void) {
    steps.append((name, migrate))
  }

  /// The schema that a catalogue's list of migrations stands for.
  enum Standing: Equatable {
    /// It has had the first so many, and no others.
    case known(Int)
    /// A newer version has written it: it has had all of this version, and more.
    case newer
    /// No version writes such a list.
    case damaged
  }

  /// Compares the list of a catalogue with these migrations; an empty database has had none.
  func standing(of db: Database) throws -> Standing {
    guard try db.tableExists("grdb_migrations") else { return .known(0) }
    let applied = try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
    let count = names.prefix { applied.contains($0) }.count
    if count == applied.count { return .known(count) }
    return count == steps.count ? .newer : .damaged
  }

  /// Carries out the steps that the catalogue lacks; belongs into one transaction.
  ///
  /// - Returns: The last step that it had had before; nil when none was lacking, and for a catalogue in
  ///   which no run has begun, so that there is nothing to tell anybody.
  /// - Throws: ``LibraryError`` `.unknownSchema`, `.inconsistent`.
  func apply(to db: Database) throws -> String? {
    let count: Int
    switch try standing(of: db) {
    case .known(let known): count = known
    case .newer: throw Self.newer
    case .damaged:
      throw LibraryError(
        .inconsistent,
        "The catalogue is damaged: \(Self.damage). Keep the library's folder: `mediabatch rebuild` makes "
          + "a new catalogue from its files and its log."
      )
    }
    guard count < steps.count else { return nil }
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
    )
    for step in steps[count...] {
      try step.migrate(db)
      try db.execute(
        sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
        arguments: [step.name]
      )
    }
    try RowDigests.enterSchema(in: db)
    guard count > 0, try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM runs)") ?? false
    else {
      return nil
    }
    return steps[count - 1].name
  }

  static let damage = "the list of its migrations is not one that mediabatch writes"

  /// The refusal of a library whose schema only a newer version knows.
  static let newer = LibraryError(
    .unknownSchema,
    "The library was written by a newer mediabatch, in a form that this one does not know. Nothing was "
      + "changed. Use that version or a later one."
  )
}
