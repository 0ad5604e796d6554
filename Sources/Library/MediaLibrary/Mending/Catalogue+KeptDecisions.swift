internal import GRDB
internal import MediaModel

/// Decisions of a person whose records are in a lost file of the log, and albums of sources, which no log
/// has.
extension Catalogue {
  /// Takes over the labels, turns, stacks and distinctions of a person that the log does not tell, for the assets that are here.
  ///
  /// The history of before says which run an asset has them from. A label counts where the asset's files have
  /// it. A stack counts where the log of its run is lost, or that of the run of an asset in it, unless a run
  /// that the catalogue of before does not know has decided about one of its assets.
  ///
  /// - Parameters:
  ///   - earlier: The catalogue of before.
  ///   - logged: The runs that have a log.
  /// - Throws: ``LibraryError`` when this catalogue cannot be written.
  package func keepDecisions(
    of earlier: EarlierCatalogue,
    notLoggedBy logged: Set<String>
  ) throws(LibraryError) {
    let labels = earlier.labels.filter { !logged.contains($0.run) }
    let edits = (earlier.rotations + earlier.distinctions).filter { !logged.contains($0.run) }
    let stackings = earlier.stackings
    if labels.isEmpty && edits.isEmpty && stackings.isEmpty { return }
    let earlierRuns = Set(earlier.auditPositions.map(\.run))
    try write { db in
      for label in labels
      where try Self.label(of: label.localIdentifier, in: db) == label.label {
        try Self.keepRun(label.run, of: earlier, in: db)
        try Self.enter([LibraryEdit(.label, [label.localIdentifier])], run: label.run, in: db)
      }
      for kept in edits {
        try Self.keepRun(kept.run, of: earlier, in: db)
        try Self.enter([kept.edit], run: kept.run, in: db)
      }
      let decided = try Self.assetsStacked(notBy: earlierRuns, in: db)
      for kept in stackings where decided.isDisjoint(with: kept.edit.assets) {
        let runs = try kept.edit.assets.compactMap { asset in
          try String.fetchOne(
            db.cachedStatement(sql: "SELECT run FROM assets WHERE localIdentifier = ? AND superseded = 0"),
            arguments: [asset]
          ).map { (asset: asset, run: $0) }
        }
        let lostRun = kept.runs.last { !logged.contains($0) }
        guard let run = lostRun ?? kept.runs.last,
          lostRun != nil || runs.contains(where: { !logged.contains($0.run) }),
          runs.count > (kept.edit.kind == .unstack ? 0 : 1)
        else { continue }
        try Self.keepRun(run, of: earlier, in: db)
        try Self.enter([LibraryEdit(kept.edit.kind, runs.map(\.asset))], run: run, in: db)
      }
    }
  }

  /// Takes over what the next run of a source reads again: its albums, the rules by which dates and places were
  /// found, and which assets it calls hidden or favorites.
  ///
  /// - Throws: ``LibraryError`` when this catalogue cannot be written.
  package func keepSourceFacts(of earlier: EarlierCatalogue) throws(LibraryError) {
    try write { db in
      try? earlier.queue.read { old in
        let tables = try KeptTables(old, db)
        for rules in try tables.rows(of: "appliedRules") {
          try tables.insert(rules, into: "appliedRules")
        }
        for album in try tables.rows(of: "albums") {
          try tables.insert(album, into: "albums")
          let number = db.lastInsertedRowID
          for item in try tables.rows(of: "albumItems", where: "album", is: album["id"]) {
            try tables.insert(item, into: "albumItems", replacing: ["album": number])
          }
        }
        for mark in ["isHidden", "isFavorite"] {
          for asset in try tables.rows(of: "assets", where: mark, is: true.databaseValue) {
            try db.execute(
              sql: "UPDATE assets SET \(mark) = 1 WHERE localIdentifier = ?",
              arguments: [asset["localIdentifier"]]
            )
          }
        }
      }
    }
  }

  /// Takes over the row of a run without a log, so that its loss is not forgotten.
  private static func keepRun(
    _ run: String,
    of earlier: EarlierCatalogue,
    in db: Database
  ) throws {
    _ = try? earlier.queue.read { try KeptTables($0, db).keepRun(run.databaseValue) }
  }

