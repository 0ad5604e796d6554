internal import GRDB
internal import MediaModel
package import MediaPredicate

/// Which assets of a library are wanted, and in which order.
package struct AssetQuery: Sendable {
  package var predicate: FetchPredicate?
  /// What is equal by these is in the one order of assets; see ``AssetExpressions/order(by:)``.
  package var sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: false)]
  /// The highest number of assets; 0 for no limit.
  package var limit = 0
  package var album: Album?
  /// Their localIdentifiers; nil for all.
  package var identifiers: [String]?
  /// The rows of the only assets that are wanted; nil for all.
  package var rows: [Int64]?
  /// Hidden assets are wanted too; a predicate that names `isHidden` decides itself.
  package var includesHidden = false
  /// What becomes of assets whose files tell more than their source's policy lets them by now.
  package var unstripped = UnstrippedAssets.included
  /// Whether of each stack one asset is wanted: its cover, or where that is not among the assets, the first that is.
  package var showsCoversOnly = false
  /// Keys whose values are shown, so that it is told of how many assets they are not known.
  package var shownKeys: Set<PredicateKey> = []

  package init() {}

  /// The keys by which it selects and sorts, and those that are shown.
  fileprivate var keys: Set<PredicateKey> {
    Set(sortDescriptors.map(\.key)).union(predicate?.keys ?? []).union(album?.keys ?? [])
      .union(shownKeys)
  }

  /// Whether the index of the assets' own order tells which ones are wanted, and in which order, or that of their
  /// identifiers which ones.
  fileprivate func isOfIndex(_ columns: AssetExpressions) -> Bool {
    if identifiers != nil || predicate?.keys.contains(.localIdentifier) == true { return true }
    return predicate == nil && album == nil && rows == nil && unstripped == .included && !columns.hasFacts
      && sortDescriptors == AssetQuery().sortDescriptors
  }

  fileprivate var showsHidden: Bool {
    includesHidden || album == .smart(.hidden) || identifiers != nil
      || predicate?.keys.contains(.isHidden) == true
  }
}

/// The rows of the assets that a query found, in its order.
package struct AssetSelection: Sendable {
  package var rows: [Int64]
  /// Keys that the query names and `strip` has kept from the catalogue, each with the number of the
  /// library's assets of which they are not known.
  package var unknown: [(key: PredicateKey, assets: Int)]
  /// The number of assets that are none of them, since the command that withdraws them has not come to its end.
  package var withdrawing: Int
}

