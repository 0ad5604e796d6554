/// The content of a library, as one hash that the catalogue keeps and the log quotes.
package struct CatalogueContent: Sendable, Hashable {
  /// The name of the schema: with another one the same content has another hash.
  package var schema: String
  /// 64 lowercase hexadecimal digits.
  package var sha256: String

  package init(schema: String, sha256: String) {
    self.schema = schema
    self.sha256 = sha256
  }
}
