internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox

/// One import, from a manifest that was read to a report.
///
/// ``perform()`` is the table of contents: each step is a method below it, in that order. Runs on the
/// main thread, the only one until the process is confined and the only one after.
package final class Run {
  let loaded: LoadedManifest
  let options: RunOptions
  private let started = MonotonicClock.now
  let identifier = RunLog.makeIdentifier()
  let kernel = KernelSupport.probe()
  let enforcement: Enforcement
  var decided: Decided { didSet { report.sources = decided.reported } }
  var report: RunReport
  private var watch: PermissionWatch?
  /// A person was at the terminal, and may have left a question open.
  var wasAsked = false

  /// From here on a wish to stop is collected; while waiting for the library it ends the process.
  lazy var signals = Signals()
  var library: Library?
  var audit: AuditWriter?
  var log: RunLog?
  var ledger: Ledger?

  package init(_ loaded: LoadedManifest, options: RunOptions) {
    self.loaded = loaded
    self.options = options
    enforcement = options.enforcement ?? loaded.manifest.enforcement
    decided = Decided(loaded, canPrompt: options.openTerminal != nil)
    report = RunReport(
      run: identifier,
      manifestPath: loaded.path,
      manifestSHA256: loaded.sha256,
      library: String(decoding: FileSystem.resolved(loaded.output) ?? loaded.output, as: UTF8.self),
      enforcement: enforcement,
      enforcementDetail: enforcement == .kernel ? kernel.detail : "none; \(kernel.detail)"
    )
    report.sources = decided.reported
  }

  var stop: RunError? {
    decided.stop(kernel: kernel, enforcement: options.enforcement)
  }

  /// Advice for each source that is not plainly allowed.
  package var advice: [StatusAdvice] { decided.advice }

  /// Does everything, and says what was done; never throws: what went wrong is in the report.
  package func perform() -> RunReport {
    do {
      if let failure = decided.failure { throw failure }
      let library = try openLibrary()
      signals.collect()
      try takeUpAnswers()
      let audit = try beginLog(in: library)
      let ledger = try makeLedger(library, audit)
      try decide(audit)
      try recover(library, ledger, audit)
      let sources = try decided.plannedSources()
      let pool = try makePool()
      let guarded = decided.guardedDevices
      let limited = try confine(sources, library: library, pool: pool, guarded: guarded)
      let work = try list(sources, limited: limited, guarded: guarded, library, audit, ledger)
      try importAll(work, pool: pool.pool, guarded: guarded, library, audit, ledger)
      try ledger.close()
      report.exitCode = outcome(of: ledger)
    } catch {
      stop(because: RunError(wrapping: error))
    }
    endLog()
    report.elapsedMilliseconds = Int((MonotonicClock.now - started) / 1_000_000)
    return report
  }

  // MARK: Confining

  private func makePool() throws -> (pool: WorkerPool, worker: [UInt8], null: Descriptor) {
    do {
      let worker = try WorkerProcess.programBeside(Self.workerName)
      let null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
      let pool = WorkerPool(
        executable: worker,
        nullDevice: null,
        enforcement: enforcement,
        size: max(1, options.workers ?? Host.processors)
      )
      return (pool, worker, null)
    } catch let error as SandboxError {
      throw RunError(
        .workerMissing,
        "\(Self.workerName) is not beside this program: \(error). Install both together."
      )
    }
  }

  /// - Returns: What a limited source's selection found, for the sources that are limited.
  private func confine(
    _ sources: [PlannedSource],
    library: Library,
    pool: (pool: WorkerPool, worker: [UInt8], null: Descriptor),
    guarded: Set<UInt64>
  ) throws -> [SourceKind: SourceListing] {
    do {
      var limited: [SourceKind: SourceListing] = [:]
      let confinement = try CoordinatorConfinement(
        sources: sources,
        library: library,
        worker: pool.worker
      )
      if enforcement == .kernel { try confinement.enforceFirstLayer() }
      for source in sources where source.selection != nil {
        try recordSource(source)
        limited[source.kind] = try SourceListing.orUnavailable(source, guardedDevices: guarded)
      }
      if enforcement == .kernel {
        try confinement.enforceSecondLayer(selected: limited.mapValues(\.items))
      }
      return limited
    } catch let error as SandboxError {
      throw RunError(error)
    }
  }

  // MARK: Confined

  private func recordSource(_ source: PlannedSource) throws {
    let status = try source.root.status()
    audit?.append(
      .source(
        source.kind,
        path: source.path,
        resolvedPath: source.resolvedPath,
        device: status.device,
        inode: status.inode,
        basis: source.basis
      )
    )
    try ledger?.flushAudit()
  }

  private func list(
    _ sources: [PlannedSource],
    limited: [SourceKind: SourceListing],
    guarded: Set<UInt64>,
    _ library: Library,
    _ audit: AuditWriter,
    _ ledger: Ledger
  ) throws -> [(source: PlannedSource, pending: [PendingItem])] {
    var work: [(source: PlannedSource, pending: [PendingItem])] = []
    var number = 1
    for source in sources {
      let listing: SourceListing
      if let known = limited[source.kind] {
        listing = known
      } else {
        try recordSource(source)
        listing = try SourceListing.orUnavailable(source, guardedDevices: guarded)
      }
      let diff: SourceDiff
      do {
        diff = try SourceDiff(
          listing,
          of: source.kind,
          catalogue: library.catalogue,
          writtenUnder: WrittenUnder.text(
            policy: source.policy,
            thumbnails: loaded.manifest.thumbnails
          ),
          firstNumber: number,
          reprocesses: options.reprocesses
        )
      } catch {
        throw RunError(error)
      }
      number += diff.pending.count
      report.discovered += listing.items.count
      note(listing, diff, of: source)
      if !diff.unchanged.isEmpty {
        audit.append(
          .unchanged(
            source: source.kind,
            count: diff.unchanged.count,
            listSHA256: AuditRecord.listSHA256(diff.unchanged)
          )
        )
        ledger.countUnchanged(diff.unchanged.count, of: source.kind)
      }
      work.append((source, diff.pending))
    }
    return work
  }

  private func note(_ listing: SourceListing, _ diff: SourceDiff, of source: PlannedSource) {
    for warning in listing.warnings {
      report.problems.append(RunReport.Problem(code: .listing, message: warning))
    }
    if source.basis == .limited, listing.items.isEmpty {
      report.problems.append(
        RunReport.Problem(
          code: .selectionEmpty,
          message: "The \(source.kind.displayName) is limited, and its selection shows nothing."
        )
      )
    }
    if source.basis == .limited, !loaded.manifest.preventsAutomaticLimitedAccessAlert {
      // Of how many stays unsaid: nothing else exists.
      let found = listing.items.count { $0.reason != .identifierNotFound }
      options.onNotice(
        "The \(source.kind.displayName) is limited: \(found) item(s) of its selection were found."
      )
    }
    if source.selection == nil, let labels = loaded.labels[source.kind] {
      let unmet = labels.keys.filter { !listing.contains($0) }.sorted()
      if let first = unmet.first {
        report.problems.append(
          RunReport.Problem(
            code: .labelsNotMet,
            message: "\(unmet.count) row(s) of the labels file name nothing in the "
              + "\(source.kind.displayName), the first \"\(first.text)\". Mend its path column."
          )
        )
      }
    }
    let linked = listing.items.count { $0.reason == .hardLinked }
    if linked > 0 {
      report.problems.append(
        RunReport.Problem(
          code: .hardLinked,
          message:
            "\(linked) file(s) of the \(source.kind.displayName) have more than one name and "
            + "were refused, since another source on that disk is closed. To allow them, write "
            + "\"hardLinks\": \"allow\" under sources.\(source.kind.rawValue)."
        )
      )
    }
    if diff.underAnotherPolicy > 0 {
      report.problems.append(
        RunReport.Problem(
          code: .metadataPolicyChanged,
          message: "\(diff.underAnotherPolicy) item(s) of the \(source.kind.displayName) were "
            + "written under another metadata policy than \"\(source.policy.rawValue)\" and stay "
            + "as they are. `mediabatch run --reprocess` writes anew what was written under a looser one."
        )
      )
    }
  }

  private func importAll(
    _ work: [(source: PlannedSource, pending: [PendingItem])],
    pool: WorkerPool,
    guarded: Set<UInt64>,
    _ library: Library,
    _ audit: AuditWriter,
    _ ledger: Ledger
  ) throws {
    let progress = ProgressCounter(
      totals: work.map { ($0.source.kind, $0.pending.count) },
      show: options.onProgress
    )
    let watch = PermissionWatch(decided, audit: audit, onNotice: options.onNotice)
    self.watch = watch
    let context = RunContext(
      loaded: loaded,
      library: library,
      ledger: ledger,
      watch: watch,
      signals: signals,
      progress: progress,
      guardedDevices: guarded
    )
    let loop = ImportLoop(run: context, pool: pool)
    var plan = BatchPlan(
      sources: work,
      library: library,
      thumbnails: loaded.manifest.thumbnails,
      limits: loaded.manifest.limits
    )
    try loop.process(&plan)
    // What was taken back while the last batch was settled belongs to this run's log.
    try watch.look(at: &plan, ledger: ledger)
    if !plan.isAtEnd {
      try ledger.close()
      throw context.interruption
    }
  }

  // MARK: The end

  /// The exit code of a run that went through, after its accounts were checked.
  private func outcome(of ledger: Ledger) -> ExitCode {
    takeTotals(from: ledger)
    let isRevoked = noteRevoked()
    let sum = report.counts.values.reduce(0, +)
    guard sum == report.discovered else {
      report.problems.append(
        RunReport.Problem(
          code: .accounting,
          message: "\(report.discovered) items were found and \(sum) have an outcome. This is a "
            + "defect of mediabatch; please report it. Run `mediabatch verify` on the library."
        )
      )
      return .internalCheck
    }
    if isRevoked { return .sourceRefused }
    let failed = report.counts[.failed] ?? 0
    if report.problems.contains(where: { $0.code == .logDiffers }) { return .internalCheck }
    let changed = report.problems.contains { $0.code == .metadataPolicyChanged }
    return failed > 0 || changed ? .itemsFailed : .success
  }

  /// Says which sources were taken back while the run went on.
  ///
  /// - Returns: Whether the run has failed without one of them.
  private func noteRevoked() -> Bool {
    let revoked = watch?.revoked ?? []
    for source in revoked {
      report.problems.append(
        RunReport.Problem(
          code: .accessRevoked,
          message:
            "Access to the \(source.source.displayName) was taken back while the run went on "
            + "(\(source.decision.reason.rawValue)); what was imported before stays."
        )
      )
    }
    return revoked.contains { revoked in
      decided.permissions.sources.contains { $0.source == revoked.source && $0.isRequired }
    }
  }

  private func takeTotals(from ledger: Ledger) {
    for index in report.sources.indices {
      report.sources[index].counts = ledger.counts[report.sources[index].source] ?? [:]
    }
    report.failures = ledger.failures
    report.degraded = ledger.degraded
    report.thumbnails = ledger.thumbnails
  }

  private func stop(because error: RunError) {
    if let ledger { takeTotals(from: ledger) }
    // Of two reasons the first in the order of the codes counts, and 77 comes before those that a run
    // is resumed after.
    report.exitCode = noteRevoked() ? .sourceRefused : error.exitCode
    report.problems.append(error.problem)
  }

  private func endLog() {
    guard let audit, let library else { return }
    audit.append(
      .end(
        counts: report.counts,
        degraded: report.degraded,
        thumbnails: report.thumbnails,
        exitCode: report.exitCode
      )
    )
    do {
      try audit.flush()
      try library.catalogue.endRun(
        identifier,
        ended: .now,
        exitCode: report.exitCode,
        audit: RunLog.position(of: audit)
      )
      if options.signer != nil { report.auditSignedHead = try log?.sign().note.serialized }
    } catch {
      if report.exitCode != .cannotWrite {
        report.problems.append(
          RunReport.Problem(code: .auditNotWritten, message: "\(error) Run again: it resumes.")
        )
      }
      if [.success, .itemsFailed].contains(report.exitCode) { report.exitCode = .cannotWrite }
    }
    report.auditFile = "Audit/" + audit.file.text
    report.auditRecords = audit.recordCount
    report.auditHead = audit.head
    report.auditSize = audit.treeHead.size
    report.auditRoot = audit.treeHead.root
    library.catalogue.close()
  }

  /// The program that lies beside this one.
  package static let workerName = "mediabatch-worker"
}
