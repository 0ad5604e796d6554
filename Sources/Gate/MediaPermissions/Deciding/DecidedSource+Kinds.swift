package import MediaManifest
package import MediaModel

extension DecidedSource {
  /// The sources of each kind at each level, in the order of their first ones.
  ///
  /// A usage description is of a kind, and so is a question. A source from which a person picks for a run stands alone, and
  /// no source stands with one that somebody else has decided about: an answer to the question may not be theirs.
  package static func byKind(_ sources: [DecidedSource]) -> [[DecidedSource]] {
    var groups: [[DecidedSource]] = []
    for source in sources {
      let index = groups.firstIndex { group in
        group[0].source.kind == source.source.kind && group[0].level == source.level
          && !group[0].input.mustPick && !source.input.mustPick
          && (group[0].decidedBy == source.decidedBy || group[0].isAsked && source.isAsked)
      }
      if let index { groups[index].append(source) } else { groups.append([source]) }
    }
    return groups
  }

  private var isAsked: Bool { decision.outcome == .ask }
}

extension Manifest {
  /// The sources about which a denial of one is: those of its kind, that one first.
  package func sources(deniedWith source: SourceID, at level: AccessLevel) -> [SourceID] {
    if level == .addOnly { return [source] }
    return [source] + sources.of(source.kind).map(\.key).filter { $0 != source }
  }
}
