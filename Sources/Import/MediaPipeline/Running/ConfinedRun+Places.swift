internal import MediaLibrary
internal import MediaModel
internal import MediaSources

extension ConfinedRun {
  /// Returns the unchanged assets of a source whose places other tracks, or other names of places, may change,
  /// by their localIdentifiers; nil where the catalogue follows those of the manifest.
  func assetsToPlace(_ listed: ComparedSource) throws -> [String]? {
    let kind = listed.source.id
    let current = AppliedRules(loaded.manifest, of: kind).places
    guard let stored = StoredPlaces(loaded.manifest, of: kind),
      try open.library.catalogue.appliedRules(of: kind).places != current
    else { return nil }
    return try stored.assets(in: open.library).compactMap {
      try isUnchanged($0.row, in: listed) ? $0.asset : nil
    }
  }

  /// Finds the places of assets anew, and their names; no item is opened, and originals and labels stay.
  ///
  /// Where access was taken back before tracks and names were read, the next run does it.
  func revisePlaces(of assets: [String], _ source: PlannedSource) throws {
    let kind = source.id
    guard assets.isEmpty || tracks.areRead(for: kind) else { return }
    let facts = StoredFacts(isPrivate: source.policy != .keep)
    var rules = try open.library.catalogue.appliedRules(of: kind)
    if !assets.isEmpty {
      // After a run that is killed here the manifest may be that of before.
      rules.places = AppliedRules.mixed
      try open.library.catalogue.setAppliedRules(rules, of: kind)
    }
    for start in stride(from: 0, to: assets.count, by: Self.maximumDated) {
      let part = Array(assets[start..<min(start + Self.maximumDated, assets.count)])
      try facts.revise(
        part,
        in: open.library.catalogue,
        open.library.privateFacts,
        run: open.basis.identifier
      ) { _, stored in tracks.revised(stored, of: kind) }
    }
    rules.places = AppliedRules(loaded.manifest, of: kind).places
    try open.library.catalogue.setAppliedRules(rules, of: kind)
  }
}
