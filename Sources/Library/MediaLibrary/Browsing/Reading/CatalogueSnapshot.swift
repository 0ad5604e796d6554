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
  /// Those of them that any command finishes: files that are added to the photo library are left to a run.
  package let toFinish: Set<[UInt8]>
  /// The assets of the decisions in these batches.
  package let decided: Set<String>
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
      let undone = try Catalogue.undoneBatches(in: db)
      let batches = undone.compactMap(\.staged)
      unfinished = Catalogue.paths(of: batches)
      let waiting = undone.filter { $0.state == .published && $0.staged?.additions != nil }
      toFinish = unfinished.subtracting(Catalogue.paths(of: waiting.compactMap(\.staged)))
      decided = Set(batches.flatMap(\.edits).map(\.asset))
      hasReadableBatches = true
    } catch  where error is DecodingError || error is RowDecodingError {
      (unfinished, toFinish, decided, hasReadableBatches) = ([], [], [], false)
    }
    unentered = try unfinished.filter { try !Catalogue.hasFile($0, in: db) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Catalogue {
  /// The paths, below the library, of the files of batches that are not done: at most two of a run.
  static func unfinishedPaths(in db: Database) throws -> Set<[UInt8]> {
    paths(of: try undoneBatches(in: db).compactMap(\.staged))
  }

  fileprivate static func paths(of batches: [StagedBatch]) -> Set<[UInt8]> {
    Set(batches.flatMap { $0.newPaths + $0.movedPaths }.map { [UInt8]($0.utf8) })
  }
}
