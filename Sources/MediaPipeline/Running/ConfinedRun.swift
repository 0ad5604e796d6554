internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPredicate
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool

/// A run whose process is confined: it lists sources and imports what they hold.
struct ConfinedRun {
  /// A source with the items that the run has to process.
  struct Work {
    var source: PlannedSource
    var pending: PendingItems
    /// The files among which a limit chooses the pending ones that are imported, if they have to be opened
    /// for it; nil otherwise.
    var candidates: PendingItems?
  }

  /// All sources, listed.
  struct Listed {
    var work: [Work] = []
    /// The number of originals that were missing when the run began.
    var lostOriginals: Int
  }

  let open: OpenRun
  let watch: PermissionWatch
  let journal: BatchJournal
  /// The batches of an interrupted run that still add files to the photo library.
  private let unfinished: [Recovery.Recovered]
  private let sources: [PlannedSource]
  /// The listings of limited sources, made before the second layer closed their folders.
  private let limited: [SourceKind: SourceListing]
  private let pool: WorkerPool
  /// Devices of sources that were refused or limited as the run began.
  private let guardedAtStart: Set<UInt64>

  private var loaded: LoadedManifest { open.run.loaded }

  /// Opens the roots of the allowed sources and confines this process, for good.
  ///
  /// - Parameters:
  ///   - open: The run, with its decisions recorded.
  ///   - unfinished: The batches of an interrupted run that still add files.
  /// - Throws: `RunError` or `SandboxError`; the process must not go on then.
  init(confining open: OpenRun, finishing unfinished: [Recovery.Recovered]) throws {
    let run = open.run
    let (worker, nullDevice) = try WorkerPool.openFiles()
    let sources = try Self.startSources(of: open, worker, nullDevice)
    var services = BatchJournal.Services()
    if sources.contains(where: { $0.policy.tells(.creationDate) }) {
      services.times = try FileTimes(
        folder: open.library.staging.raw,
        nullDevice: nullDevice.raw,
        enforcesByKernel: run.enforcement == .kernel
      )
    }
    let photoLibrary = try run.access.photoLibraryFolder(of: open.library)
    if run.access.permissions.adding != nil {
      services.adding = photoLibrary.map { .allowed(CaptureCopier(folder: $0)) } ?? .refused
    }
    let confinement = try CoordinatorConfinement(
      sources: sources,
      library: open.library,
      worker: worker,
      adding: photoLibrary,
      planFolder: run.options.planFolder
    )
    if run.enforcement == .kernel { try confinement.enforceFirstLayer() }
    let watch = PermissionWatch(
      run.access,
      records: open.records,
      account: open.account,
      onNotice: run.options.onNotice
    ) { kind, patterns in
      sources.first { $0.kind == kind }?.media.selection(of: patterns) ?? Selection(patterns)
    }
    services.mayAdd = watch.allowsAdding
    guardedAtStart = run.access.guardedDevices
    var limited: [SourceKind: SourceListing] = [:]
    for source in sources where source.selection != nil {
      limited[source.kind] = try open.list(source, watch, guardedDevices: guardedAtStart)
    }
    if run.enforcement == .kernel {
      try confinement.enforceSecondLayer(selected: limited.mapValues(\.items))
    }
    self.open = open
    self.unfinished = unfinished
    self.sources = sources
    self.limited = limited
    self.watch = watch
    pool = Self.pool(of: run, worker, nullDevice)
    journal = BatchJournal(
      records: open.records,
      account: open.account,
      rules: Self.rules(of: run.loaded.manifest),
      services: services
    )
  }

  /// Opens the sources, and starts the processes that read them before confinement, which refuses what this
  /// process and those need for it.
  private static func startSources(
    of open: OpenRun,
    _ worker: [UInt8],
    _ nullDevice: Descriptor
  ) throws -> [PlannedSource] {
    let run = open.run
    var sources = try run.access.plannedSources()
    for index in sources.indices {
      if let media = run.options.media[sources[index].kind] { sources[index].media = media }
    }
    // A plan has applied the limits to all of its items.
    if run.options.assignment != nil {
      for index in sources.indices { sources[index].fetch.fetchLimit = 0 }
    }
    let preparation = SourcePreparation(
      worker: worker,
      nullDevice: nullDevice,
      enforcement: run.enforcement,
      maximumFileBytes: Int64(run.loaded.manifest.limits.bytes),
      isDivided: run.options.assignment != nil || run.options.planFolder != nil
    ) { (items, kind, basis) throws(RunError) in
      try open.records.recordAccess(to: items, of: kind, because: basis)
    } isInterrupted: { [signals = open.signals] in
      // The first request to stop lets a file be copied to its end.
      signals.collect()
      return signals.count > 1
    }
    for source in sources { try source.media.start(source, preparation) }
    return sources
  }

