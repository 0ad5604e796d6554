internal import GRDB
internal import MediaCatalogue
internal import MediaModel

/// What the rows say of a person's decisions.
extension Catalogue {
  /// Writes what a person decided about published assets, and stacks the rest of their folders anew.
  static func enter(_ edits: [LibraryEdit], run: String, in db: Database) throws {
    var folders: [SourceFolder] = []
    for edit in edits {
      switch edit.kind {
      case .label: try relabel(edit, run: run, in: db)
      case .withdraw:
        folders += [try withdraw(edit.asset, run: run, in: db)].compactMap(\.self)
      case .stack, .unstack: folders += try stack(edit, run: run, in: db)
      }
    }
    var seen: Set<SourceFolder> = []
    for folder in folders where seen.insert(folder).inserted {
      try restack(folder, run: run, in: db)
    }
  }
}
