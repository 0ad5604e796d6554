internal import MediaAudit
internal import MediaDigest
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
  let basis: RunBasis
  let account: RunAccount
  let library: Library
  let records: RunRecords
  let signals: Signals
  private let log: RunLog

  /// The writer of the run's log.
  var audit: AuditWriter { log.writer }

  /// Begins the log, with its first record flushed.
  ///
  /// - Throws: `RunError`; then the run has no log.
  init(
    _ basis: RunBasis,
    _ account: RunAccount,
    library: Library,
    signals: Signals
  ) throws(RunError) {
    let worker = try? WorkerProcess.programBeside(WorkerProcess.programName)
    let (loaded, manifest) = (basis.loaded, basis.manifest)
    var opening = AuditOpening()
    opening.clientIdentifier = manifest.client.identifier
    opening.clientName = manifest.client.name
    opening.manifestSHA256 = loaded.sha256
    opening.signature = loaded.signature
    opening.labelsSHA256 = loaded.labelsSHA256
    opening.infoPlistSHA256 = loaded.infoPlistSHA256
    opening.localizationsSHA256 = loaded.localizationsSHA256
    opening.policySHA256s = loaded.policySHA256s
    opening.answersHead = try basis.access.answers?.head()
    opening.takeMachine(basis.kernel, basis.enforcement, hasWorker: worker != nil)
    opening.thumbnailSpecs = manifest.thumbnails.map {
      AuditThumbnailSpec(name: $0.name, fingerprint: $0.fingerprint)
    }
    opening.albumsFromFolders = manifest.albumsFromFolders
    opening.dateRules = manifest.dates
    for source in manifest.sources.keys where source.ownName == nil {
      opening.timeZones[source.name] = loaded.nameOfTimeZone(of: source)
    }
    opening.keepsPrivateFacts = manifest.storesPrivateFacts
    self.basis = basis
    self.account = account
    self.library = library
    self.signals = signals
    log = try RunLog.begin(
      basis.identifier,
      in: library,
      opening: opening,
      manifest: loaded.bytes,
      signer: basis.options.signer
    )
    records = RunRecords(library: library, audit: log.writer, events: Self.events(basis, library, signals))
    account.problems += [
      basis.options.signerProblem.map { RunReport.Problem(code: .headNotSigned, message: $0) },
      RunReport.Problem.logDiffers(log.differing),
    ].compactMap(\.self)
  }

  /// Returns what tells the items of a published batch; nil when they are not asked for.
  private static func events(
    _ basis: RunBasis,
    _ library: Library,
    _ signals: Signals
  ) -> (([ItemEvent]) throws(RunError) -> Void)? {
    guard let deliver = basis.options.onPublished else { return nil }
    let (identifier, path) = (basis.identifier, String(decoding: library.path, as: UTF8.self))
    let settings = AdvisedSettings(basis.manifest)
    return { (items) throws(RunError) in
      let events = ItemEvents(run: identifier, library: path, items: items, settings: settings)
      let delivery = deliver(events) {
        signals.collect()
        return signals.count > 0
      }
      switch delivery {
      case .delivered: return
      case .interrupted:
        throw RunError(
          .interrupted,
          exitCode: signals.exitCode,
          "Stopped on request, while nobody read the events. What was published stays; the next run with "
            + "--events reports it again."
        )
      case .failed(let reason):
        throw RunError(
          .cannotWrite,
          "The events cannot be written to standard output: \(reason). What was published stays; the next "
            + "run with --events reports it again."
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
    for record in basis.asked.records + basis.access.records { audit.append(record) }
    if let failure = basis.asked.failure { throw failure }
    if let stop = basis.stop {
      guard basis.asked.wasAsked, stop.exitCode == .undecided else { throw stop }
      throw RunError(
        .undecided,
        "Not run: a question was not answered. Nothing was stored about it, and nothing was opened."
      )
    }
    do {
      if let conflict = basis.loaded.nameConflict(with: try library.catalogue.sources()) { throw conflict }
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Finishes the batches that an interrupted run left in the library.
  ///
  /// - Returns: Those that still add files to the photo library.
  func recover() throws(RunError) -> [Recovery.Recovered] {
    let recovery = try RunLog.recover(library, records)
    account.problems += [RunReport.Problem.catalogueDiffers(recovery.damaged)].compactMap(\.self)
    if !recovery.recovered.isEmpty {
      let count = Quantity.text(recovery.recovered.count, "batch", plural: "batches")
      basis.options.onNotice("What an interrupted run had begun was finished: \(count).")
    }
    do {
      account.newestRows = try library.newestRows()
    } catch {
      throw RunError(error)
    }
    return recovery.recovered.filter { $0.additions != nil }
  }

  // MARK: The end

  /// Performs the steps, and ends the log whether they succeed or not.
  ///
  /// - Returns: The report, made of what was found until then.
  func conclude(_ steps: () throws -> Void) -> RunReport {
    var exitCode: RunExitCode
    do {
      try steps()
      try confirm()
      noteTotals()
      exitCode = outcome(isRevoked: account.noteRevoked(basis.access))
    } catch {
      let failure = reason(of: error)
      noteTotals()
      // A revocation (77) has precedence over the errors after which a run can be resumed.
      exitCode = account.noteRevoked(basis.access) ? .sourceRefused : failure.exitCode
      account.problems.append(failure.problem)
      leaveOutWaiting()
    }
    let signedHead = endLog(&exitCode)
    var report = RunReport(of: basis, account, exitCode: exitCode)
    if basis.access.permissions.adding != nil {
      report.addedToPhotoLibrary = account.tally.additions.added
    }
    report.auditFile = "Audit/" + audit.file.text
    report.auditRecords = audit.recordCount
    report.auditHead = audit.head
    report.auditSize = audit.treeHead.size
    report.auditRoot = audit.treeHead.root
    report.auditSignedHead = signedHead
    library.catalogue.close()
    library.privateFacts?.close()
    return report
  }

  /// Takes the items that a stopped run has not dealt with out of its number of items, which is the sum
  /// of the outcomes in its log too, and says how many they are.
  private func leaveOutWaiting() {
    let ended = account.tally.endedCount
    let waiting = account.tally.totals.discovered - ended
    guard waiting > 0 else { return }
    account.tally.totals.discovered = ended
    guard let last = account.problems.indices.last else { return }
    account.problems[last].message +=
      " \(Quantity.text(waiting, "more file", "was", "were")) found and not read yet."
  }

  /// Checks the accounting of a run that has finished, and returns its exit code.
  private func outcome(isRevoked: Bool) -> RunExitCode {
    let tally = account.tally
    guard tally.endedCount == tally.totals.discovered else {
      account.problems.append(.accounting(listed: tally.totals.discovered, ended: tally.endedCount))
      return .internalCheck
    }
    if isRevoked { return .sourceRefused }
    let codes = account.problems.map(\.code)
    if codes.contains(.logDiffers) || codes.contains(.catalogueDiffers) { return .internalCheck }
    let unplaced = tally.totals.failures.count { $0.reason == .outOfSpace }
    if unplaced > 0 {
      account.problems.append(.outOfSpace(unplaced))
      return .cannotWrite
    }
    let counts = tally.outcomes
    let hasFailed =
      (counts[.failed] ?? 0) > 0
      || basis.options.failsOnEarlier && (counts[.failedBefore] ?? 0) > 0
      || basis.options.failsOnUnsupported && (counts[.unsupported] ?? 0) > 0
    let isLoose = codes.contains(.metadataPolicyChanged) || codes.contains(.unstripped)
    return hasFailed || isLoose ? .itemsFailed : .success
  }

  /// Adds what the tally has to say.
  private func noteTotals() {
    let (tally, adding) = (account.tally, basis.access.permissions.adding)
    let (dates, movies) = (tally.implausibleDates, tally.misstatedMovies)
    account.problems += [
      RunReport.Problem.datesNotUsed(
        dates.count,
        dates.examples,
        tags: tally.implausibleTags,
        isClock: tally.hasWrongClock
      ),
      RunReport.Problem.moviesMisstated(movies.count, notFound: tally.moviesNotFound, movies.examples),
      RunReport.Problem.mediaNotTaken(tally.mediaNotTaken),
    ].compactMap(\.self)
    account.problems += RunReport.Problem.notAdded(tally.additions, because: adding?.decision.reason)
    if tally.untimed.count > 0 {
      account.problems.append(.timesNotSet(tally.untimed.count, tally.untimed.reason))
    }
  }

  /// Writes the log's last record, and signs its head.
  ///
  /// - Returns: The signed head; nil when it is not signed.
  private func endLog(_ exitCode: inout RunExitCode) -> String? {
    do {
      return try log.end(
        account.tally.outcomes,
        degraded: account.tally.totals.degraded,
        thumbnails: account.tally.totals.thumbnails,
        exitCode: exitCode,
        in: library
      )
    } catch {
      let problem = RunError(wrapping: error).problem
      if exitCode != .cannotWrite, !account.problems.contains(problem) {
        account.problems.append(problem)
      }
      if [.success, .itemsFailed].contains(exitCode) { exitCode = .cannotWrite }
      return nil
    }
  }

  /// The error of the steps. What fails for want of a file or a folder that was taken away has that for its reason.
  private func reason(of error: any Error) -> RunError {
    let failure = RunError(wrapping: error)
    guard [.enforcementUnavailable, .internalCheck].contains(failure.exitCode) else {
      return failure
    }
    do throws(LibraryError) {
      try library.confirm(log.files())
      return failure
    } catch {
      return RunError(error)
    }
  }

  /// Looks whether the library is where it was, with all that was written and published, before the log says that the
  /// run has succeeded.
  private func confirm() throws(LibraryError) {
    try library.confirm(log.files(), publishedSince: account.newestRows)
  }
}
