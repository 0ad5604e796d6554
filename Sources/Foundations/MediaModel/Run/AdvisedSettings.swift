/// What a manifest says of the keys that advice about items names: no advice names one that is set already.
package struct AdvisedSettings: Sendable, Hashable {
  /// `acceptDamaged` is true.
  package var acceptsDamaged = false
  /// The cameras whose `capture.mode` is `photoAndVideo`.
  package var videoSources: Set<SourceID> = []
  /// There are microphones, and the `authorizationStatus` of each is `authorized`.
  package var authorizesMicrophone = false
  /// The sources whose `fetch.includeHiddenAssets` is true.
  package var hiddenSources: Set<SourceID> = []
  /// The sources whose `fetch` has a `predicate` or a `fetchLimit`; nil where that is not known.
  package var filteredSources: Set<SourceID>?
  /// The sources of Photos libraries, whose shared assets are imported with the hidden ones.
  package var photosLibraries: Set<SourceID> = []

  /// Those of a manifest that is not known: nothing is set.
  package init() {}
}
