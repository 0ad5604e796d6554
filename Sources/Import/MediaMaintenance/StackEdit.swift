package import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// Stacks assets as a person wants it, or takes assets out of their stacks; no file of an asset is opened.
package struct StackEdit: AssetDecision {
  package var name: String { kind.rawValue }
  package let subject = "what writes the library's catalogue"
  private let words: [String]
  private let kind: LibraryEdit.Kind

  /// - Parameters:
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has. Whole stacks come
  ///     with each of their assets. The first is the new cover.
  ///   - isApart: Whether the assets are taken out of their stacks; otherwise they become one.
  package init(_ words: [String], isApart: Bool) {
    self.words = words
    kind = isApart ? .unstack : .stack
  }

  /// Finds the assets, each with the stack that it is in; nothing when they are this stack already, or in none.
  package func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws {
    var assets: [String] = []
    var seen: Set<String> = []
    var areStacked = false
    for word in words {
      let named = try AssetArgument.asset(word, in: library)
      // The others of its stack were seen with it.
      if seen.contains(named) { continue }
      let stack = try library.catalogue.stack(of: named)
      areStacked = areStacked || stack.count > 1
      // The asset that was named comes before the others of its stack, so that it can become the cover.
      for asset in [named] + stack where seen.insert(asset).inserted { assets.append(asset) }
    }
    if kind == .stack {
      guard assets.count > 1 else {
        throw RunError(.noSuchAsset, "A stack has two assets or more. Name each of them.")
      }
      areStacked = try library.catalogue.stack(of: assets[0]) != assets
    }
    if areStacked { edit.edits.append(LibraryEdit(kind, assets)) }
  }
}
