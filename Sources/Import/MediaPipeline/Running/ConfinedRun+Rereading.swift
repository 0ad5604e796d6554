internal import MediaAudit
internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaSources

extension ConfinedRun {
  /// Unchanged items, with their sidecars, whose dates only their files tell.
  struct Rereading {
    var items: PendingItems
    var files: [ItemPath: DatesToRead.File] = [:]
  }

  /// Returns the unchanged items of a source whose files are read again, since the manifest has other rules for
  /// dates than those that the catalogue follows; nil where there are none.
  func itemsToRead(_ listed: ComparedSource) throws -> Rereading? {
    let (kind, items) = (listed.source.id, listed.listing.items)
    let applied = try open.library.catalogue.appliedRules(of: kind)
    let zone = loaded.timeZones[kind]
    guard let dates = DatesToRead(loaded.manifest, of: kind, zone: zone, applied: applied)
    else { return nil }
    var reading = Rereading(items: PendingItems(of: items))
    var indexes: Set<Int> = []
    for file in try dates.files(in: open.library) {
      guard let index = items.index(of: file.path), listed.diff.unchanged.contains(itemAt: index)
      else { continue }
      reading.files[file.path] = file
      indexes.insert(index)
      for path in [file.path, items.leader(at: index)].compactMap(\.self) {
        indexes.formUnion(items.sidecars(of: path).compactMap { items.index(of: $0.path) })
      }
    }
    let diff = listed.diff
    for index in indexes.sorted()
    where items.reason(at: index) == nil && !diff.failedBefore.contains(itemAt: index) {
      reading.items.append(itemAt: index, number: 0)
    }
    if reading.files.isEmpty { try noteDateRules(of: kind) }
    return reading.files.isEmpty ? nil : reading
  }

  /// Reads files of unchanged items again, each behind its access record, and corrects their dates and places in
  /// the catalogue, or in the private facts; originals and labels stay, and so does what cannot be read.
  ///
  /// Where access was taken back before all were read, the next run begins again.
  func readAgain(_ work: Work) throws(RunError) {
    guard let reading = work.rereading else { return }
    var count = 0
    try facts(of: reading.items, work.source, saved: reading.files.mapValues(\.saved)) {
      (items) throws(RunError) in
      var factsByAsset: [String: Facts] = [:]
      for item in items {
        guard let file = reading.files[item.planned.path],
          !item.possibleSidecars.contains(where: \.isRefused)
        else { continue }
        count += 1
        if let facts = item.comparedFacts, item.isAsListed { factsByAsset[file.asset] = facts }
      }
      try revise(factsByAsset, work.source)
    }
    if count == reading.files.count { try noteDateRules(of: work.source.id) }
  }

  /// Corrects dates and places by what files have said; the log has each asset before the catalogue has its date.
  private func revise(_ facts: [String: Facts], _ source: PlannedSource) throws(RunError) {
    if facts.isEmpty { return }
    try noteDateRules(of: source.id, areMixed: true)
    if source.policy == .keep {
      let groups = Dictionary(grouping: facts.keys) { asset in
        let description = facts[asset]?.description
        return [description?.clockShift.map { "\($0)" }, description?.about]
      }
      for assets in groups.values.map({ $0.sorted() }).sorted(by: { $0[0] < $1[0] }) {
        let description = facts[assets[0]]?.description
        var dating = AuditDating(
          source: source.id,
          assets: assets,
          shift: description?.clockShift,
          isRead: true
        )
        dating.about = description?.about
        open.audit.append(dating)
      }
      try open.records.flush()
    }
    do {
      try StoredFacts(isPrivate: source.policy != .keep).revise(
        facts.keys.sorted(),
        in: open.library.catalogue,
        open.library.privateFacts,
        run: open.basis.identifier
      ) { asset, stored in tracks.revised(stored, facts[asset], of: source.id) }
    } catch {
      throw RunError(error)
    }
  }

  /// Notes that a source's dates follow the manifest, or before the first of them does that they are mixed: after a
  /// run that is killed the manifest may be that of before.
  private func noteDateRules(of source: SourceID, areMixed: Bool = false) throws(RunError) {
    do {
      var rules = AppliedRules(loaded.manifest, of: source)
      let applied = try open.library.catalogue.appliedRules(of: source)
      rules.places = applied.places
      if areMixed, rules.dates != applied.dates { rules.dates = AppliedRules.mixed }
      if areMixed, rules.corrections != applied.corrections {
        rules.corrections = AppliedRules.mixed
      }
      try open.library.catalogue.setAppliedRules(rules, of: source)
    } catch {
      throw RunError(error)
    }
  }
}
