internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources

/// The GPS tracks of a run's sources, and the names of places.
///
/// They are found by their names before the process is confined, and read one by one behind the record of their
/// source; the names behind that of the first source with something new.
final class SourceTracks {
  /// The files, by source.
  private let filesBySource: [SourceKind: TrackFiles]
  /// The positions of those that were read.
  private(set) var places: [SourceKind: TrackPlaces] = [:]
  /// The file of the names of places, and the sources for which it is read; nil where none of them is.
  private let placeNames: (files: TrackFiles, sources: Set<SourceKind>)?
  /// The names of places once they were read.
  private(set) var names: PlaceNames?
  private var hasReadNames = false

  /// Looks for the tracks of the sources of which positions are stored or asked for; those of others are not read.
  ///
  /// - Parameters:
  ///   - basis: The decisions about the sources.
  ///   - sources: The allowed sources.
  /// - Throws: `RunError` `sourcesOverlap` when a folder that must not hold a track does.
  init(of basis: ListingBasis, _ sources: [PlannedSource]) throws(RunError) {
    let loaded = basis.access.loaded
    let refused = basis.access.foldersWithoutTracks
    var filesBySource: [SourceKind: TrackFiles] = [:]
    for source in sources {
      guard let declaration = loaded.manifest.sources[source.kind], !declaration.tracks.isEmpty,
        Self.isAsked(of: source, basis)
      else { continue }
      filesBySource[source.kind] = try TrackFiles(
        declaration.tracks,
        relativeTo: loaded.folder,
        refused: refused
      )
    }
    self.filesBySource = filesBySource
    let named = sources.filter { Self.isAsked(of: $0, basis) }.map(\.kind)
    placeNames =
      if let path = loaded.placeData, !named.isEmpty {
        (try TrackFiles(placeNames: path, refused: refused), Set(named))
      } else {
        nil
      }
  }

  private static func isAsked(of source: PlannedSource, _ basis: ListingBasis) -> Bool {
    // A plan stores nothing, and compares only what a limit chooses from.
    let isPlan = basis.options.planFolder != nil
    return source.fetch.needsDescriptions && (!isPlan || source.fetch.limitsByContent)
      || !isPlan && (source.policy == .keep || basis.manifest.storesPrivateFacts)
  }

  /// All files.
  var files: [TrackFile] {
    filesBySource.values.flatMap(\.files) + (placeNames?.files.files ?? [])
  }

  /// The files of a source; nil for one whose tracks are not read.
  func files(of source: SourceKind) -> TrackFiles? { filesBySource[source] }

  /// Takes the points of a source's tracks.
  func take(_ points: [TrackPoint], of source: SourceKind, maximumGap: Int) {
    places[source] = TrackPlaces(points, maximumGap: maximumGap)
  }

  /// The file of names of places, if it has to be read for a source; nil where it was read before.
  func fileOfNames(for source: SourceKind) -> TrackFiles? {
    guard !hasReadNames, let placeNames, placeNames.sources.contains(source) else { return nil }
    return placeNames.files
  }

  /// Takes the names of places, nil for a file that has none.
  func take(_ names: PlaceNames?) { (self.names, hasReadNames) = (names, true) }

  /// Completes the facts of a source's file: by a track's place, and then by the names of the place.
  func completed(_ facts: Facts, of source: SourceKind) -> Facts {
    let located = places[source].map(facts.located(by:)) ?? facts
    return names.map(located.named(by:)) ?? located
  }
}
