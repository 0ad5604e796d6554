internal import GRDB

extension CatalogueReader {
  /// Whether a person has turned any picture or film of the library.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func hasTurnedAssets() throws(LibraryError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE rotation <> 0 AND superseded = 0)"
      ) ?? false
    }
  }
}
