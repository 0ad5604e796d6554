internal import GRDB
package import MediaModel

/// The metadata policies that sources have by now, by which assets are found whose files tell more.
///
/// Such an asset is unstripped: it was written under a looser policy than its source has now, as a file
/// is that `--reprocess` cannot strip. An asset that also has an item of a source whose policy lets it be
/// as it is is not.
package struct RequiredPolicies: Sendable, Hashable, CustomStringConvertible {
  /// By source; an asset of another source is never unstripped.
  package var policies: [SourceID: MetadataPolicy]

  package init(_ policies: [SourceID: MetadataPolicy]) { self.policies = policies }

  /// Equal for equal policies.
  package var description: String {
    policies.map { "\($0.key.name) \($0.value.rawValue)" }.sorted().joined(separator: ", ")
  }

  private enum WrittenColumn: Int, QueryColumn {
    case source, sourceName, policy
  }

  /// The condition that an asset is unstripped, with the arguments of its question marks.
  func condition(in db: Database) throws -> (text: String, arguments: [DatabaseValue]) {
    let written = try QueryRow<WrittenColumn>.fetchAll(
      db,
      "SELECT DISTINCT \(WrittenColumn.list) FROM assets WHERE superseded = 0"
    )
    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    for row in written {
      let (name, word): (String, String) = (try row[.sourceName], try row[.policy])
      guard let policy = MetadataPolicy(rawValue: word),
        let required = SourceID(kind: try row[.source], name: name).flatMap({ policies[$0] }),
        !policy.isAtLeastAsStrict(as: required)
      else { continue }
      let lax = policies.filter { policy.isAtLeastAsStrict(as: $0.value) }.map(\.key.name)
      conditions.append(
        """
        assets.sourceName = ? AND assets.policy = ? AND NOT EXISTS (
          SELECT 1 FROM items WHERE items.asset = assets.id
            AND items.sourceName IN (SELECT value FROM json_each(?)))
        """
      )
      arguments += [name.databaseValue, word.databaseValue]
      arguments.append(String(decoding: TextList.array(lax.sorted()), as: UTF8.self).databaseValue)
    }
    let text = conditions.map { "(\($0))" }.joined(separator: " OR ")
    return (conditions.isEmpty ? "0" : "(\(text))", arguments)
  }
}

/// What a query does with assets that are unstripped by ``RequiredPolicies``.
package enum UnstrippedAssets: Sendable, Hashable {
  case included
  case leftOut(RequiredPolicies)
  /// They alone are wanted.
  case only(RequiredPolicies)

  /// The condition of a query; nil when it has none.
  func condition(in db: Database) throws -> (text: String, arguments: [DatabaseValue])? {
    switch self {
    case .included: return nil
    case .only(let required): return try required.condition(in: db)
    case .leftOut(let required):
      let (text, arguments) = try required.condition(in: db)
      return ("NOT \(text)", arguments)
    }
  }
}

extension Catalogue {
  /// The number of assets that are unstripped by these policies.
  package func unstrippedCount(_ required: RequiredPolicies) throws(LibraryError) -> Int {
    try read { db in
      let (text, arguments) = try required.condition(in: db)
      return try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM assets WHERE superseded = 0 AND \(text)",
        arguments: StatementArguments(arguments)
      ) ?? 0
    }
  }

  /// The metadata which a policy leaves, and which no asset has that was written under it; only those of which the
  /// catalogue has a column, and none while there is no such asset.
  package func unusedExceptions(
    of policy: MetadataPolicy,
    in source: SourceID
  ) throws(LibraryError) -> [MetadataException] {
    let facts = FactColumn.all.filter { $0.strip.exception.map(policy.except.contains) == true }
    let kinds = MetadataException.allCases.filter { kind in facts.contains { $0.strip.exception == kind } }
    if kinds.isEmpty { return [] }
    let counts = kinds.map { kind in
      let conditions = facts.filter { $0.strip.exception == kind }.map {
        "ifnull(\($0.column.name), 0) IS NOT 0"
      }
      return "total(\(conditions.joined(separator: " OR ")))"
    }
    return try read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT \(counts.joined(separator: ", ")), count(*) FROM assets
          WHERE superseded = 0 AND sourceName = ? AND policy = ?
          """,
        arguments: [source.name, policy.rawValue]
      )
      guard let row, (row[kinds.count] as Int? ?? 0) > 0 else { return [] }
      return kinds.indices.filter { (row[$0] as Double? ?? 0) == 0 }.map { kinds[$0] }
    }
  }

  /// The number of originals that the next start removes.
  package func supersededOriginalCount() throws(LibraryError) -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM resources WHERE superseded = ?",
        arguments: [FileState.superseded.rawValue]
      ) ?? 0
    }
  }
}

extension CatalogueReader {
  /// The sources whose policies decide whether an asset is unstripped: none where every asset was written
  /// under the strictest policy.
  package func sourcesOfLooseAssets() throws(LibraryError) -> Set<SourceID> {
    try read { db in
      let isLoose = try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE superseded = 0 AND policy <> ?)",
        arguments: [MetadataPolicy.strip.rawValue]
      )
      guard isLoose == true else { return [] }
      return Set(try Catalogue.sources(in: db))
    }
  }
}
