internal import GRDB
package import MediaModel

extension CatalogueReader {
  /// The people that the library's current assets name, with the private facts where these are read, and what keywords
  /// with their paths have below people.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func knownPeople() throws(LibraryError) -> KnownPeople {
    try read { db in
      let columns = try AssetExpressions(in: db)
      func forEachText(_ column: AssetColumn, _ condition: String, _ body: (String) -> Void) throws {
        let list = columns.fact(column)
        let texts = try String.fetchCursor(
          db,
          sql: """
            SELECT DISTINCT item.value FROM \(columns.tables),
              json_each(CASE WHEN json_valid(\(list)) THEN \(list) ELSE '[]' END) AS item
            WHERE assets.superseded = 0 AND item.type = 'text' AND \(condition)
            """
        )
        while let text = try texts.next() { body(text) }
      }
      var people = KnownPeople()
      try forEachText(.people, "TRUE") { people.add(person: $0) }
      try forEachText(.keywords, "item.value GLOB '*[/|\\]*'") { people.add(keyword: $0) }
      return people
    }
  }
}
