internal import GRDB
package import MediaModel
internal import MediaPredicate

/// A stack as a person sees it, or files that could be one.
package struct ListedStack: Sendable, Hashable {
  package var kind: StackKind
  /// The rows of its assets, the cover first.
  package var assets: [Int64]
}

extension CatalogueReader {
  /// The stacks of the library in the order of their covers, newest first; with `ambiguous`, the files that
  /// could be stacks in several ways instead.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func stacks(ambiguous: Bool) throws(LibraryError) -> [ListedStack] {
    try read { db in
      let columns = try AssetExpressions(in: db)
      let newest = FetchSortDescriptor(.creationDate, ascending: false)
      let kinds = ambiguous ? "('\(StackKind.ambiguous.rawValue)')" : StackKind.stacked
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(StackColumn.allCases.map { "stacks.\($0.name)" }.joined(separator: ", "))
          FROM stacks JOIN (\(columns.tables)) ON assets.id = stacks.cover
          WHERE stacks.kind IN \(kinds)
          ORDER BY \(columns.order(by: [newest])), stacks.kind, stacks.position
          """
      )
      var stacks: [ListedStack] = []
      var last: Int64?
      while let row = try rows.next().map(QueryRow<StackColumn>.init) {
        let cover: Int64 = try row[.cover]
        guard let kind = StackKind(rawValue: try row[.kind]) else { continue }
        if cover != last || stacks.last?.kind != kind {
          stacks.append(ListedStack(kind: kind, assets: []))
        }
        last = cover
        stacks[stacks.count - 1].assets.append(try row[.asset])
      }
      return stacks
    }
  }

  /// Calls `body` with each stack, as ``stacks(ambiguous:)`` has them, and its assets, the cover first.
  ///
  /// The assets of many stacks are read together, each time at a moment of its own; one that is gone by then is left
  /// out.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachStack(
    ambiguous: Bool,
    _ body: (StackKind, [ListedAsset]) throws -> Void
  ) throws {
    let stacks = try stacks(ambiguous: ambiguous)
    var start = 0
    while start < stacks.count {
      var end = start
      var rows: [Int64] = []
      while end < stacks.count, rows.count < Self.assetsOfAPart {
        rows += stacks[end].assets
        end += 1
      }
      let assets = try assets(rows: rows)
      for stack in stacks[start..<end] {
        try body(stack.kind, stack.assets.compactMap { assets[$0] })
      }
      start = end
    }
  }

  /// Whether any asset was stripped, so that its time of capture is not known to the rules of stacks.
  package func hasAssetsWithoutTime() throws(LibraryError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM assets WHERE superseded = 0 AND policy <> 'keep' AND creationDate IS NULL)
          """
      ) ?? false
    }
  }
}
