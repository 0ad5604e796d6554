internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool

extension ConfinedRun {
  /// Finds the files that are equal to one which its source says is put away, thrown away or others', so that they have
  /// its standing: of a Takeout, the copies in albums, which may come before the picture.
  ///
  /// Files are only opened where one of their size has such a standing, and JSON files where several files that are new
  /// or were left out have one size.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  func noteCopies(in work: Work) throws(RunError) {
    let source = work.source
    guard source.media.hasCopies else { return }
    let copies = PossibleCopies(of: work.pending)
    if copies.sidecars.isEmpty { return }
    var stated: [ItemPath: Standing] = [:]
    try facts(of: copies.sidecars, source) { (items) in
      for item in items {
        let standings = item.read?.description.standings ?? []
        guard let standing = standings.first(where: { isOfConsequence($0, in: source) }) else { continue }
        for file in copies.files(describedBy: item.planned.path) { stated[file] = standing }
      }
    }
    let groups = copies.groups.filter { group in
      let count = group.count { stated[$0] != nil }
      return count > 0 && count < group.count
    }
    if groups.isEmpty { return }
    let digests = try digests(of: copies.items(at: groups.flatMap(\.self)), source)
    var standings: [String: Set<Standing>] = [:]
    for (file, standing) in stated {
      if let digest = digests[file] { standings[digest, default: []].insert(standing) }
    }
    let others = groups.flatMap(\.self).filter { stated[$0] == nil }
    // A picture that was added again is not in the trash: its JSON file says so.
    let added = Set(others.filter(copies.isDescribed).compactMap { digests[$0] })
    for file in others {
      guard let digest = digests[file], let all = standings[digest],
        // Of several, that which hides it counts also where another copy is in the trash.
        let standing = [.putAway, .others, .thrownAway].first(where: all.contains),
        standing != .thrownAway || !added.contains(digest)
      else { continue }
      source.media.note(standing, ofCopy: file)
    }
  }

  /// Whether a standing changes what becomes of a picture.
  private func isOfConsequence(_ standing: Standing, in source: PlannedSource) -> Bool {
    let fetch = source.fetch
    let reason = standing.reason(
      includesHidden: fetch.includesHiddenAssets,
      includesOthers: fetch.includesPartnerSharing
    )
    return reason != nil || standing == .putAway && !source.policy.strips
  }

  /// The SHA-256 of files, behind their access records; of those that can be read.
  private func digests(
    of files: PendingItems,
    _ source: PlannedSource
  ) throws(RunError) -> [ItemPath: String] {
    let opener = context.opener
    var digests: [ItemPath: String] = [:]
    var plan = BatchPlan(
      sources: [(source, files)],
      library: open.library,
      thumbnails: [],
      limits: loaded.manifest.limits
    )
    watch.apply(to: &plan, counts: false)
    while let items = try plan.next() {
      try context.journal.records.log.recordAccess(
        to: items.lazy.filter(\.isOpened).map(\.pending.listed),
        of: source.id,
        because: source.basis
      )
      for item in items where item.isOpened {
        context.signals.collect()
        if context.signals.count > 0 {
          try context.journal.close()
          throw context.interruption
        }
        watch.markOpenFiles(of: [source.id])
        defer { watch.markOpenFiles(of: []) }
        var isOver = false
        // An answer about another source may have changed: then this one still counts.
        while !isOver {
          try watch.checkForRevocation(in: &plan, counts: false) { 0 }
          guard watch.allows(item.planned.path, of: source.id) else { break }
          isOver = try watch.whileAllowed {
            let attempt = opener.open(item, in: open.library.staging)
            digests[item.planned.path] = attempt.flatMap { try? FileDigest.of($0.file).sha256 }
          }
        }
      }
    }
    return digests
  }
}
