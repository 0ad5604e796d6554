package import MediaManifest
package import MediaModel
internal import MediaPredicate

/// The GPS tracks of a run's sources, and the names of places.
///
/// They are found by their names before the process is confined, and read one by one behind the record of their
/// source; the names behind that of the first source with something new.
package final class SourceTracks {
  /// The files, by source.
  private let filesBySource: [SourceID: TrackFiles]
  /// The positions of those that were read.
  private var places: [SourceID: TrackPlaces] = [:]
  /// The sources of which a track was not used, or a pattern matched nothing.
  private var incomplete: Set<SourceID> = []
  /// The file of the names of places, and the sources for which it is read; nil where none of them is.
  private let placeNames: (files: TrackFiles, sources: Set<SourceID>)?
  /// The names of places once they were read.
  private var names: PlaceNames?
  private var hasReadNames = false

  /// Looks for the tracks of the sources of which positions are stored or asked for; those of others are not read.
  ///
  /// - Parameters:
  ///   - sources: The allowed sources.
  ///   - manifest: The manifest.
  ///   - folder: Its folder, absolute.
  ///   - placeData: The absolute path of the file of names of places; nil without one.
  ///   - refused: Absolute paths of folders that must not hold a track.
  ///   - isPlan: Whether nothing is stored, and only what a limit chooses from is compared.
  /// - Throws: `RunError` `sourcesOverlap` when a folder that must not hold a track does.
  package init(
    of sources: [PlannedSource],
    _ manifest: Manifest,
    in folder: [UInt8],
    placeData: [UInt8]?,
    refused: [[UInt8]],
    isPlan: Bool
  ) throws(RunError) {
    let asked = sources.filter { source in
      source.fetch.needsDescriptions && (!isPlan || source.fetch.limitsByContent)
        || !isPlan && (source.policy == .keep || manifest.storesPrivateFacts)
    }
    var filesBySource: [SourceID: TrackFiles] = [:]
    for source in asked {
      guard let declaration = manifest.sources[source.id], !declaration.tracks.isEmpty
      else { continue }
      filesBySource[source.id] = try TrackFiles(declaration.tracks, relativeTo: folder, refused: refused)
    }
    self.filesBySource = filesBySource
    placeNames =
      if let placeData, !asked.isEmpty {
        (
          try TrackFiles(placeNames: placeData, sha256: manifest.placeDataSHA256, refused: refused),
          Set(asked.map(\.id))
        )
      } else {
        nil
      }
  }

  /// All files.
  package var files: [TrackFile] {
    filesBySource.values.flatMap(\.files) + (placeNames?.files.files ?? [])
  }

  /// The files of a source; nil for one whose tracks are not read, and where they were read before.
  package func files(of source: SourceID) -> TrackFiles? {
    places[source] == nil ? filesBySource[source] : nil
  }

  /// Takes the points of a source's tracks, and whether they are those of all of them.
  package func take(_ points: [TrackPoint], of source: SourceID, maximumGap: Int, areAll: Bool) {
    places[source] = TrackPlaces(points, maximumGap: maximumGap)
    if !areAll { incomplete.insert(source) }
  }

  /// Whether all was read that gives places to the files of a source, as far as it can be.
  package func areRead(for source: SourceID) -> Bool {
    (filesBySource[source] == nil || places[source] != nil) && fileOfNames(for: source) == nil
  }

  /// The file of names of places, if it has to be read for a source; nil where it was read before.
  package func fileOfNames(for source: SourceID) -> TrackFiles? {
    guard !hasReadNames, let placeNames, placeNames.sources.contains(source) else { return nil }
    return placeNames.files
  }

  /// Takes the names of places, nil for a file that has none.
  package func take(_ names: PlaceNames?) { (self.names, hasReadNames) = (names, true) }

  /// Finds the place of an asset anew, and its name, by what the library has of it or what its file says.
  ///
  /// A track that was not used takes no place away, and a file without names no name.
  ///
  /// - Parameters:
  ///   - stored: The facts that the library has.
  ///   - read: Those of its file; nil where it is not read.
  ///   - source: Its source.
  /// - Returns: The facts, with another place or none.
  package func revised(_ stored: Facts, _ read: Facts? = nil, of source: SourceID) -> Facts {
    var facts = completed((read ?? stored).withoutFoundPlace, of: source)
    if facts.description?.place == nil, facts.description?.placeTag == nil, incomplete.contains(source),
      stored.description?.placeTag == TrackPlaces.tag
    {
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
  package func completed(_ facts: Facts, of source: SourceID) -> Facts {
    let located = places[source].map(facts.located(by:)) ?? facts
    return names.map(located.named(by:)) ?? located
  }
}
