internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool

/// The sources of a run behind its confinement. A run and a dry run list them by this alone.
struct ConfinedSources {
  let watch: PermissionWatch
  let all: [PlannedSource]
  /// Devices of sources that were refused or limited as the run began.
  let guardedAtStart: Set<UInt64>
  private let basis: RunBasis
  private let log: AccessLog
  /// The listings of limited sources, made before the second layer closed their folders.
  private let limited: [SourceID: SourceListing]

  /// Opens the roots of a run's sources, and starts the processes that read them before confinement, which
  /// refuses what this process and those need for it.
  ///
  /// - Parameters:
  ///   - basis: The decisions about the sources.
  ///   - log: Gets a record before a source's process opens anything.
  ///   - program: The program of workers.
  ///   - staging: The library's folder for files that are being made; nil for a run that reads no file.
  ///   - isInterrupted: Whether a person does not want to wait for a file any longer.
  /// - Returns: The sources, opened and started.
  /// - Throws: `RunError` or `SandboxError`; the run ends then.
  static func start(
    of basis: RunBasis,
    _ log: AccessLog,
    program: WorkerProgram,
    staging: Descriptor?,
    isInterrupted: @escaping () -> Bool
  ) throws -> [PlannedSource] {
    var sources = try basis.access.plannedSources()
    for index in sources.indices {
      if let media = basis.options.media[sources[index].id] { sources[index].media = media }
    }
    // A plan has applied the limits to all of its items.
    if basis.options.assignment != nil {
      for index in sources.indices { sources[index].fetch.fetchLimit = 0 }
    }
    let preparation = SourcePreparation(
      program: program,
      enforcement: basis.enforcement,
      maximumFileBytes: Int64(basis.manifest.limits.bytes),
      isDivided: basis.options.assignment != nil || basis.options.planFolder != nil,
      staging: staging,
      recordAccess: { (items, kind, reason) throws(RunError) in
        try log.recordAccess(to: items, of: kind, because: reason)
      },
      isInterrupted: isInterrupted
    )
    for source in sources { try source.media.start(source, preparation) }
    return sources
  }

  /// Confines this process for good, and lists the limited sources between the two layers.
  ///
  /// - Parameters:
  ///   - sources: The sources, started.
  ///   - basis: The decisions about them.
  ///   - confinement: What this process may do from here on.
  ///   - log: Gets each source's record before the source is listed.
  ///   - account: Counts what access that is taken back refuses.
  /// - Throws: `RunError` or `SandboxError`; the process must not go on then.
  init(
    confining sources: [PlannedSource],
    of basis: RunBasis,
    by confinement: CoordinatorConfinement,
    _ log: AccessLog,
    _ account: RunAccount
  ) throws {
    if basis.enforcement == .kernel { try confinement.enforceFirstLayer() }
    watch = PermissionWatch(
      basis.access,
      log: log,
      account: account,
      onNotice: basis.options.onNotice
    ) { source, patterns in
      sources.first { $0.id == source }?.media.selection(of: patterns) ?? Selection(patterns)
    }
    guardedAtStart = basis.access.guardedDevices
    self.basis = basis
    self.log = log
    all = sources
    var limited: [SourceID: SourceListing] = [:]
    for source in sources where source.selection != nil {
      limited[source.id] = try Self.list(source, of: basis, log, watch, guardedAtStart)
    }
    self.limited = limited
    if basis.enforcement == .kernel {
      try confinement.enforceSecondLayer(selected: limited.mapValues(\.items))
    }
  }

  /// Records a source, flushes the record and then lists the source.
  ///
  /// - Returns: Nil when access to the source was taken back before or meanwhile.
  /// - Throws: `RunError` when the record cannot be written or the folder cannot be listed.
  private static func list(
    _ source: PlannedSource,
    of basis: RunBasis,
    _ log: AccessLog,
    _ watch: PermissionWatch,
    _ guardedDevices: Set<UInt64>
  ) throws(RunError) -> SourceListing? {
    try watch.whileListing(source.id) { (checkAccess) throws(RunError) in
      guard let status = try? source.root.status() else {
        throw RunError(.internal, "The status of the \(source.id.displayName) cannot be read.")
      }
      var listing = AuditListing()
      listing.source = source.id
      listing.path = ItemPath(bytes: Array(source.path.utf8))
      listing.resolvedPath = ItemPath(bytes: source.resolvedPath)
      (listing.device, listing.inode) = (status.device, status.inode)
      listing.basis = source.basis
      listing.conditions = FailureConditions.digest(of: source, in: basis.manifest)
      listing.metadataPolicy = source.policy
      if source.id.ownName != nil { listing.timeZone = basis.loaded.nameOfTimeZone(of: source.id) }
      log.append(listing)
      try log.flush()
      try source.media.read(source, guardedDevices: guardedDevices) {
        (opened) throws(RunError) in
        for record in opened { log.append(record) }
        try log.flush()
        try checkAccess()
      }
      return try SourceListing.orUnavailable(
        source,
        guardedDevices: guardedDevices,
        assigned: basis.options.assigned(source.id),
        listed: basis.options.listings[source.id],
        checkAccess: checkAccess
      )
    }
  }

