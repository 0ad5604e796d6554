internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool

/// A run that holds its library and has begun its log, in which all its actions are recorded.
struct OpenRun {
  let run: Run
  let library: Library
  let records: RunRecords
  let account = RunAccount()
  let signals: Signals
  private let log: RunLog

  /// The writer of the run's log.
  var audit: AuditWriter { log.writer }

  /// Begins the log, with its first record flushed.
  ///
  /// - Throws: `RunError`; then the run has no log.
  init(_ run: Run, library: Library, signals: Signals) throws(RunError) {
    let worker = try? WorkerProcess.programBeside(WorkerProcess.programName)
    let (loaded, manifest) = (run.loaded, run.loaded.manifest)
    var opening = AuditOpening()
    opening.clientIdentifier = manifest.client.identifier
    opening.clientName = manifest.client.name
    opening.manifestSHA256 = loaded.sha256
    opening.labelsSHA256 = loaded.labelsSHA256
    opening.infoPlistSHA256 = loaded.infoPlistSHA256
    opening.policySHA256s = loaded.policySHA256s
    opening.answersHead = try run.access.answers?.head()
    opening.takeMachine(run.kernel, run.enforcement, hasWorker: worker != nil)
    opening.thumbnailSpecs = manifest.thumbnails.map {
      AuditThumbnailSpec(name: $0.name, fingerprint: $0.fingerprint)
    }
    opening.albumsFromFolders = manifest.albumsFromFolders
    opening.dateRules = manifest.dates
    opening.timeZones = loaded.namesOfTimeZones
    opening.keepsPrivateFacts = manifest.storesPrivateFacts
    self.run = run
    self.library = library
    self.signals = signals
    log = try RunLog.begin(
      run.identifier,
      in: library,
      opening: opening,
      manifest: loaded.bytes,
      signer: run.options.signer,
      isImport: true
    )
    records = RunRecords(
      library: library,
      audit: log.writer,
      events: Self.events(run, library, signals)
    )
    if let problem = run.options.signerProblem {
      run.report.problems.append(RunReport.Problem(code: .headNotSigned, message: problem))
    }
    if let problem = RunReport.Problem.logDiffers(log.differing) {
      run.report.problems.append(problem)
    }
  }

  /// Returns what tells the items of a published batch; nil when they are not asked for.
  private static func events(
    _ run: Run,
    _ library: Library,
    _ signals: Signals
  ) -> (([ItemEvent]) throws(RunError) -> Void)? {
    guard let deliver = run.options.onPublished else { return nil }
    let (identifier, path) = (run.identifier, String(decoding: library.path, as: UTF8.self))
    return { (items) throws(RunError) in
      let delivery = deliver(ItemEvents(run: identifier, library: path, items: items)) {
        signals.collect()
        return signals.count > 0
      }
      switch delivery {
      case .delivered: return
      case .interrupted:
        throw RunError(
          .interrupted,
          exitCode: signals.exitCode,
          "Stopped on request while nobody read the events. What was published stays; the next run with "
            + "--events tells of it again."
        )
      case .failed(let reason):
        throw RunError(
          .cannotWrite,
          "The events cannot be written to standard output: \(reason). What was published stays; the next "
            + "run with --events tells of it again."
        )
      }
    }
  }

  // MARK: Steps

  /// Records what a person has answered, and the decisions about each source.
  ///
  /// - Throws: `RunError` when the run stops before it opens anything.
  func decide() throws(RunError) {
    // The decisions are recorded even when asking has failed.
    for record in run.asked.records + run.access.records { audit.append(record) }
    if let failure = run.asked.failure { throw failure }
    if let stop = run.stop {
      guard run.asked.wasAsked, stop.exitCode == .undecided else { throw stop }
      throw RunError(
        .undecided,
        "Not run: a question was not answered, so nothing was stored about it, and nothing was "
          + "opened."
      )
    }
  }

  /// Finishes the batches that an interrupted run left in the library.
  ///
  /// - Returns: Those that still add files to the photo library.
  func recover() throws(RunError) -> [Recovery.Recovered] {
    let recovery = try RunLog.recover(library, records)
    if let problem = RunReport.Problem.catalogueDiffers(recovery.damaged) {
      run.report.problems.append(problem)
    }
    if !recovery.recovered.isEmpty {
      let count = Quantity.text(recovery.recovered.count, "batch", plural: "batches")
      run.options.onNotice("The work of an interrupted run was finished: \(count) recovered.")
    }
    return recovery.recovered.filter { $0.additions != nil }
  }

  /// Confines the process. Only the returned value can list sources and open their files.
  ///
  /// - Parameter unfinished: The batches of an interrupted run that still add files.
  /// - Returns: The run, which has listed its limited sources.
  /// - Throws: `RunError`; the process must not go on then.
  func confine(finishing unfinished: [Recovery.Recovered]) throws(RunError) -> ConfinedRun {
    do {
      return try ConfinedRun(confining: self, finishing: unfinished)
    } catch {
      throw RunError(wrapping: error)
    }
  }

