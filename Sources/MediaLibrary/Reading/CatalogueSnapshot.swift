internal import GRDB
package import MediaModel

/// What a catalogue says at one moment of the files and the log of its library.
package struct CatalogueSnapshot: Sendable {
  /// The library's own identifier.
  package let identifier: String
  /// The position of each run's audit file, oldest first.
  package let positions: [AuditPosition]
  /// What the catalogue says of the library's content; nil in a library of an earlier version.
  package let content: CatalogueContent?
  /// Every file that the library should hold, in the order of its path; empty unless it was asked for,
  /// as are the two that follow.
  package let published: [Catalogue.PublishedFile]
  /// Files that the next run removes.
  package let superseded: [Catalogue.PublishedFile]
  /// The paths, below the library, of the files of batches that are not done: they may not be renamed
  /// yet, not be entered, or not have their outcome records. The next run finishes what this one does
  /// not.
  package let unfinished: Set<[UInt8]>

  /// Reads the catalogue in the transaction of `db`.
  init(_ db: Database, readsFiles: Bool) throws {
    identifier = try Catalogue.identifier(in: db)
    positions = try Catalogue.auditPositions(in: db)
    content = try TableSums.content(in: db)
    guard readsFiles else {
      published = []
      superseded = []
      unfinished = []
      return
    }
    published = try Catalogue.publishedFiles(superseded: false, in: db)
    superseded = try Catalogue.publishedFiles(superseded: true, in: db)
    var paths: Set<[UInt8]> = []
    for batch in try Catalogue.undoneBatches(in: db) {
      for asset in batch.staged?.assets ?? [] {
        paths.formUnion(asset.thumbnails.map { [UInt8]($0.publishedPath.utf8) })
        paths.formUnion(
          asset.resources.map { [UInt8]("\(asset.publishedFolder)/\($0.fileName)".utf8) }
        )
      }
    }
    unfinished = paths
  }
}