  /// Lists the sources, and finds the items that earlier runs have not processed.
  ///
  /// - Parameters:
  ///   - library: What they are compared with.
  ///   - pause: Waits for so many nanoseconds, and calls its second argument meanwhile.
  ///   - take: Gets each source, but for those to which access was taken back before they were listed.
  /// - Throws: `RunError`, `LibraryError`, and what the two throw.
  func list(
    comparedWith library: ComparedLibrary,
    pause: (Int64, SourceListing.CheckAccess) throws(RunError) -> Void,
    take: (ComparedSource) throws -> Void
  ) throws {
    var number = 1
    for var source in all {
      let listing =
        if source.selection != nil {
          limited[source.id]
        } else {
          try Self.list(source, of: basis, log, watch, guardedAtStart)
        }
      guard let listing else { continue }
      if source.media.describesFiles {
        try library.catalogue?.described(of: source.id) {
          source.media.note(described: $1, of: $0)
        }
      }
      // With a limit by content they include the set of the candidates, which the listing tells.
      source.conditions = FailureConditions.digest(of: source, in: basis.manifest, listing.items)
      let listed = try compare(listing, of: source, with: library, firstNumber: number, pause)
      number += listed.diff.pending.count + listed.diff.stillChanging.count
      try take(listed)
    }
  }

  /// Compares the albums that a library has of a source with its listing.
  private func albums(
    of source: PlannedSource,
    _ listing: SourceListing,
    _ library: ComparedLibrary
  ) throws -> ComparedAlbums {
    var albums = ComparedAlbums()
    guard source.hasAlbums, let catalogue = library.catalogue, let key = library.digestKey else {
      return albums
    }
    albums.place = SourceAlbum.place(of: source.resolvedPath, key: key)
    guard !basis.options.acceptsMoved, basis.options.assignment == nil else { return albums }
    albums.elsewhere = try catalogue.albums(of: source.id, notAt: albums.place).filter { album in
      !album.members.contains { listing.items.index(of: $0) != nil }
    }
    return albums
  }

  /// Compares a listing with the library, and leaves out what must not be read now.
  private func compare(
    _ listing: SourceListing,
    of source: PlannedSource,
    with library: ComparedLibrary,
    firstNumber number: Int,
    _ pause: (Int64, SourceListing.CheckAccess) throws(RunError) -> Void
  ) throws -> ComparedSource {
    // What is not stored is no reason to read a file again.
    let comparesDescriptions =
      source.media.describesFiles && basis.access.loaded.wantsDescription(under: source.policy)
    var diff = try SourceDiff(
      listing,
      DiffContext(
        of: source.id,
        catalogue: library.catalogue,
        writtenUnder: WrittenUnder.text(policy: source.policy, thumbnails: basis.manifest.thumbnails),
        failingUnder: basis.options.retriesFailed ? nil : source.conditions,
        firstNumber: number,
        sharesNumbers: basis.manifest.labels.haveNumbers,
        assigned: basis.options.assigned(source.id),
        reprocesses: basis.options.reprocesses,
        lost: library.lost,
        isDescribedAnew: comparesDescriptions
          ? library.digestKey.map { key in { source.media.hasNewDescription(of: $0, key) } } : nil
      )
    )
    let damaged =
      try library.catalogue.map { try diff.leaveOutDamaged(of: source.id, in: $0) } ?? []
    var listed = ComparedSource(source: source, listing: listing, diff: diff, damaged: damaged)
    listed.albums = try albums(of: source, listing, library)
    guard let quiet = basis.options.settle else { return listed }
    var settling = Settling(quiet: quiet)
    // When it is taken back meanwhile, what is pending is refused before the first batch.
    _ = try watch.whileListing(source.id) { (checkAccess) throws(RunError) in
      try listed.diff.leaveOutChanging(&settling, of: source) { (time) throws(RunError) in
        try pause(time, checkAccess)
      } mayLook: { (path) throws(RunError) in
        try checkAccess()
        return watch.allows(path, of: source.id)
      }
    }
    listed.settlesIn = settling.next
    return listed
  }
}
