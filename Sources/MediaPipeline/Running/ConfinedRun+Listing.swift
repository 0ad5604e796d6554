internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool

extension ConfinedRun {
  /// Lists every source and finds the items that earlier runs have not processed.
  func list() throws -> Listed {
    let lost = try LostFiles(of: open.library, limit: lostLimit)
    var listed = Listed(lostOriginals: lost.originalCount)
    var number = 1
    for var source in sources {
      // Nothing is known of a source to which access was taken back before it was listed.
      let listing =
        if source.selection != nil {
          limited[source.kind]
        } else {
          try open.list(source, watch, guardedDevices: guardedAtStart)
        }
      guard let listing else { continue }
      if source.media.describesFiles {
        let albums = source.storesAlbums ? source.media.albums(of: listing.items) : []
        try open.library.catalogue.setAlbums(albums, of: source.kind)
        source.media.note(described: try open.library.catalogue.described(of: source.kind))
      }
      // With a limit by content they include the set of the candidates, which the listing tells.
      let conditions = FailureConditions.digest(of: source, in: loaded.manifest, listing.items)
      source.conditions = conditions
      if source.fetch.limitsByContent {
        let count = listing.items.indices.count { listing.items.reason(at: $0) == nil }
        open.audit.append(
          .candidates(source: source.kind, count: count, conditions: conditions)
        )
      }
      let diff = try diff(of: listing, source, firstNumber: &number, lost)
      record(diff, listing, of: source)
      listed.work.append(work(diff, of: source))
    }
    return listed
  }

  /// Compares a listing with the catalogue, and leaves out what must not be read now.
  private func diff(
    of listing: SourceListing,
    _ source: PlannedSource,
    firstNumber number: inout Int,
    _ lost: LostFiles
  ) throws -> SourceDiff {
    var diff = try SourceDiff(
      listing,
      DiffContext(
        of: source.kind,
        catalogue: open.library.catalogue,
        writtenUnder: WrittenUnder.text(
          policy: source.policy,
          thumbnails: loaded.manifest.thumbnails
        ),
        failingUnder: open.run.options.retriesFailed ? nil : source.conditions,
        firstNumber: number,
        assigned: open.run.options.assigned(source.kind),
        reprocesses: open.run.options.reprocesses,
        lost: lost,
        // What is not stored is no reason to read a file again.
        isDescribedAnew: source.media.describesFiles
          && loaded.wantsDescription(under: source.policy)
          ? { [key = open.library.digestKey] in source.media.hasNewDescription(of: $0, key) } : nil
      )
    )
    let damaged = try diff.leaveOutDamaged(of: source.kind, in: open.library.catalogue)
    if let problem = RunReport.Problem.catalogueDiffers(damaged.map(\.text)) {
      open.run.report.problems.append(problem)
    }
    number += diff.pending.count
    if let quiet = open.run.options.settle {
      var settling = Settling(quiet: quiet)
      // When it is taken back meanwhile, what is pending is refused before the first batch.
      _ = try watch.whileListing(source.kind) { (checkAccess) throws(RunError) in
        try diff.leaveOutChanging(&settling, of: source) { (time) throws(RunError) in
          try open.signals.pause(time, checkAccess)
        } mayLook: { (path) throws(RunError) in
          try checkAccess()
          return watch.allows(path, of: source.kind)
        }
      }
    }
    return diff
  }

  /// Records and counts the items that the run does not open.
  private func record(_ diff: SourceDiff, _ listing: SourceListing, of source: PlannedSource) {
    journal.recordUnchanged(
      diff.stillChanging,
      of: source.kind,
      as: .skipped,
      because: .stillChanging
    )
    note(listing, diff, of: source)
    journal.recordUnchanged(diff.unchanged, of: source.kind, as: .unchanged)
    journal.recordUnchanged(diff.failedBefore, of: source.kind, as: .failedBefore)
    for (items, reason) in [
      (diff.notFetched, ItemReason.notFetched), (diff.withdrawn, .withdrawn),
    ] {
      journal.recordUnchanged(items, of: source.kind, as: .skipped, because: reason)
    }
  }

  private func work(_ diff: SourceDiff, of source: PlannedSource) -> Work {
    let isLimited = source.fetch.limitsByContent && diff.pending.hasNew
    var pending = diff.pending
    if let assigned = open.run.options.assigned(source.kind), assigned.hasLeftOut {
      pending.leaveOut { path, _ in !assigned.isLeftOut(path) }
    }
    return Work(
      source: source,
      pending: pending,
      candidates: isLimited
        ? diff.pending.candidates(besides: [
          diff.notFetched, diff.failedBefore, diff.stillChanging, diff.withdrawn,
        ])
        : nil
    )
  }

  private func note(_ listing: SourceListing, _ diff: SourceDiff, of source: PlannedSource) {
    open.run.report.discovered += listing.items.count
    for index in open.run.report.sources.indices
    where open.run.report.sources[index].isRead(source.kind) {
      open.run.report.sources[index].ignored = listing.ignored
    }
    open.run.report.problems += RunReport.Problem.found(
      in: listing,
      diff,
      of: source,
      labels: open.run.options.assignment == nil ? loaded.labels[source.kind] : nil
    )
    if source.basis == .limited, !loaded.manifest.preventsAutomaticLimitedAccessAlert {
      // The message does not tell how many other items exist, because the run must not know.
      let found = listing.items.count { $0.reason != .identifierNotFound }
      open.run.options.onNotice(
        "The \(source.kind.displayName) is limited: \(Quantity.text(found, "item")) of its selection found."
      )
    }
  }
}
