package import MediaModel

/// The patterns of one selection, indexed so that a lookup does not grow with the number of
/// files that were picked by name.
package struct Selection: Sendable {
  /// The files picked by name, each once, in the order of the manifest.
  package let literals: [ItemPath]
  /// The patterns with a wildcard, in the order of the manifest.
  package let patterns: [SelectionPattern]

  private let index: PatternIndex
  private let literalFolders: Set<[UInt8]>

  package init(_ selection: [SelectionPattern]) {
    var literals: [ItemPath] = []
    var literalSet: Set<[UInt8]> = []
    var folders: Set<[UInt8]> = [[]]
    for pattern in selection {
      guard let bytes = pattern.literalBytes, literalSet.insert(bytes).inserted else { continue }
      let path = ItemPath(bytes: bytes)
      literals.append(path)
      var folder = path.folder
      while !folder.isEmpty, folders.insert(Array(folder)).inserted {
        folder = ItemPath(bytes: Array(folder)).folder
      }
    }
    self.literals = literals
    index = PatternIndex(selection)
    literalFolders = literals.isEmpty ? [] : folders
    patterns = selection.filter { !$0.isLiteral }
  }

  /// Whether a person picked this item.
  package func contains(_ path: ItemPath) -> Bool {
    index.contains(path)
  }

  /// Whether a listing has to enter this folder; the empty path is the source itself.
  package func couldMatchBeneath(_ folder: ItemPath) -> Bool {
    if literalFolders.contains(folder.bytes) { return true }
    let names = SelectionPattern.split(folder)
    return patterns.contains { $0.couldMatchBeneath(names) }
  }
}
