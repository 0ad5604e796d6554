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
  /// The sources of which a track was not used, or a pattern matched nothing.
  private var incomplete: Set<SourceKind> = []
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

  /// Takes the points of a source's tracks, and whether they are those of all of them.
  func take(_ points: [TrackPoint], of source: SourceKind, maximumGap: Int, areAll: Bool) {
    places[source] = TrackPlaces(points, maximumGap: maximumGap)
    if !areAll { incomplete.insert(source) }
  }

  /// Whether all was read that gives places to the files of a source, as far as it can be.
  func areRead(for source: SourceKind) -> Bool {
    (filesBySource[source] == nil || places[source] != nil) && fileOfNames(for: source) == nil
  }

  /// The file of names of places, if it has to be read for a source; nil where it was read before.
  func fileOfNames(for source: SourceKind) -> TrackFiles? {
    guard !hasReadNames, let placeNames, placeNames.sources.contains(source) else { return nil }
    return placeNames.files
  }

  /// Takes the names of places, nil for a file that has none.
  func take(_ names: PlaceNames?) { (self.names, hasReadNames) = (names, true) }

  /// Finds the place of an asset anew, and its name.
  ///
  /// A track that was not used takes no place away, and a file without names no name.
  ///
  /// - Parameters:
  ///   - stored: The facts that the library has.
  ///   - source: Its source.
  /// - Returns: The facts, with another place or none.
  func revised(_ stored: Facts, of source: SourceKind) -> Facts {
    var facts = completed(stored.withoutFoundPlace, of: source)
    if facts.description?.place == nil, incomplete.contains(source) {
      facts.description?.place = stored.description?.place
      facts.description?.placeTag = stored.description?.placeTag
    }
    if facts.description?.place != nil { facts.hasLocation = true }
    if placeNames != nil, names == nil, facts.description?.place == stored.description?.place {
      facts.description?.placeName = stored.description?.placeName
    }
    return facts
  }

  /// Completes the facts of a source's file: by a track's place, and then by the names of the place.
  func completed(_ facts: Facts, of source: SourceKind) -> Facts {
    let located = places[source].map(facts.located(by:)) ?? facts
    return names.map(located.named(by:)) ?? located
  }
}
