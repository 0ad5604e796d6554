internal import GRDB
package import MediaCatalogue
internal import MediaLibrary
internal import MediaModel

extension CatalogueReader {
  /// Compares the library's digest key with its check value.
  ///
  /// Without a check value, as in a library of an earlier version, a key with another byte cannot be told.
  ///
  /// - Parameter isWhole: Whether the catalogue is as it was written: else its check value is not believed.
  /// - Returns: The damage, for a person; nil when there is none.
  /// - Throws: ``LibraryError`` when the catalogue or the file cannot be read.
  package func digestKeyDamage(isWhole: Bool) throws(LibraryError) -> String? {
    let (library, check) = try read { db in
      (try Catalogue.identifier(in: db), try Catalogue.digestKeyCheck(in: db))
    }
    do throws(LibraryError) {
      _ = try DigestKey.confirmed(in: root, of: library, check: isWhole ? check : nil)
      return nil
    } catch {
      guard error.code == .inconsistent else { throw error }
      return error.description
    }
  }
}

extension CatalogueReader {
  /// The damage of the library's private facts; none where it has none.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite` when they may not be read.
  package func privateFactDamage() throws(LibraryError) -> [String] {
    try PrivateFacts.damage(library: library, root: root, isQuiet: isQuiet)
  }
}
