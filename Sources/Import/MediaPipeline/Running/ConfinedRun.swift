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
    /// The albums of which it has no file; see ``ComparedAlbums``.
    var albums = ComparedAlbums()
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
  let context: BatchContext
  /// The batches of an interrupted run that still add files to the photo library.
  private let unfinished: [Recovery.Recovered]
  let pool: WorkerPool
  let trackReader: TrackReader

  var loaded: LoadedManifest { open.basis.loaded }
  var watch: PermissionWatch { context.watch }
  var tracks: SourceTracks { context.tracks }

  /// Opens the roots of the allowed sources and confines this process, for good.
  ///
  /// - Parameters:
  ///   - open: The run, with its decisions recorded.
  ///   - unfinished: The batches of an interrupted run that still add files.
  /// - Throws: `RunError` or `SandboxError`; the process must not go on then.
  init(confining open: OpenRun, finishing unfinished: [Recovery.Recovered]) throws {
    let (basis, log) = (open.basis, open.records.log)
    let program = try WorkerProgram.ofRun()
    let started = try ConfinedSources.start(of: basis, log, program: program, staging: open.library.staging) {
      [signals = open.signals] in
      // The first request to stop lets a file be copied to its end.
      signals.collect()
      return signals.count > 1
    }
    let photoLibrary = try basis.access.photoLibraryFolder(of: open.library)
    var services = try Self.services(of: open, started, program.nullDevice, adding: photoLibrary)
    let tracks = try SourceTracks(
      of: started,
      basis.manifest,
      in: basis.loaded.folder,
      placeData: basis.loaded.placeData,
      refused: basis.access.foldersWithoutTracks,
      isPlan: basis.options.planFolder != nil
    )
    let confinement = try CoordinatorConfinement(
      sources: started,
      tracks: tracks.files,
      library: open.library,
      worker: program.path,
      adding: photoLibrary,
      planFolder: basis.options.planFolder
    )
    sources = try ConfinedSources(confining: started, of: basis, by: confinement, log, open.account)
    services.mayAdd = sources.watch.allowsAdding
    self.open = open
    self.unfinished = unfinished
    trackReader = TrackReader(program, enforcement: basis.enforcement)
    pool = program.pool(basis.enforcement, size: max(1, basis.options.workers ?? Host.processors))
    context = BatchContext(
      loaded: basis.loaded,
      options: basis.options,
      watch: sources.watch,
      journal: BatchJournal(
        records: open.records,
        account: open.account,
        rules: Self.rules(of: basis.manifest),
        services: services
      ),
      signals: open.signals,
      tracks: tracks,
      usedShifts: open.account.usedShifts,
      guardedAtStart: sources.guardedAtStart
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
        enforcesByKernel: open.basis.enforcement == .kernel
      )
    }
    if open.basis.access.permissions.adding != nil {
      services.adding = photoLibrary.map { .allowed(CaptureCopier(folder: $0)) } ?? .refused
    }
    return services
  }

  private static func rules(of manifest: Manifest) -> BatchJournal.Rules {
    BatchJournal.Rules(
      writtenUnder: Dictionary(
        uniqueKeysWithValues: manifest.sources.keys.map { source in
          let policy = manifest.metadataPolicy(of: source)
          return (source, WrittenUnder.text(policy: policy, thumbnails: manifest.thumbnails))
        }
      ),
      onSourceChanged: manifest.onSourceChanged
    )
  }

  /// Adds to the photo library what an interrupted run has left to add.
  func finishAdditions() throws(RunError) {
    let waiting = try context.journal.finishAdditions(
      of: unfinished,
      isRefused: open.basis.access.refusesAdding
    )
    if waiting > 0 { open.account.problems.append(.additionsWait(waiting)) }
  }

  /// Imports all pending items.
  ///
  /// - Throws: `RunError`, also when a person interrupted the run.
  func importAll(_ listed: Listed) throws(RunError) {
    for work in listed.work { try noteCopies(in: work) }
    let works = try listed.work.map { (work) throws(RunError) in try applyLimit(to: work) }
    let loop = ImportLoop(
      context,
      pool: pool,
      progress: ProgressCounter(
        totals: works.map { ($0.source.id, $0.pending.count) },
        show: open.basis.options.onProgress
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
    open.account.loneHalves = plan.loneHalves
    if listed.lostOriginals > 0 { try noteLost() }
    try noteUnstripped()
    // A revocation during the completion of the last batch belongs to this run's log.
    try watch.checkForRevocation(in: &plan) { 0 }
    if !plan.isAtEnd {
      try context.journal.close()
      throw context.interruption
    }
    noteUnmatchedShifts()
    try noteUnusedExceptions()
    if listed.hasLostThumbnails { try remakeThumbnails() }
    try stack()
    try storeAlbums(of: works, titles: loop.albumTitles)
  }
}