  /// Makes a pool of workers, none of which has started.
  private static func pool(
    of run: Run,
    _ worker: [UInt8],
    _ nullDevice: Descriptor,
    size: Int? = nil
  ) -> WorkerPool {
    WorkerPool(
      executable: worker,
      nullDevice: nullDevice,
      enforcement: run.enforcement,
      size: size ?? max(1, run.options.workers ?? Host.processors)
    )
  }

  private static func rules(of manifest: Manifest) -> BatchJournal.Rules {
    BatchJournal.Rules(
      writtenUnder: Dictionary(
        uniqueKeysWithValues: SourceKind.allCases.map { source in
          let policy = manifest.metadataPolicy(of: source)
          return (source, WrittenUnder.text(policy: policy, thumbnails: manifest.thumbnails))
        }
      ),
      onSourceChanged: manifest.onSourceChanged
    )
  }

  /// Adds to the photo library what an interrupted run has left to add.
  func finishAdditions() throws(RunError) {
    let waiting = try journal.finishAdditions(
      of: unfinished,
      isRefused: open.run.access.refusesAdding
    )
    if waiting > 0 { open.run.report.problems.append(.additionsWait(waiting)) }
  }

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
      if let albums = source.media.albums(of: listing.items) {
        try open.library.catalogue.setAlbums(source.storesAlbums ? albums : [], of: source.kind)
      }
      if source.media.describesFiles {
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

  /// Imports all pending items.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  func importAll(_ listed: Listed) throws(RunError) {
    let work = try listed.work.map { (one) throws(RunError) in try applyLimit(to: one) }
    let loop = ImportLoop(
      run: self,
      pool: pool,
      progress: ProgressCounter(
        totals: work.map { ($0.source.kind, $0.pending.count) },
        show: open.run.options.onProgress
      )
    )
    // What belongs to no file of its folder may belong to one that is imported before.
    let sources = work.flatMap { one in
      var rest = one.pending
      let loose = rest.takeLoose()
      return [(one.source, rest)] + (loose.isEmpty ? [] : [(one.source, loose)])
    }
    var plan = BatchPlan(
      sources: sources,
      library: open.library,
      thumbnails: loaded.manifest.thumbnails,
      limits: loaded.manifest.limits
    )
    watch.apply(to: &plan)
    try loop.process(&plan)
    open.run.loneHalves = plan.loneHalves
    if listed.lostOriginals > 0 { try noteLost() }
    try noteUnstripped()
    // A revocation during the completion of the last batch belongs to this run's log.
    try watch.checkForRevocation(in: &plan) { 0 }
    if !plan.isAtEnd {
      try journal.close()
      throw interruption
    }
    try stack()
    try storeAlbums(of: work, titles: loop.albumTitles)
  }

  /// Groups the items that an import would process, after limits are applied.
  func grouped(_ listed: Listed, byContent: Bool) throws(RunError) -> [GroupedItems] {
    try listed.work.map { (one) throws(RunError) in
      let one = try applyLimit(to: one)
      var grouped = GroupedItems(of: one.source.kind, one.pending)
      guard byContent else { return grouped }
      var identifiers: [(path: ItemPath, identifier: String)] = []
      try facts(of: one.pending, one.source) { answers in
        identifiers += answers.compactMap { answer in
          answer.facts?.contentIdentifier.map { (answer.item.planned.path, $0) }
        }
      }
      grouped.join(identifiers)
      return grouped
    }
  }

  /// Reads what files say of themselves, and imports nothing.
  private func facts(
    of items: PendingItems,
    _ source: PlannedSource,
    take: ([FactsReader.Answer]) throws(RunError) -> Void
  ) throws(RunError) {
    let reader = FactsReader(
      of: self,
      WorkerRequests(pool),
      progress: ProgressCounter(
        totals: [(source.kind, items.count)],
        show: open.run.options.onProgress
      )
    )
    var plan = BatchPlan(
      sources: [(source, items)],
      library: open.library,
      thumbnails: [],
      limits: loaded.manifest.limits
    )
    watch.apply(to: &plan, counts: false)
    try reader.read(&plan, take)
    if !plan.isAtEnd {
      try journal.close()
      throw interruption
    }
  }

