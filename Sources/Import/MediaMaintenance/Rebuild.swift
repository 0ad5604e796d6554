package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaVerification

/// Makes a library's catalogue anew from its folders and its log.
///
/// Published files and their folders are believed first, then the log, then the catalogue of before. No
/// source is opened, no published file is touched, and the catalogue of before is kept.
package struct Rebuild {
  /// Something that neither the folders nor the log could tell.
  package struct Loss: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
      case unopenedItems
      case unknownChanges
      case unknownThumbnails
      case unknownThumbHashes
      case unknownTimeZones
      case finishedBatches
      case identifier
      case digestKey
      case privateFacts
    }

    package var kind: Kind
    package var count: Int

    /// The loss and its consequence, for a person.
    package var text: String {
      switch kind {
      case .unopenedItems:
        Quantity.text(count, "item") + " never opened, whose files the log does not name; the "
          + "next run reports each again"
      case .unknownChanges:
        Quantity.text(count, "item")
          + " without the time of the last change in this older log; the "
          + "next run reads each once more"
      case .unknownThumbnails:
        Quantity.text(count, "thumbnail")
          + " without settings in this older log; the next run makes "
          + "each again"
      case .unknownThumbHashes:
        Quantity.text(count, "thumbnail")
          + " without a blurred preview; galleries show a gray box first"
      case .unknownTimeZones:
        Quantity.text(count, "time zone")
          + " not known to this system, so the dates that it gave an offset from UTC have "
          + "none; install tzdata, and rebuild once more"
      case .finishedBatches:
        Quantity.text(count, "row") + " of finished batches not made again; nothing needs them"
      case .identifier:
        "neither the log nor a file has the library's identifier; it has a new one"
      case .privateFacts:
        "private.sqlite is lost, and with it what stripping had taken from files"
      case .digestKey:
        "the library's digest key was lost or damaged, and a new one was made: a photo that was stripped before "
          + "is not recognized under another name"
      }
    }
  }

  /// A file or folder of the library, and what is wrong with it.
  package struct FileFinding: Sendable, Hashable {
    /// Below the library, escaped.
    package var path: String
    package var detail: String
  }

  /// What the new catalogue has; nil when none was made.
  package private(set) var counts: CatalogueCounts?
  /// The name under which the catalogue of before is kept; nil when there was none.
  package private(set) var kept: String?
  package private(set) var losses: [Loss] = []
  /// Originals that are missing, or are not what was published; folders that cannot be read.
  package private(set) var findings: [FileFinding] = []
  /// The number of assets that only the catalogue of before told, as after a file of the log was lost.
  package private(set) var keptAssets = 0
  /// Published files that neither the log nor the catalogue of before records, escaped.
  package private(set) var unrecorded: [String] = []
  /// The rows in which the new catalogue differs from the one of before; nil when there was none that
  /// could be read.
  package private(set) var comparison: CatalogueComparison?
  /// The first difference of the log; nil when it is whole.
  package private(set) var logDifference: String?
  /// The log's new head; nil when no catalogue was made.
  package private(set) var log: EndedLog?
  /// The error that stopped the rebuild, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 65 when a file or the log is not what was written.
  package private(set) var exitCode = RunExitCode.success

  /// Rebuilds the catalogue of a library while holding its lock.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: How the workers are confined that read the published files.
  ///   - signer: Signs the head of the rebuild's own log; nil when it is not signed.
  package init(
    library path: [UInt8],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    self.init(
      library: path,
      waits: waits,
      enforcement: enforcement,
      signer: signer,
      openFacts: Self.openWorkers(enforcement)
    )
  }

  /// Opens what reads the facts of the published files beneath a folder: it answers each request, in their
  /// order.
  typealias FactsOpener = (Descriptor) throws -> ([FactsRequest]) throws -> [FactsAnswer]

  /// Reads published files by workers, which alone parse media.
  static func openWorkers(_ enforcement: Enforcement) -> FactsOpener {
    { root in
      let facts = try PublishedFacts(beneath: root, enforcement: enforcement)
      return { try facts.read($0) }
    }
  }

  /// Rebuilds the catalogue with another reader of the published files.
  init(
    library path: [UInt8],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?,
    openFacts: FactsOpener
  ) {
    do {
      try rebuild(path, waits: waits, enforcement, signer, openFacts)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func rebuild(
    _ path: [UInt8],
    waits: Bool,
    _ enforcement: Enforcement,
    _ signer: AuditSigner?,
    _ openFacts: FactsOpener
  ) throws {
    try RunError.requireEnforcement(enforcement, of: "what reads the library's files")
    let library = try Library(
      rebuilding: FileSystem.resolved(path) ?? path,
      waits: waits,
      holder: Host.holder
    )
    let earlier = try EarlierCatalogue(library: library.path)
    try check(library, earlier)
    let run = RunLog.makeIdentifier()
    let logged = try replay(library, earlier, openFacts(library.root))
    try identify(library, earlier, logged, run: run)
    let unfinished = try enterUndone(earlier, in: library.catalogue)
    if let earlier {
      let loggedRuns = Set(try library.catalogue.auditPositions().map(\.run))
      keptAssets = try keepAssets(of: earlier, in: library, unfinished)
      try library.catalogue.keepDecisions(of: earlier, notLoggedBy: loggedRuns)
      try library.catalogue.keepSourceFacts(of: earlier)
    }
    _ = try library.catalogue.updateStacks(run: nil)
    try findUnrecorded(in: library, unfinished)
    if let earlier {
      let comparison = CatalogueComparison(earlier, library.catalogue)
      lose(.finishedBatches, comparison.finishedBatches)
      self.comparison = comparison
    }
    earlier?.close()
    let counts = try library.catalogue.counts()
    self.counts = counts
    lose(.unknownThumbHashes, try library.catalogue.thumbnailsWithoutHash())
    if logDifference != nil || !findings.isEmpty || !unrecorded.isEmpty || keptAssets > 0 {
      exitCode = .differencesFound
    }
    try install(library, counts, enforcement, signer, run: run)
  }

  private mutating func lose(_ kind: Loss.Kind, _ count: Int) {
    if count > 0 { losses.append(Loss(kind: kind, count: count)) }
  }

  // MARK: Steps

  /// Looks whether the log is whole, as far as the log itself and the catalogue of before can tell. A log
  /// that differs is used nonetheless: it is the best there is, and the result says so.
  private mutating func check(_ library: Library, _ earlier: EarlierCatalogue?) throws {
    var witnesses = AuditWitnesses()
    witnesses.expectations = earlier?.auditPositions ?? []
    let folder = AuditFolder(descriptor: library.audit.raw)
    logDifference = try folder.verify(witnesses).difference?.description
  }

  /// Enters every run of the log with what it imported.
  ///
  /// - Returns: The library's identifier and the check value of its digest key in the newest records that
  ///   have one.
  private mutating func replay(
    _ library: Library,
    _ earlier: EarlierCatalogue?,
    _ readFacts: @escaping ([FactsRequest]) throws -> [FactsAnswer]
  ) throws -> (library: String?, keyCheck: String?) {
    let folder = AuditFolder(descriptor: library.audit.raw)
    let catalogue = library.catalogue
    var replay = LogReplay(
      into: catalogue,
      batchCount: BatchWork.maximumCount,
      earlier: earlier,
      names: try Self.renamedPaths(folder),
      placements: try folder.placements(),
      root: library.root,
      readFacts: readFacts
    )
    // What the catalogue of before calls ended has signed its head: an empty one is then a difference.
    let ended = Set((earlier?.auditPositions ?? []).filter(\.isEnded).map(\.file))
    var logged: (library: String?, keyCheck: String?)
    var storedPrivateFacts = false
    var runs: Set<String> = []
    for position in try folder.positions() {
      guard let file = AuditFileName(text: position.file) else { continue }
      var failure: (any Error)?
      var run: LoggedRun?
      try AuditEntry.forEach(in: try folder.bytes(of: file)) { entry in
        guard failure == nil else { return }
        do {
          if let opening = entry.opening, run == nil {
            // A copy of another run's file tells nothing, and the check of the log names it.
            guard entry.run == file.run, runs.insert(entry.run).inserted else { return }
            let begun = LoggedRun(opening, started: entry.time, audit: position)
            run = begun
            try catalogue.enter(begun)
            replay.begin(begun.identifier, opening)
            if opening.keepsPrivateFacts { storedPrivateFacts = true }
            logged.keyCheck = opening.digestKeyCheck ?? logged.keyCheck
          } else if run == nil {
            return
          } else if entry.event == .end {
            replay.end(exitCode: entry.exitCode)
            if !ended.contains(position.file), folder.hasUnsignedHead(file) { return }
            try catalogue.enterEnd(of: position.run, ended: entry.time, exitCode: entry.exitCode)
          } else {
            logged.library = entry.library ?? logged.library
            try replay.add(entry)
          }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    try replay.finish()
    lose(.privateFacts, storedPrivateFacts && !library.hasPrivateFacts ? 1 : 0)
    note(replay)
    return logged
  }

  /// Notes what the log did not tell, and how published files differ from what it told.
  private mutating func note(_ replay: LogReplay) {
    lose(.unopenedItems, replay.unopenedItems)
    lose(.unknownChanges, replay.unknownChanges)
    lose(.unknownThumbnails, replay.unknownThumbnails)
    lose(.unknownTimeZones, replay.unknownTimeZones)
    findings = replay.findings.sorted { $0.key < $1.key }
      .map { FileFinding(path: EscapedText.printable($0.key), detail: $0.value) }
  }

  /// The names that published files have by now, of those that were renamed.
  private static func renamedPaths(_ folder: AuditFolder) throws -> RenamedPaths {
    var names = RenamedPaths()
    for file in try folder.files() {
      try AuditEntry.forEach(in: try folder.bytes(of: file), only: [.relabelled]) { entry in
        if let rename = entry.rename { names.add(rename) }
      }
    }
    return names
  }

  /// Gives the new catalogue the library's identifier, and the library a key if it has lost its own.
  private mutating func identify(
    _ library: Library,
    _ earlier: EarlierCatalogue?,
    _ logged: (library: String?, keyCheck: String?),
    run: String
  ) throws {
    let earlierIdentifier = earlier?.identifier
    let stored = try library.storedKey(of: logged.library ?? earlierIdentifier, check: logged.keyCheck)
    if logged.library ?? earlierIdentifier ?? stored?.library == nil { lose(.identifier, 1) }
    let identifier =
      stored?.library ?? logged.library ?? earlierIdentifier ?? LocalIdentifier.make()
    if let logged = logged.library, logged != identifier {
      throw LibraryError(
        .inconsistent,
        ".state/digest.key names another library than the log does. Restore it from a copy of this "
          + "library, or move it away; then rebuild."
      )
    }
    if stored == nil { lose(.digestKey, 1) }
    try library.identify(as: identifier, key: stored?.key, run: run)
  }

  /// Enters the batches that a run left in the middle, as far as the catalogue of before has them and
  /// their outcomes are not in the log: the next run finishes them, as it would have before.
  ///
  /// - Returns: The files of these batches.
  private func enterUndone(
    _ earlier: EarlierCatalogue?,
    in catalogue: Catalogue
  ) throws -> Set<String> {
    var paths: Set<String> = []
    for var batch in earlier?.undoneBatches ?? [] {
      guard batch.state != .intended, var staged = batch.staged,
        try catalogue.hasRun(batch.run)
      else { continue }
      staged.assets = try staged.assets.filter { asset in
        try !asset.publishedPaths.allSatisfy { try catalogue.hasFile($0) }
      }
      paths.formUnion(staged.newPaths + staged.movedPaths)
      let hasFiles = !staged.assets.isEmpty || !staged.movedPaths.isEmpty
      batch.state = hasFiles ? .staged : batch.state
      batch.staged = staged
      try catalogue.enter(batch)
    }
    return paths
  }

  /// Takes over what only the catalogue of before has, if its files are there with their digests.
  private func keepAssets(
    of earlier: EarlierCatalogue,
    in library: Library,
    _ unfinished: Set<String>
  ) throws -> Int {
    try library.catalogue.keepAssets(of: earlier, without: unfinished) { path, sha256 in
      (try? FileDigest.of([UInt8](path.utf8), beneath: library.root))?.sha256 == sha256
    }
  }

  /// Looks for published files that the new catalogue does not have, and notes folders that cannot be read.
  private mutating func findUnrecorded(in library: Library, _ unfinished: Set<String>) throws {
    var paths: [String] = []
    var failure: (any Error)?
    for name in ["Originals", "Thumbnails"] {
      try FileSystem.forEachFile(
        beneath: library.root,
        [UInt8](name.utf8),
        unread: {
          findings.append(FileFinding(path: EscapedText.percentEscaped($0), detail: "\($1)"))
        }
      ) { path in
        guard failure == nil else { return }
        do {
          let text = String(validating: path, as: UTF8.self)
          if let text, try unfinished.contains(text) || library.catalogue.hasFile(text) { return }
          paths.append(EscapedText.percentEscaped(path))
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    unrecorded = paths.sorted()
  }

  /// The published files of which the catalogue of before has no row, or one of another digest.
  private func forgotten(in catalogue: Catalogue) throws -> [Catalogue.PublishedFile] {
    let rows = (comparison?.differences ?? []).filter { difference in
      ["resources", "thumbnails"].contains(difference.table)
        && (difference.kind == .new || difference.columns.contains("sha256"))
    }
    if rows.isEmpty { return [] }
    let names = Set(rows.map(\.row))
    return try catalogue.publishedFiles(superseded: false).filter { file in
      names.contains(EscapedText.percentEscaped(Array(file.path.utf8)))
    }
  }

  /// Begins a log of the rebuild, puts the new catalogue in its place, and ends the log there.
  ///
  /// The log names the rebuild before the catalogue changes, and says what came of it after. When it is
  /// stopped in between, its file has no more than the records with which a run begins, which the
  /// catalogue of before accepts.
  private mutating func install(
    _ library: Library,
    _ counts: CatalogueCounts,
    _ enforcement: Enforcement,
    _ signer: AuditSigner?,
    run: String
  ) throws {
    let log = try RunLog.begin(
      run,
      in: library,
      opening: .ofCommand("rebuild", enforcement: enforcement, startsWorkers: true),
      signer: signer,
      mayLag: true
    )
    kept = try library.install(run: run)
    var record = AuditRebuild()
    (record.assets, record.resources) = (counts.assets, counts.resources)
    (record.thumbnails, record.items) = (counts.thumbnails, counts.items)
    (record.kept, record.lost) = (kept, losses.count)
    log.writer.append(record)
    for file in try forgotten(in: library.catalogue) {
      let output = OutputFile(published: file.path, sha256: file.sha256, bytes: file.bytes)
      log.writer.append(AuditFileChange(.adopted, output))
    }
    let signed = try log.end(exitCode: exitCode, in: library)
    self.log = EndedLog(log.writer, signed: signed)
    library.catalogue.close()
  }
}
