internal import Foundation
internal import GRDB
package import MediaModel

/// The last outcome of an item, as the catalogue has it.
package struct KnownItem: Sendable, Hashable {
  package var source: SourceID
  package var path: ItemPath
  package var outcome: ItemOutcome
  package var reason: ItemReason?
  /// The identifier of the run that entered it.
  package var run: String
  /// The asset that holds its content; nil when there is none.
  package var asset: KnownAsset?
}

extension CatalogueReader {
  /// The items at a path, one for each source that has one.
  package func items(at path: ItemPath) throws(LibraryError) -> [KnownItem] {
    try read { db in
      try Catalogue.sources(in: db).flatMap { source in
        try Self.items("sourceName = ? AND path = ?", [source.name, Data(path.bytes)], in: db)
      }
    }
  }

  /// The items in folders of their sources whose paths end with a name, at most `limit`.
  ///
  /// Reads each item's path once.
  ///
  /// - Parameters:
  ///   - name: The bytes of a file's name, or of a path with the last of its folders.
  ///   - limit: The largest number of items.
  /// - Returns: The items in the order of their sources and paths.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func items(named name: [UInt8], limit: Int) throws(LibraryError) -> [KnownItem] {
    let end = [UInt8.slash] + name
    return try read { db in
      try Self.items(
        """
        (sourceName, path) IN (SELECT sourceName, path FROM items WHERE substr(path, -?1) = ?2 \
        ORDER BY source, sourceName, path LIMIT ?3)
        """,
        [end.count, Data(end), limit],
        in: db
      )
    }
  }

  /// The items whose content an asset holds.
  ///
  /// - Parameter name: The asset's localIdentifier, or the path of one of its files below the library.
  /// - Returns: The items in the order of their paths; empty when no asset has that name.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func items(ofAsset name: String) throws(LibraryError) -> [KnownItem] {
    try read { db in
      let row = try Int64.fetchOne(
        db,
        sql: """
          SELECT id FROM assets WHERE localIdentifier = :name
          UNION SELECT asset FROM resources WHERE path = :name
          UNION SELECT asset FROM thumbnails WHERE path = :name
          """,
        arguments: ["name": name]
      )
      guard let row else { return [] }
      return try Self.items("asset = ?", [row], in: db)
    }
  }

  /// The identifiers of the assets that have a label; if there are none, of those that begin with a text of at
  /// least `fewestDigits` bytes, in any case; in their order, at most `limit`.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func assets(
    named word: String,
    fewestDigits: Int,
    limit: Int
  ) throws(LibraryError) -> [String] {
    try read { db in
      func identifiers(where condition: String, order: String) throws -> [String] {
        try String.fetchAll(
          db,
          sql: """
            SELECT localIdentifier FROM assets WHERE \(condition) ORDER BY \(order) LIMIT ?2
            """,
          arguments: [word, limit]
        )
      }
      // By the index of the identifiers, each row would be looked up by itself.
      let labeled = try identifiers(where: "label = ?1", order: "+localIdentifier")
      guard labeled.isEmpty, word.utf8.count >= fewestDigits else { return labeled }
      return try identifiers(
        where: "substr(localIdentifier, 1, length(?1)) = ?1 COLLATE NOCASE",
        order: "localIdentifier"
      )
    }
  }

  private static func items(
    _ condition: String,
    _ arguments: StatementArguments,
    in db: Database
  ) throws -> [KnownItem] {
    let rows = try QueryRow<ItemColumn>.fetchAll(
      db,
      "SELECT \(ItemColumn.list) FROM items WHERE \(condition) ORDER BY source, sourceName, path",
      arguments
    )
    return try rows.compactMap { row in
      guard let source = SourceID(kind: try row[.source], name: try row[.sourceName]),
        let outcome = ItemOutcome(rawValue: try row[.outcome])
      else { return nil }
      return KnownItem(
        source: source,
        path: ItemPath(bytes: [UInt8](try row[.path] as Data)),
        outcome: outcome,
        reason: (try row[.reason] as String?).flatMap { ItemReason(rawValue: $0) },
        run: try row[.run],
        asset: try (row[.asset] as Int64?).flatMap { try Catalogue.asset(row: $0, in: db) }
      )
    }
  }
}
