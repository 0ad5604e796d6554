internal import MediaAudit
internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaSources

extension ConfinedRun {
  /// Corrects dates and places of what is in the library and unchanged, where the manifest has other rules than the
  /// catalogue follows, as far as no file has to be opened for it.
  ///
  /// - Returns: The items whose files have to be read for it, see ``readAgain(_:)``; nil where there are none.
  func correct(_ listed: ComparedSource) throws -> Rereading? {
    try correctDates(listed)
    let rereading = try itemsToRead(listed)
    let assets = try assetsToPlace(listed)
    if rereading != nil || assets?.isEmpty == false { try readPlaces(for: listed.source) }
    if let assets { try revisePlaces(of: assets, listed.source) }
    return rereading
  }

  /// The most assets of a record.
  static let maximumDated = 1000

  /// Corrects the dates of unchanged items in the catalogue, where the manifest corrects them in another way
  /// than an earlier one did: no file is opened, and originals and labels stay.
  ///
  /// The log has each asset before the catalogue has its date.
  private func correctDates(_ listed: ComparedSource) throws {
    let source = listed.source
    guard source.policy == .keep else { return }
    let correction = DateCorrection(loaded.manifest, of: source.id, zone: loaded.timeZones[source.id])
    let catalogue = open.library.catalogue
    var corrected: [(row: Int64, asset: String, shift: Int?)] = []
    try catalogue.visitDates(
      of: source.id,
      meeting: correction.predicates,
      correctedOnly: correction.isEmpty
    ) { stored in
      if !correction.predicates.isEmpty {
        open.account.usedShifts.note(correction.shiftIndex(for: stored), of: source.id)
      }
      guard case .corrected(let shift) = correction.verdict(on: stored) else { return }
      corrected.append((stored.row, stored.localIdentifier, shift))
    }
    if corrected.isEmpty { return }
    corrected = try corrected.filter { try isUnchanged($0.row, in: listed) }
    let groups = Dictionary(grouping: corrected) { $0.shift }
    for (shift, assets) in groups.sorted(by: { $0.key ?? 0 < $1.key ?? 0 }) {
      for start in stride(from: 0, to: assets.count, by: Self.maximumDated) {
        let part = assets[start..<min(start + Self.maximumDated, assets.count)].map { $0.asset }
        open.audit.append(AuditDating(source: source.id, assets: part, shift: shift))
        try open.records.flush()
        try catalogue.correctDates(of: part, by: shift, in: correction.zone, run: open.basis.identifier)
      }
    }
  }

  /// Reports shifts that correct no date: neither of a file that was read, nor of one that the catalogue has. Where
  /// that has no dates, unchanged files may have some that a shift corrects, and nothing is said.
  func noteUnmatchedShifts() {
    if open.basis.options.assignment != nil { return }
    for source in sources.all {
      let unchanged = open.account.tally.counts[source.id]?[.unchanged] ?? 0
      guard source.policy == .keep || unchanged == 0 else { continue }
      open.account.problems += open.account.usedShifts.unmatched(loaded.manifest, of: source.id)
        .map { RunReport.Problem($0) }
    }
  }

  /// Reports what `except` names and no file has, by the catalogue.
  func noteUnusedExceptions() throws(RunError) {
    if open.basis.options.assignment != nil { return }
    for source in sources.all {
      do {
        open.account.problems += try open.library.catalogue
          .unusedExceptions(of: source.policy, in: source.id)
          .map { RunReport.Problem(UnmatchedRule(.except, of: source.id, $0.rawValue)) }
      } catch {
        throw RunError(error)
      }
    }
  }

  /// Whether the source has a file of an asset, by its row, as it was when it was imported.
  func isUnchanged(_ row: Int64, in listed: ComparedSource) throws(LibraryError) -> Bool {
    try open.library.catalogue.itemPaths(ofAsset: row, of: listed.source.id).contains { path in
      listed.listing.items.index(of: path).map { listed.diff.unchanged.contains(itemAt: $0) }
        ?? false
    }
  }
}
