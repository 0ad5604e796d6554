package import MediaManifest
package import MediaModel

/// The shifts of a manifest by which a date of a file, or one of the catalogue, was corrected.
package final class UsedShifts {
  /// By source, once a date of it was compared with the shifts.
  private var used: [SourceID: Set<Int>] = [:]

  package init() {}

  /// Notes that a date was compared with the shifts of its source; `index` is that of the one that corrects it.
  package func note(_ index: Int?, of source: SourceID) {
    if let index { used[source, default: []].insert(index) } else if used[source] == nil { used[source] = [] }
  }

  /// The shifts of a source that correct none of the dates that were compared; empty where none was.
  package func unmatched(_ manifest: Manifest, of source: SourceID) -> [UnmatchedRule] {
    guard let used = used[source], let shifts = manifest.sources[source]?.dates.shifts else { return [] }
    return shifts.indices.filter { !used.contains($0) }
      .map { UnmatchedRule(.shift, of: source, shifts[$0].text) }
  }
}