  // MARK: The end

  /// Performs the steps, and ends the log whether they succeed or not.
  func conclude(_ steps: () throws -> Void) {
    do {
      try steps()
      run.report.exitCode = outcome()
    } catch {
      takeTotals()
      let isRevoked = run.noteRevoked(account)
      run.stop(because: RunError(wrapping: error))
      leaveOutWaiting()
      // A revocation (77) has precedence over the errors after which a run can be resumed.
      if isRevoked { run.report.exitCode = .sourceRefused }
    }
    end()
  }

  /// Takes the items that a stopped run has not dealt with out of its number of items, which is the sum
  /// of the outcomes in its log too, and says how many they are.
  private func leaveOutWaiting() {
    let ended = run.report.counts.values.reduce(0, +)
    let waiting = run.report.discovered - ended
    guard waiting > 0 else { return }
    run.report.discovered = ended
    guard let last = run.report.problems.indices.last else { return }
    run.report.problems[last].message +=
      " \(Quantity.text(waiting, "more file")) had been found, and"
      + (waiting == 1 ? " waits." : " wait.")
  }

  /// Checks the accounting of a run that has finished, and returns its exit code.
  private func outcome() -> RunExitCode {
    takeTotals()
    let isRevoked = run.noteRevoked(account)
    let sum = run.report.counts.values.reduce(0, +)
    guard sum == run.report.discovered else {
      run.report.problems.append(.accounting(listed: run.report.discovered, ended: sum))
      return .internalCheck
    }
    if isRevoked { return .sourceRefused }
    let codes = run.report.problems.map(\.code)
    if codes.contains(.logDiffers) || codes.contains(.catalogueDiffers) { return .internalCheck }
    let unplaced = run.report.failures.count { $0.reason == .outOfSpace }
    if unplaced > 0 {
      run.report.problems.append(.outOfSpace(unplaced))
      return .cannotWrite
    }
    let counts = run.report.counts
    let hasFailed =
      (counts[.failed] ?? 0) > 0
      || run.options.failsOnEarlier && (counts[.failedBefore] ?? 0) > 0
    let isLoose = codes.contains(.metadataPolicyChanged) || codes.contains(.unstripped)
    return hasFailed || isLoose ? .itemsFailed : .success
  }

  private func takeTotals() {
    for index in run.report.sources.indices
    where run.report.sources[index].accessLevel == .readWrite {
      run.report.sources[index].counts =
        account.tally.counts[run.report.sources[index].source] ?? [:]
    }
    run.report.failures = account.tally.failures
    run.report.thumbnailMissing = account.tally.thumbnailMissing
    run.report.unsupported = account.tally.unsupported
    run.report.leftOut = account.tally.leftOut.sorted { first, second in
      (first.source, first.reason.rawValue) < (second.source, second.reason.rawValue)
    }
    run.report.degraded = account.tally.degraded
    run.report.thumbnails = account.tally.thumbnails
    run.report.restored = account.tally.restored.count
    run.report.newerVersions = account.tally.versions.added
    run.report.replaced = account.tally.versions.replaced
    let dates = account.tally.implausibleDates
    if let problem = RunReport.Problem.datesNotUsed(dates.count, dates.examples) {
      run.report.problems.append(problem)
    }
    let movies = account.tally.misstatedMovies
    if let problem = RunReport.Problem.moviesMisstated(movies.count, movies.examples) {
      run.report.problems.append(problem)
    }
    if run.access.permissions.adding != nil {
      run.report.addedToPhotoLibrary = account.tally.additions.added
    }
    run.report.problems += RunReport.Problem.notAdded(
      account.tally.additions,
      because: run.access.permissions.adding?.decision.reason
    )
    if account.tally.untimed.count > 0 {
      run.report.problems.append(
        .timesNotSet(account.tally.untimed.count, account.tally.untimed.reason)
      )
    }
  }

  /// Writes the log's last record, and signs its head.
  private func end() {
    do {
      run.report.auditSignedHead = try log.end(
        run.report.counts,
        degraded: run.report.degraded,
        thumbnails: run.report.thumbnails,
        exitCode: run.report.exitCode,
        in: library.catalogue
      )
    } catch {
      if run.report.exitCode != .cannotWrite {
        run.report.problems.append(
          RunReport.Problem(code: .auditNotWritten, message: "\(error) Run again: it resumes.")
        )
      }
      if [.success, .itemsFailed].contains(run.report.exitCode) {
        run.report.exitCode = .cannotWrite
      }
    }
    run.report.auditFile = "Audit/" + audit.file.text
    run.report.auditRecords = audit.recordCount
    run.report.auditHead = audit.head
    run.report.auditSize = audit.treeHead.size
    run.report.auditRoot = audit.treeHead.root
    library.catalogue.close()
    library.privateFacts?.close()
  }
}