  /// Reads what a source's limit needs to know of each candidate, and leaves out the items that it does not
  /// take.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  private func applyLimit(to work: Work) throws(RunError) -> Work {
    guard var candidates = work.candidates else { return work }
    let source = work.source
    var selection = FetchSelection(source.fetch)
    try takeKnown(of: source, from: &candidates, into: &selection)
    let conditions = FailureConditions.digestOfKeys(of: source, in: loaded.manifest)
    try facts(of: candidates, source) { (answers) throws(RunError) in
      let keys = answers.compactMap { selection.note($0) }
      do {
        try open.library.privateFacts?.store(keys, of: source.kind, conditions: conditions)
      } catch {
        throw RunError(wrapping: error)
      }
    }
    var chosen = work
    chosen.candidates = nil
    // Access may have been taken back meanwhile; then the rest was not compared.
    let refused = chosen.pending.keep { watch.allows($0.listed.path, of: source.kind) }
    open.account.tally.countRefused(refused.count, of: source.kind)
    chosen.pending.leaveOut(where: selection.chosen())
    return chosen
  }

  /// Takes what the private facts know of candidates without sidecars, which are then not opened.
  private func takeKnown(
    of source: PlannedSource,
    from candidates: inout PendingItems,
    into selection: inout FetchSelection
  ) throws(RunError) {
    var known = selection
    let haveSidecars = Set(candidates.indices.compactMap { candidates[$0].owner })
    do {
      try open.library.privateFacts?.withCandidates(
        of: source.kind,
        conditions: FailureConditions.digestOfKeys(of: source, in: loaded.manifest)
      ) { find in
        try candidates.keep { one in
          guard !haveSidecars.contains(one.listed.path),
            let keys = try find(one.listed.path, one.listed.status)
          else { return true }
          known.note(keys.path, group: keys.path.pairingHash, keys.values)
          return false
        }
      }
    } catch {
      throw RunError(wrapping: error)
    }
    selection = known
  }

  /// Stacks the assets of the folders in which something changed.
  private func stack() throws(RunError) {
    do {
      let ambiguous = try open.library.catalogue.updateStacks(run: open.run.identifier)
      guard ambiguous > 0 else { return }
      open.run.options.onNotice(
        Quantity.text(ambiguous, "group") + " of files could be stacked in several ways and "
          + (ambiguous == 1 ? "stays" : "stay") + " apart: mediabatch stacks "
          + ShellWord.quoted(open.run.report.library) + " --ambiguous"
      )
    } catch {
      throw RunError(error)
    }
  }

  private var lostLimit: Int? {
    open.run.options.looksForAllFiles ? nil : LostFiles.assetsOfARun
  }

  /// Reports the originals that are still missing at the end of a run.
  private func noteLost() throws(RunError) {
    do {
      let count = try LostFiles(of: open.library, limit: lostLimit).originalCount
      if count > 0 { open.run.report.problems.append(.originalsMissing(count)) }
    } catch {
      throw RunError(error)
    }
  }

  /// Counts the assets that stay under a looser policy than their source has now, and the originals that
  /// were written anew and wait to be removed.
  private func noteUnstripped() throws(RunError) {
    let (run, catalogue) = (open.run, open.library.catalogue)
    let isReprocessing = run.options.reprocesses
    guard
      isReprocessing || run.report.problems.contains(where: { $0.code == .metadataPolicyChanged })
    else { return }
    let policies = Dictionary(sources.map { ($0.kind, $0.policy) }) { $1 }
    do {
      run.report.unstripped = try catalogue.unstrippedCount(RequiredPolicies(policies))
      guard isReprocessing else { return }
      run.report.superseded = try catalogue.supersededOriginalCount()
    } catch {
      throw RunError(error)
    }
    let problem = RunReport.Problem.unstripped(run.report.unstripped, library: run.report.library)
    run.report.problems += [problem].compactMap(\.self)
  }

  /// Completes the facts of an item's file by its name and its sidecars.
  func completed(_ facts: Facts, of item: ItemWork) -> Facts {
    facts.completed(
      path: item.planned.path,
      modified: item.planned.status.modified,
      saved: item.planned.saveTime.microseconds,
      rules: loaded.manifest.dates,
      sidecars: item.sidecars.compactMap(\.read?.description)
        + [item.source.media.knowledge(of: item.planned.path)?.description].compactMap(\.self)
    )
  }

  /// Whether workers are asked for what the files of a source say besides what showing them needs.
  func wantsDescription(of source: PlannedSource) -> Bool {
    source.fetch.needsDescriptions || loaded.wantsDescription(under: source.policy)
  }

  /// Opens the files of items.
  var opener: ItemOpener {
    ItemOpener(options: open.run.options) { [guardedAtStart, watch] in
      guardedAtStart.union(watch.guardedDevices)
    }
  }

  /// The reason of an item whose file changed while it was read.
  var reasonOfChange: ItemReason {
    open.run.options.settle == nil ? .changedDuringRun : .stillChanging
  }

  /// The error of a run that a person has interrupted.
  var interruption: RunError {
    RunError(
      .interrupted,
      exitCode: open.signals.exitCode,
      "Stopped on request. What was published stays; run again to go on from here."
    )
  }

  /// Returns the label of an item; see ``LoadedManifest/label(of:in:number:creationDate:)``.
  func label(of item: ItemWork, facts: Facts) -> Label {
    if case .published(let label) = item.pending.late { return Label(label) }
    return loaded.label(
      of: item.planned.path,
      in: item.source.kind,
      number: item.pending.number,
      creationDate: facts.creationDate,
      originalName: item.source.media.knowledge(of: item.planned.path)?.originalName
    )
  }
}
