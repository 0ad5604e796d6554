internal import MediaAudit
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool

extension ConfinedRun {
  /// Lists every source and finds the items that earlier runs have not processed. `correct` gets each source when its
  /// records are written, and returns the items that are read again for it.
  func list(_ correct: (ComparedSource) throws -> Rereading?) throws -> Listed {
    let lost = try LostFiles(of: open.library, limit: open.basis.options.lostLimit)
    var listed = Listed(
      lostOriginals: lost.originalCount,
      hasLostThumbnails: !lost.rowsWithoutThumbnails.isEmpty
    )
    try sources.list(
      comparedWith: ComparedLibrary(
        catalogue: open.library.catalogue,
        lost: lost,
        digestKey: open.library.digestKey
      ),
      pause: { (time, look) throws(RunError) in try open.signals.pause(time, look) },
      take: { compared in
        try record(compared)
        var work = work(compared)
        work.rereading = try correct(compared)
        // Where no file is opened, nothing gets a place.
        if work.pending.hasReadable { try readPlaces(for: work.source) }
        listed.work.append(work)
      }
    )
    return listed
  }

  /// Records and counts the items that the run does not open, and stores the albums of a source that describes
  /// its files.
  private func record(_ listed: ComparedSource) throws {
    let (source, diff) = (listed.source, listed.diff)
    if source.media.describesFiles {
      let albums = source.storesAlbums ? source.media.albums(of: listed.listing.items) : []
      try open.library.catalogue.setAlbums(listed.albums.stored(albums), of: source.id)
    }
    if source.fetch.limitsByContent, let conditions = source.conditions {
      let items = listed.listing.items
      let count = items.indices.count { items.reason(at: $0) == nil }
      var candidates = AuditCount(.candidates, of: source.id, count)
      candidates.conditions = conditions
      open.audit.append(candidates)
    }
    context.journal.recordUnchanged(
      diff.stillChanging,
      of: source.id,
      as: .skipped,
      because: .stillChanging
    )
    open.account.note(listed, open.basis)
    noteLimited(listed)
    context.journal.recordUnchanged(diff.unchanged, of: source.id, as: .unchanged)
    context.journal.recordUnchanged(diff.failedBefore, of: source.id, as: .failedBefore)
    let named = Array(diff.failedBefore.prefix(RunReport.LeftOut.maximumExamples))
    if !named.isEmpty {
      let reasons = try open.library.catalogue.failureReasons(of: named, in: source.id)
      open.account.tally.note(failedBefore: reasons, of: source.id)
    }
    for (items, reason) in [
      (diff.notFetched, ItemReason.notFetched), (diff.withdrawn, .withdrawn),
    ] {
      context.journal.recordUnchanged(items, of: source.id, as: .skipped, because: reason)
    }
  }

  /// Reads the tracks of a source, and the names of places if no other source has had them read, behind its record and
  /// once; what is not used is reported.
  func readPlaces(for source: PlannedSource) throws(RunError) {
    if let files = tracks.files(of: source.id),
      let answer = try read(.tracks, in: files, of: source)
    {
      tracks.take(
        answer.points,
        of: source.id,
        maximumGap: loaded.manifest.sources[source.id]?.maximumGap ?? 0,
        areAll: answer.problems.isEmpty && files.unmatched.isEmpty
      )
    }
    // The next source may ask for them if access was taken back.
    if let file = tracks.fileOfNames(for: source.id),
      let answer = try read(.placeNames, in: file, of: source)
    {
      tracks.take(answer.names)
    }
  }

  /// Reads tracks, or names of places; nil when access was taken back.
  private func read(
    _ data: LocationData,
    in files: TrackFiles,
    of source: PlannedSource
  ) throws(RunError) -> TrackReader.Reading? {
    let answer = try watch.whileListing(source.id) { (checkAccess) throws(RunError) in
      try trackReader.read(
        data,
        in: files,
        of: source,
        guardedDevices: sources.guardedAtStart,
        checkAccess: checkAccess,
        record: appendAtOnce
      )
    }
    guard let answer else { return nil }
    let code: ProblemCode = data == .tracks ? .tracksNotUsed : .placesNotUsed
    open.account.problems +=
      files.unmatched.map { RunReport.Problem(UnmatchedRule(.tracks, of: source.id, $0.text)) }
      + answer.problems.map { RunReport.Problem(code: code, message: $0) }
    return answer
  }

  private func appendAtOnce(_ records: [AuditRecord]) throws(RunError) {
    for record in records { open.audit.append(record) }
    try open.records.flush()
  }

  private func work(_ listed: ComparedSource) -> Work {
    let (source, diff) = (listed.source, listed.diff)
    var pending = diff.pending
    if let assigned = open.basis.options.assigned(source.id), assigned.hasLeftOut {
      pending.leaveOut { path, _ in !assigned.isLeftOut(path) }
    }
    return Work(
      source: source,
      pending: pending,
      albums: listed.albums,
      candidates: listed.isLimitedByContent
        ? diff.pending.candidates(besides: [
          diff.notFetched, diff.failedBefore, diff.stillChanging, diff.withdrawn,
        ])
        : nil
    )
  }

  private func noteLimited(_ listed: ComparedSource) {
    let source = listed.source
    if source.basis == .limited, !loaded.manifest.preventsAutomaticLimitedAccessAlert {
      // The message does not tell how many other items exist, because the run must not know.
      let count = listed.listing.selectedCount
      open.basis.options.onNotice(
        "The \(source.id.displayName) is limited: \(Quantity.text(count, "item")) of its selection found."
      )
    }
  }
}