extension CatalogueReader {
  /// Finds assets.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func select(_ query: AssetQuery) throws(LibraryError) -> AssetSelection {
    try read { db in
      let columns = try AssetExpressions(in: db)
      let withdrawing = try Catalogue.unfinishedMoves(in: db).filter { $0.kind == .withdraw }
        .map(\.asset)
      let (sql, arguments) = try Self.statement(of: query, columns, without: withdrawing, in: db)
      return AssetSelection(
        rows: try Int64.fetchAll(db, sql: sql, arguments: StatementArguments(arguments)),
        unknown: try Self.unknown(query.keys, columns, in: db),
        withdrawing: withdrawing.count
      )
    }
  }

  /// The statement that selects the rows of the assets of a query in its order, without these localIdentifiers.
  static func statement(
    of query: AssetQuery,
    _ columns: AssetExpressions,
    without withdrawing: [String] = [],
    in db: Database
  ) throws -> (sql: String, arguments: [DatabaseValue]) {
    var conditions = ["assets.superseded = 0"]
    var arguments: [DatabaseValue] = []
    if !withdrawing.isEmpty {
      conditions.append("assets.localIdentifier NOT IN (SELECT value FROM json_each(?))")
      arguments.append(String(decoding: TextList.array(withdrawing), as: UTF8.self).databaseValue)
    }
    if let condition = query.predicate?.sql(columns.predicateColumns) {
      conditions.append(condition.text)
      arguments += condition.arguments.map(\.databaseValue)
    }
    if let album = query.album {
      let (condition, values) = album.condition(columns)
      conditions.append(condition)
      arguments += values
    }
    if let (condition, values) = try query.unstripped.condition(in: db) {
      conditions.append(condition)
      arguments += values
    }
    if let identifiers = query.identifiers {
      conditions.append("assets.localIdentifier IN (SELECT value FROM json_each(?))")
      arguments.append(String(decoding: TextList.array(identifiers), as: UTF8.self).databaseValue)
    }
    if let rows = query.rows {
      conditions.append("assets.id IN (SELECT value FROM json_each(?))")
      arguments.append("\(rows)".databaseValue)
    }
    if !query.showsHidden {
      conditions.append("ifnull(\(columns.expression(.isHidden)), 0) = 0")
    }
    let tables = query.isOfIndex(columns) ? columns.tables : columns.tablesInOneRead
    let wanted = "FROM \(tables) WHERE \(conditions.joined(separator: " AND "))"
    let sql = """
      \(query.showsCoversOnly ? coversOnly(wanted, query, columns) : "SELECT assets.id \(wanted)")
      ORDER BY \(columns.order(by: query.sortDescriptors))
      \(query.limit > 0 ? "LIMIT \(query.limit)" : "")
      """
    return (sql, arguments)
  }

  /// The query for the assets of another one, each with all of its stack; hidden ones are among these as they are there.
  ///
  /// Which of them policies leave out, it says as the other one.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func wholeStacks(of query: AssetQuery) throws(LibraryError) -> AssetQuery {
    var chosen = query
    (chosen.limit, chosen.unstripped) = (0, .included)
    var rows = Set(try select(chosen).rows)
    if rows.isEmpty { return query }
    for stack in try stacks(ambiguous: false) where stack.assets.contains(where: rows.contains) {
      rows.formUnion(stack.assets)
    }
    var whole = query
    whole.includesHidden = query.showsHidden
    (whole.predicate, whole.album, whole.identifiers) = (nil, nil, nil)
    whole.rows = rows.sorted()
    return whole
  }

  /// The paths that files have by now, by those in their rows, where the command that gives them other names has not
  /// come to its end.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func renamedPaths() throws(LibraryError) -> [[UInt8]: [UInt8]] {
    try read { db in
      let moves = try Catalogue.unfinishedMoves(in: db).filter { $0.kind != .withdraw }
        .flatMap(\.moves)
      return Dictionary(moves.map { ([UInt8]($0.from.utf8), [UInt8]($0.to.utf8)) }) { $1 }
    }
  }

  /// Selects of each stack the asset that comes first among the wanted ones; none where its cover is hidden.
  private static func coversOnly(
    _ wanted: String,
    _ query: AssetQuery,
    _ columns: AssetExpressions
  ) -> String {
    let hidden = "ifnull(\(columns.expression(.isHidden)), 0) <> 0"
    let orHidden = """
      OR first.asset = first.cover AND EXISTS (
        SELECT 1 FROM \(columns.tables) WHERE assets.id = first.asset AND \(hidden))
      """
    return """
      WITH wanted(id) AS MATERIALIZED (SELECT assets.id \(wanted))
      SELECT assets.id FROM \(columns.tables) WHERE assets.id IN (SELECT id FROM wanted)
        AND NOT EXISTS (
          SELECT 1 FROM stacks AS own JOIN stacks AS first
            ON first.cover = own.cover AND first.kind = own.kind AND first.position < own.position
          WHERE own.asset = assets.id AND own.kind IN \(StackKind.stacked)
            AND (first.asset IN (SELECT id FROM wanted) \(query.showsHidden ? "" : orHidden)))
      """
  }

  private enum Identified: Int, QueryColumn { case id, localIdentifier }

  /// Goes through the identifiers of the current assets, in no order.
  ///
  /// - Parameters:
  ///   - includesHidden: Whether those of hidden assets are among them.
  ///   - initial: The value to begin with; the reading may have to begin again.
  ///   - update: Takes the row and the localIdentifier of an asset.
  /// - Returns: The value in the end.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func reduceIdentifiers<Value>(
    includesHidden: Bool,
    into initial: Value,
    _ update: (inout Value, Int64, String) -> Void
  ) throws(LibraryError) -> Value {
    try read { db in
      let columns = try AssetExpressions(in: db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT assets.id, assets.localIdentifier FROM \(columns.tables) WHERE assets.superseded = 0
          \(includesHidden ? "" : "AND ifnull(\(columns.expression(.isHidden)), 0) = 0")
          """
      )
      var value = initial
      while let row = try rows.next().map(QueryRow<Identified>.init) {
        update(&value, try row.decoded(.id), try row.decoded(.localIdentifier))
      }
      return value
    }
  }

  /// Counts the assets whose policy kept a value from the catalogue.
  private static func unknown(
    _ keys: Set<PredicateKey>,
    _ columns: AssetExpressions,
    in db: Database
  ) throws -> [(key: PredicateKey, assets: Int)] {
    if columns.hasFacts { return [] }
    return try keys.filter(\.isPrivate).sorted { $0.rawValue < $1.rawValue }.compactMap { key in
      let column = key == .mediaSubtypes ? columns.fact(.mediaSubtypes) : columns.expression(key)
      let kind = key.fact?.strip.exception?.rawValue ?? key.rawValue
      let count = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(columns.tables)
          WHERE assets.superseded = 0 AND assets.policy <> 'keep'
            AND instr(assets.policy, '+\(kind)') = 0 AND \(column) IS NULL
          """
      )
      return (count ?? 0) > 0 ? (key, count ?? 0) : nil
    }
  }
}
