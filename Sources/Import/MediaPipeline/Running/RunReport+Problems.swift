internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaSources

/// The problems that a summary lists although the run goes on, with their texts.
extension RunReport.Problem {
  /// Returns the problems of a source that was listed.
  static func problems(
    in listing: SourceListing,
    _ diff: SourceDiff,
    of source: PlannedSource,
    in manifest: Manifest,
    labels: [ItemPath: String]?
  ) -> [Self] {
    let kind = source.id
    var problems = listing.warnings.map { Self(code: .listing, message: $0) }
    problems += listing.unmatchedRules.map { Self($0) }
    if [.limited, .picked].contains(source.basis), listing.items.isEmpty {
      problems.append(.selectionEmpty(kind, isPicked: source.basis == .picked))
    }
    let unmet = source.selection != nil ? [] : (labels ?? [:]).keys.filter { !listing.contains($0) }
    problems += [
      .labelsNotMet(unmet, of: kind),
      .hardLinked(listing.items.count(of: .hardLinked), of: kind, in: manifest),
      .metadataPolicyChanged(diff.underAnotherPolicy, of: kind, source.policy),
    ].compactMap(\.self)
    return problems
  }

  /// Reports a source to which access was revoked while the run went on.
  static func accessRevoked(_ source: DecidedSource) -> Self {
    Self(
      code: .accessRevoked,
      message: "Access to the \(source.source.displayName) was taken back while the run went on "
        + "(\(source.decision.reason.words)); what was imported before stays."
    )
  }
}