  /// The assets about whose stacks other runs than these have decided.
  private static func assetsStacked(
    notBy runs: Set<String>,
    in db: Database
  ) throws -> Set<String> {
    var assets: Set<String> = []
    let changes = try Row.fetchCursor(
      db,
      sql: "SELECT localIdentifier, run FROM changes WHERE what = ?",
      arguments: [ChangedPart.stack.rawValue]
    )
    while let change = try changes.next() {
      if !runs.contains(change["run"]) { assets.insert(change["localIdentifier"]) }
    }
    return assets
  }
}

extension EarlierCatalogue {
  /// A label that a person has given an asset, and the run that did it.
  struct KeptLabel {
    var localIdentifier: String
    var label: String
    var run: String
  }

  /// A stack that a person has made, or an asset that a person took out of one.
  struct KeptStacking {
    var edit: LibraryEdit
    /// The runs that have last changed the stacks of its assets.
    var runs: [String]
  }

  /// The labels that persons gave; empty when they cannot be read.
  var labels: [KeptLabel] {
    read { db in
      try Row.fetchAll(
        db,
        sql: """
          WITH newest AS (\(Self.newestChanges(.label)))
          SELECT assets.localIdentifier, assets.label, newest.run FROM assets
          JOIN newest ON newest.localIdentifier = assets.localIdentifier
          WHERE assets.relabelled IS NOT NULL AND \(try Self.isWhole("assets", in: db))
          """
      ).map { row in
        KeptLabel(localIdentifier: row["localIdentifier"], label: row["label"], run: row["run"])
      }
    } ?? []
  }

  /// The assets that persons turned, each with the run that did it last; empty when they cannot be read.
  var rotations: [(edit: LibraryEdit, run: String)] {
    read { db in
      try Row.fetchAll(
        db,
        sql: """
          WITH newest AS (\(Self.newestChanges(.rotation)))
          SELECT assets.localIdentifier, assets.rotation, newest.run FROM assets
          JOIN newest ON newest.localIdentifier = assets.localIdentifier
          WHERE \(try Self.isWhole("assets", in: db))
          """
      ).map { row in
        var edit = LibraryEdit(.rotate, [row["localIdentifier"]])
        edit.rotation = row["rotation"] ?? 0
        return (edit, row["run"])
      }
    } ?? []
  }

  /// The decisions of persons about stacks; empty when they cannot be read.
  var stackings: [KeptStacking] {
    read { db in
      var stackings: [KeptStacking] = []
      var last: (cover: Int64, kind: String)?
      let rows = try Row.fetchCursor(
        db,
        sql: """
          WITH newest AS (\(Self.newestChanges(.stack)))
          SELECT stacks.cover, stacks.kind, assets.localIdentifier, newest.run FROM stacks
          JOIN assets ON assets.id = stacks.asset
          LEFT JOIN newest ON newest.localIdentifier = assets.localIdentifier
          WHERE stacks.kind IN (?, ?) AND \(try Self.isWhole("stacks", in: db))
          ORDER BY stacks.kind, stacks.cover, stacks.position
          """,
        arguments: [StackKind.apart.rawValue, StackKind.user.rawValue]
      )
      while let row = try rows.next() {
        let key: (cover: Int64, kind: String) = (row["cover"], row["kind"])
        if last.map({ $0 != key }) ?? true {
          let kind: LibraryEdit.Kind = key.kind == StackKind.apart.rawValue ? .unstack : .stack
          stackings.append(KeptStacking(edit: LibraryEdit(kind, []), runs: []))
        }
        last = key
        let index = stackings.count - 1
        stackings[index].edit.assets.append(row["localIdentifier"])
        if let run = row["run"] as String? { stackings[index].runs.append(run) }
      }
      return stackings
    } ?? []
  }

  /// The newest change of each asset in a part, as a statement in SQL: with `max`, SQLite takes the other
  /// columns of a group from the row that has the maximum.
  ///
  /// Source: SQLite, "Bare columns in an aggregate query".
  private static func newestChanges(_ part: ChangedPart) -> String {
    """
    SELECT localIdentifier, run, max(sequence) FROM changes
    WHERE what = '\(part.rawValue)' GROUP BY localIdentifier
    """
  }

  private static func isWhole(_ table: String, in db: Database) throws -> String {
    try DigestedTable.all(in: db).first { $0.name == table }?.isWhole() ?? "0"
  }
}
