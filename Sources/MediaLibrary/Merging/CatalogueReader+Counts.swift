internal import GRDB
package import MediaModel

extension CatalogueReader {
  /// The numbers of items by their outcomes, and of assets.
  package func outcomeCounts() throws(LibraryError) -> (items: [ItemOutcome: Int], assets: Int) {
    try read { db in
      var counts: [ItemOutcome: Int] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT outcome, count(*) FROM items GROUP BY outcome") {
        if let outcome = ItemOutcome(rawValue: try row.value(0)) {
          counts[outcome] = try row.value(1)
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
    of source: SourceKind
  ) throws(LibraryError) -> Set<[UInt8]> {
    try read { db in
      var found: Set<[UInt8]> = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT contentDigest FROM assets
          WHERE contentDigest IS NOT NULL AND mediaType = 'image' AND source = ?
          """,
        arguments: [source.rawValue]
      )
      while let row = try rows.next() {
        let digest = try row.withUnsafeData(atIndex: 0) { $0.map([UInt8].init) ?? [] }
        if contentDigests.contains(digest) { found.insert(digest) }
      }
      return found
    }
  }
}
