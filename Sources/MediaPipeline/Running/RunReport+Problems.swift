internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaPermissions

/// The problems that a summary lists although the run goes on, with their texts.
extension RunReport.Problem {
  /// Returns the problems of a source that was listed.
  static func found(
    in listing: SourceListing,
    _ diff: SourceDiff,
    of source: PlannedSource,
    labels: [ItemPath: String]?
  ) -> [Self] {
    let name = source.kind.displayName
    var problems = listing.warnings.map { Self(code: .listing, message: $0) }
    if source.basis == .limited, listing.items.isEmpty {
      problems.append(
        Self(
          code: .selectionEmpty,
          message: "The \(name) is limited, and its selection shows nothing."
        )
      )
    }
    if source.basis == .picked, listing.items.isEmpty {
      problems.append(
        Self(
          code: .selectionEmpty,
          message: "Nothing was picked from the \(name), so nothing of it was imported."
        )
      )
    }
    let unmet =
      source.selection != nil
      ? [] : (labels ?? [:]).keys.filter { !listing.contains($0) }.sorted()
    if let first = unmet.first {
      problems.append(
        Self(
          code: .labelsNotMet,
          message: Quantity.text(unmet.count, "row") + " of the labels file "
            + (unmet.count == 1 ? "names" : "name")
            + " nothing in the \(name), the first \"\(first.text)\". Mend its path column."
        )
      )
    }
    let linked = listing.items.count(of: .hardLinked)
    if linked > 0 {
      problems.append(
        Self(
          code: .hardLinked,
          message: Quantity.text(linked, "file") + " of the \(name) "
            + (linked == 1 ? "has more than one name and was" : "have more than one name and were")
            + " refused, since another source on that disk is closed. To allow them, write "
            + "\"hardLinks\": \"allow\" under sources.\(source.kind.rawValue)."
        )
      )
    }
    if diff.underAnotherPolicy > 0 {
      problems.append(
        Self(
          code: .metadataPolicyChanged,
          message: Quantity.text(diff.underAnotherPolicy, "item")
            + " of the \(name), written under "
            + "another metadata policy than \"\(source.policy.rawValue)\", will stay as before. "
            + "`mediabatch run --reprocess` writes anew what was written under a looser one."
        )
      )
    }
    return problems
  }

  /// Reports a source to which access was revoked while the run went on.
  static func accessRevoked(_ source: DecidedSource) -> Self {
    Self(
      code: .accessRevoked,
      message: "Access to the \(source.source.displayName) was taken back while the run went on "
        + "(\(source.decision.reason.rawValue)); what was imported before stays."
    )
  }
}
