internal import GRDB
package import MediaModel

/// The rows of a catalogue, at one moment, about the log of its library and batches that are not done.
package struct CatalogueSnapshot: Sendable {
  /// The library's own identifier.
  package let identifier: String
  /// The position of each run's audit file, oldest first.
  package let positions: [AuditPosition]
  /// The content of the library; nil when a sum is missing.
  package let content: CatalogueContent?
  /// The paths, below the library, of the files of batches that are not done: they may not be renamed
  /// yet, not be entered, or not have their outcome records. The next run finishes what this one does
  /// not.
  package let unfinished: Set<[UInt8]>
  /// Whether these batches can be read; else their files are not known.
  package let hasReadableBatches: Bool
  /// Those of them that are not entered, in the order of their bytes.
  package let unentered: [[UInt8]]

  /// Reads the catalogue in the transaction of `db`.
  init(_ db: Database) throws {
    identifier = try Catalogue.identifier(in: db)
    positions = try Catalogue.auditPositions(in: db)
    content = try TableSums.content(in: db)
    do {
      unfinished = try Catalogue.unfinishedPaths(in: db)
      hasReadableBatches = true
    } catch  where error is DecodingError || error is RowDecodingError {
      (unfinished, hasReadableBatches) = ([], false)
    }
    unentered = try unfinished.filter { try !Catalogue.hasFile($0, in: db) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Catalogue {
  /// The paths, below the library, of the files of batches that are not done: at most two of a run.
  static func unfinishedPaths(in db: Database) throws -> Set<[UInt8]> {
    let batches = try undoneBatches(in: db).compactMap(\.staged)
    return Set(batches.flatMap { $0.newPaths + $0.movedPaths }.map { [UInt8]($0.utf8) })
  }
}
