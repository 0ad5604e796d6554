package import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// What a person has decided about a group of assets that look alike, by their localIdentifiers.
package enum SimilarDecision: Sendable, Hashable {
  /// The first ones stay, and the others are withdrawn.
  case keep([String], withdrawing: [String])
  /// They become one stack; the first is the cover.
  case stack([String])
  /// They are not the same: no group has two of them again.
  case distinguish([String])
}

/// Carries out what was decided about groups of assets that look alike.
///
/// What stays has to be there when the others go: an asset that was withdrawn meanwhile, or whose original is lost,
/// stops the command before anything is changed.
package struct SimilarEdit: AssetDecision {
  package let name = "similar"
  package let subject = "what moves the library's files"
  private let decisions: [SimilarDecision]

  package init(_ decisions: [SimilarDecision]) { self.decisions = decisions }

  package func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws {
    var withdrawn: [String] = []
    for decision in decisions {
      switch decision {
      case .keep(let kept, let others):
        for asset in kept { try requireOriginals(of: asset, in: library) }
        withdrawn += others
      case .stack(let assets):
        try StackEdit(assets, isApart: false).plan(&edit, in: library, run: run)
      case .distinguish(let assets):
        edit.edits.append(LibraryEdit(.distinguish, assets.sorted()))
      }
    }
    // Behind the stacks, which assets leave that go.
    try Withdrawing(withdrawn).plan(&edit, in: library, run: run)
  }

  private func requireOriginals(of asset: String, in library: Library) throws {
    let identifier = try AssetArgument.asset(asset, in: library)
    guard let edited = try library.catalogue.assetToEdit(identifier) else { return }
    if let lost = edited.media.first(where: { !library.hasFile($0.path) }) {
      throw RunError.missing(lost.path, so: "withdrawn")
    }
  }
}
