internal import GRDB
package import MediaModel

private enum OutcomeColumn: Int, QueryColumn {
  case outcome, count

  var sql: String { self == .count ? "count(*)" : name }
}

private enum ContentDigestColumn: Int, QueryColumn {
  case contentDigest
}

extension CatalogueReader {
  /// The numbers of items by their outcomes, and of assets.
  package func outcomeCounts() throws(LibraryError) -> (items: [ItemOutcome: Int], assets: Int) {
    try read { db in
      var counts: [ItemOutcome: Int] = [:]
      let rows = try QueryRow<OutcomeColumn>.fetchAll(
        db,
        "SELECT \(OutcomeColumn.list) FROM items GROUP BY outcome"
      )
      for row in rows {
        if let outcome = ItemOutcome(rawValue: try row[.outcome]) {
          counts[outcome] = try row[.count]
        }
      }
      return (counts, try Int.fetchOne(db, sql: "SELECT count(*) FROM assets") ?? 0)
    }
  }

  /// The keyed digests of content identifiers, of some, that published stills have.
  ///
  /// - Parameters:
  ///   - contentDigests: Of movies, 16 bytes each.
  ///   - source: That of the movies.
  /// - Returns: Those of `contentDigests` that a still of the source has.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func digestsOfStills(
    among contentDigests: Set<[UInt8]>,
    of source: SourceID
  ) throws(LibraryError) -> Set<[UInt8]> {
    try read { db in
      var matches: Set<[UInt8]> = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(ContentDigestColumn.list) FROM assets
          WHERE contentDigest IS NOT NULL AND mediaType = 'image' AND sourceName = ?
          """,
        arguments: [source.name]
      )
      while let row = try rows.next().map(QueryRow<ContentDigestColumn>.init) {
        let digest = try row.bytes(.contentDigest)
        if contentDigests.contains(digest) { matches.insert(digest) }
      }
      return matches
    }
  }
}
