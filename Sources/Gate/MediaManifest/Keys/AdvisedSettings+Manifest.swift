package import MediaModel
internal import MediaPredicate

extension AdvisedSettings {
  /// What a manifest has set of it.
  package init(_ manifest: Manifest) {
    self.init()
    acceptsDamaged = manifest.acceptsDamaged
    videoSources = Self.sources(of: manifest) { $0.captureMode == .photoAndVideo }
    let microphones = manifest.sources.of(.microphone)
    authorizesMicrophone =
      !microphones.isEmpty && microphones.allSatisfy { $0.value.authorizationStatus == .authorized }
    hiddenSources = Self.sources(of: manifest) { $0.includesHiddenAssets == true }
    filteredSources = Self.sources(of: manifest) { $0.fetch.predicate != nil || $0.fetch.fetchLimit > 0 }
    photosLibraries = Self.sources(of: manifest) { $0.layout.leavesOutHidden }
  }

  private static func sources(
    of manifest: Manifest,
    where isMeant: (SourceDeclaration) -> Bool
  ) -> Set<SourceID> {
    Set(manifest.sources.filter { isMeant($0.value) }.map(\.key))
  }
}
