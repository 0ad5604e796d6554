internal import MediaAudit
internal import MediaDates
internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaPublishing
internal import MediaSources

extension ConfinedRun {
  /// The most assets of a record.
  private static let maximumDated = 1000

  /// Corrects the dates of unchanged items in the catalogue, where the manifest corrects them in another way
  /// than an earlier one did: no file is opened, and originals and labels stay.
  ///
  /// The log has each asset before the catalogue has its date.
  func correctDates(_ listed: ComparedSource) throws {
    let (source, listing, diff) = (listed.source, listed.listing, listed.diff)
    guard source.policy == .keep else { return }
    let correction = DateCorrection(
      loaded.manifest,
      of: source.kind,
      zone: loaded.timeZones[source.kind]
    )
    let catalogue = open.library.catalogue
    var corrected: [(row: Int64, asset: String, shift: Int?)] = []
    try catalogue.visitDates(
      of: source.kind,
      meeting: correction.predicates,
      correctedOnly: correction.isEmpty
    ) { stored in
      guard case .corrected(let shift) = correction.verdict(on: stored) else { return }
      corrected.append((stored.row, stored.localIdentifier, shift))
    }
    if corrected.isEmpty { return }
    corrected = try corrected.filter { one in
      try catalogue.itemPaths(ofAsset: one.row, of: source.kind).contains { path in
        listing.items.index(of: path).map { diff.unchanged.contains(itemAt: $0) } ?? false
      }
    }
    let groups = Dictionary(grouping: corrected) { $0.shift }
    for (shift, assets) in groups.sorted(by: { $0.key ?? 0 < $1.key ?? 0 }) {
      for start in stride(from: 0, to: assets.count, by: Self.maximumDated) {
        let part = assets[start..<min(start + Self.maximumDated, assets.count)].map { $0.asset }
        open.audit.append(.dated(AuditDating(source: source.kind, assets: part, shift: shift)))
        try open.records.flush()
        try catalogue.correctDates(
          of: part,
          by: shift,
          in: correction.zone,
          run: open.run.identifier
        )
      }
    }
  }
}
