internal import GRDB

/// The named steps that make a catalogue of this version's schema out of nothing, or of an earlier one.
///
/// The first is the base, the schema of the earliest version whose libraries are opened. A step behind it is
/// never changed and only ever appended; a catalogue lists those that it has had, by their names. All that a
/// catalogue lacks are one transaction, so that whatever stops them leaves it as it was.
struct Migrations {
  /// The names that stand for the base: the versions that made it step by step have listed each.
  static let baseNames = [
    "1 library", "2 superseded resources", "3 tracks", "4 audit tree", "5 digest key in a file",
    "6 digests", "7 versions", "8 migrations in the log", "9 failures", "10 views for people",
    "11 history", "12 albums", "13 content identifiers", "14 labels", "15 facts", "16 stacks",
    "17 thumbhash", "18 source albums",
  ]

  private let makeBase: (Database) throws -> Void
  private var steps: [(name: String, migrate: (Database) throws -> Void)] = []
  /// The columns that steps add.
  private var additions: [(step: String, table: String, column: String)] = []

  /// Creates a list that has only the base.
  init(base: @escaping (Database) throws -> Void) { makeBase = base }

  /// The names of all steps, in their order.
  var names: [String] { Self.baseNames + steps.map(\.name) }

  /// Appends a step, or more of the last one, if that has the same name.
  mutating func register(_ name: String, _ migrate: @escaping (Database) throws -> Void) {
    guard let last = steps.last, last.name == name else { return steps.append((name, migrate)) }
    steps[steps.count - 1].migrate = { db in
      try last.migrate(db)
      try migrate(db)
    }
  }

  /// Appends the columns that the base of a table does not have.
  mutating func registerColumns<Column: TableColumn>(of _: Column.Type) {
    for (step, column) in Column.added {
      register(step) { try $0.execute(sql: column.addition) }
      additions.append((step, Column.table, column.name))
    }
  }

  /// The schema that a catalogue's list of migrations stands for.
  enum Standing: Equatable {
    /// It is an empty database.
    case empty
    /// It has had the base and the first so many steps behind it, and no others.
    case steps(Int)
    /// A newer version has written it: it has had all of this version, and more.
    case newer
    /// A version before the base has written it.
    case older
    /// No version writes such a list, or it lacks a step whose columns are there.
    case damaged
  }

  /// Compares the list of a catalogue with these migrations.
  func standing(of db: Database) throws -> Standing {
    guard try db.tableExists("grdb_migrations") else { return .empty }
    let applied = try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
    let count = names.prefix { applied.contains($0) }.count
    guard count == applied.count else { return count == names.count ? .newer : .damaged }
    if applied.isEmpty { return .empty }
    if count < Self.baseNames.count { return .older }
    let isUnlisted = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)"
    for (step, table, column) in additions where !applied.contains(step) {
      if try Bool.fetchOne(db, sql: isUnlisted, arguments: [table, column]) == true {
        return .damaged
      }
    }
    return .steps(count - Self.baseNames.count)
  }

  /// Carries out the steps that the catalogue lacks; belongs into one transaction.
  ///
  /// - Returns: The last step that it had had before; nil when none was lacking, and for a catalogue in
  ///   which no run has begun, so that there is nothing to tell anybody.
  /// - Throws: ``LibraryError`` `.unknownSchema`, `.inconsistent`.
  func apply(to db: Database) throws -> String? {
    var count = 0
    var earlier: String?
    switch try standing(of: db) {
    case .empty:
      try db.execute(
        sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
      )
      try makeBase(db)
      for name in Self.baseNames { try Self.enter(name, in: db) }
    case .steps(let number):
      if number == steps.count { return nil }
      count = number
      earlier = names[Self.baseNames.count + number - 1]
    case .newer: throw Self.newer
    case .older: throw Self.older
    case .damaged:
      throw LibraryError(
        .inconsistent,
        "The catalogue is damaged: \(Self.damage). Keep the library's folder: `mediabatch rebuild` makes "
          + "a new catalogue from its files and its log."
      )
    }
    for step in steps[count...] {
      try step.migrate(db)
      try Self.enter(step.name, in: db)
    }
    try RowDigests.enterSchema(in: db)
    let hasRuns = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM runs)") ?? false
    return hasRuns ? earlier : nil
  }

  private static func enter(_ name: String, in db: Database) throws {
    try db.execute(
      sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
      arguments: [name]
    )
  }

  static let damage = "the list of its migrations is not one that mediabatch writes"

  /// The refusal of a library whose schema only a newer version knows.
  static let newer = LibraryError(
    .unknownSchema,
    "The library was written by a newer mediabatch, in a form that this one does not know. Nothing was "
      + "changed. Use that version or a later one."
  )

  /// The refusal of a library of a version before the base.
  static let older = LibraryError(
    .unknownSchema,
    "The library was last written by a mediabatch of before 25 November 2026, in a form that this one no "
      + "longer reads. Nothing was changed. Run a mediabatch of that day on it once, which changes its form."
  )
}
