package import MediaModel

extension CatalogueReader {
  /// The library's own identifier, made with it.
  package func identifier() throws(LibraryError) -> String {
    try read { try Catalogue.identifier(in: $0) }
  }

  /// The tree of the log, nil when no run has stored one yet, and its whole blocks in their order, of
  /// one moment.
  package func auditTree() throws(LibraryError) -> (encoded: [UInt8]?, blocks: [AuditBlock]) {
    try read { (try Catalogue.auditTree(in: $0), try Catalogue.auditBlocks(in: $0)) }
  }
}
