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
    /// Items that are in the library, whose files tell other dates by the manifest's rules.
    var rereading: Rereading?
  }

  /// All sources, listed.
  struct Listed {
    var work: [Work] = []
    /// The number of originals that were missing when the run began.
    var lostOriginals: Int
    /// Whether thumbnails were missing when the run began.
    var hasLostThumbnails: Bool
  }

  let open: OpenRun
  let sources: ConfinedSources
  let journal: BatchJournal
  /// The batches of an interrupted run that still add files to the photo library.
  private let unfinished: [Recovery.Recovered]
  let pool: WorkerPool
  /// The tracks of the sources, found before confinement.
  let tracks: SourceTracks
  let trackReader: TrackReader

  var loaded: LoadedManifest { open.run.loaded }
  var watch: PermissionWatch { sources.watch }

  /// Opens the roots of the allowed sources and confines this process, for good.
  ///
  /// - Parameters:
  ///   - open: The run, with its decisions recorded.
  ///   - unfinished: The batches of an interrupted run that still add files.
  /// - Throws: `RunError` or `SandboxError`; the process must not go on then.
  init(confining open: OpenRun, finishing unfinished: [Recovery.Recovered]) throws {
    let (run, log) = (open.run, open.records.log)
    let basis = ListingBasis(access: run.access, options: run.options)
    let program = try WorkerProgram.ofRun()
    let started = try ConfinedSources.start(of: basis, log, program: program) {
      [signals = open.signals] in
      // The first request to stop lets a file be copied to its end.
      signals.collect()
      return signals.count > 1
    }
    let photoLibrary = try run.access.photoLibraryFolder(of: open.library)
    var services = try Self.services(of: open, started, program.nullDevice, adding: photoLibrary)
    tracks = try SourceTracks(
      of: started,
      run.loaded.manifest,
      in: run.loaded.folder,
      placeData: run.loaded.placeData,
      refused: run.access.foldersWithoutTracks,
      isPlan: run.options.planFolder != nil
    )
    let confinement = try CoordinatorConfinement(
      sources: started,
      tracks: tracks.files,
      library: open.library,
      worker: program.path,
      adding: photoLibrary,
      planFolder: run.options.planFolder
    )
    sources = try ConfinedSources(
      confining: started,
      of: basis,
      by: confinement,
      log,
      open.account
    )
    services.mayAdd = sources.watch.allowsAdding
    self.open = open
    self.unfinished = unfinished
    trackReader = TrackReader(program, enforcement: run.enforcement)
    pool = program.pool(
      run.enforcement,
      size: max(1, run.options.workers ?? Host.processors)
    )
    journal = BatchJournal(
      records: open.records,
      account: open.account,
      rules: Self.rules(of: run.loaded.manifest),
      services: services
    )
  }

  /// Starts the process that sets times, if any file has another than that of its saving, and says who adds to
  /// the photo library.
  private static func services(
    of open: OpenRun,
    _ sources: [PlannedSource],
    _ nullDevice: Descriptor,
    adding photoLibrary: PhotoLibraryFolder?
  ) throws -> BatchJournal.Services {
    var services = BatchJournal.Services()
    if sources.contains(where: { $0.policy.keeps(.creationDate) }) {
      services.times = try FileTimes(
        folder: open.library.staging.raw,
        nullDevice: nullDevice.raw,
        enforcesByKernel: open.run.enforcement == .kernel
      )
    }
    if open.run.access.permissions.adding != nil {
      services.adding = photoLibrary.map { .allowed(CaptureCopier(folder: $0)) } ?? .refused
    }
    return services
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

  /// Imports all pending items.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  func importAll(_ listed: Listed) throws(RunError) {
    for work in listed.work { try readAgain(work) }
    let works = try listed.work.map { (work) throws(RunError) in try applyLimit(to: work) }
    let loop = ImportLoop(
      run: self,
      pool: pool,
      progress: ProgressCounter(
        totals: works.map { ($0.source.kind, $0.pending.count) },
        show: open.run.options.onProgress
      )
    )
    // What belongs to no file of its folder may belong to one that is imported before.
    let sources = works.flatMap { work in
      var pending = work.pending
      let loose = pending.takeLoose()
      return [(work.source, pending)] + (loose.isEmpty ? [] : [(work.source, loose)])
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
    if listed.hasLostThumbnails { try remakeThumbnails() }
    try stack()
    try storeAlbums(of: works, titles: loop.albumTitles)
  }

  /// Completes the facts of an item's file by its name and its sidecars.
  func completed(_ facts: Facts, of item: ItemWork) -> Facts {
    let completed = facts.completed(
      path: item.planned.path,
      modified: item.planned.status.modified,
      saved: item.planned.saveTime.microseconds,
      rules: loaded.dateRules(of: item.source.kind),
      sidecars: item.sidecars.compactMap(\.read?.description)
        + [item.source.media.knowledge(of: item.planned.path)?.description].compactMap(\.self)
    ) { clockShift(of: item, $0) }
    return tracks.completed(completed, of: item.source.kind)
  }

  /// By how many seconds the clock was wrong that gave an item's date, by the manifest; nil if it says nothing
  /// of it.
  private func clockShift(of item: ItemWork, _ facts: Facts) -> Int? {
    guard let date = facts.creationDate,
      let shifts = loaded.manifest.sources[item.source.kind]?.dates.shifts
    else { return nil }
    return shifts.first { $0.applies(to: date) { item.value(of: $0, facts) } }?.seconds
  }

  /// Whether workers are asked for what the files of a source say besides what showing them needs.
  func wantsDescription(of source: PlannedSource) -> Bool {
    source.fetch.needsDescriptions || loaded.wantsDescription(under: source.policy)
  }

  /// Opens the files of items.
  var opener: ItemOpener {
    ItemOpener(options: open.run.options) { [sources] in
      sources.guardedAtStart.union(sources.watch.guardedDevices)
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
      RunError.stoppedOnRequest
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
