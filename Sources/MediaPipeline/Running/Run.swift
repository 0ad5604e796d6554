internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox

/// One import, from a manifest that was read to a report.
///
/// A run goes through phases, each a value that only the one before can make: this class decides and
/// holds the report, ``OpenRun`` has the library and its log, ``ConfinedRun`` may list and open
/// sources. Runs on the main thread, the only one until the process is confined and the only one
/// after.
package final class Run {
  let loaded: LoadedManifest
  let options: RunOptions
  private let started = MonotonicClock.now
  let identifier = RunLog.makeIdentifier()
  let kernel = KernelSupport.probe()
  let enforcement: Enforcement
  var access: AccessState { didSet { report.sources = access.reported } }
  var report: RunReport

  package init(_ loaded: LoadedManifest, options: RunOptions) {
    self.loaded = loaded
    self.options = options
    enforcement = options.enforcement ?? loaded.manifest.enforcement
    access = AccessState(loaded, canPrompt: options.openTerminal != nil)
    report = RunReport(
      run: identifier,
      manifestPath: loaded.path,
      manifestSHA256: loaded.sha256,
      library: String(decoding: FileSystem.resolved(loaded.output) ?? loaded.output, as: UTF8.self),
      enforcement: enforcement,
      enforcementDetail: enforcement == .kernel ? kernel.detail : "none; \(kernel.detail)"
    )
    report.sources = access.reported
  }

  /// Advice for each source that is not plainly allowed.
  package var advice: [StatusAdvice] { access.advice }

  /// Does everything, and says what was done; never throws: what went wrong is in the report.
  package func perform() -> RunReport {
    do {
      let open = try open()
      open.conclude {
        try open.decide()
        try open.recover()
        let confined = try open.confine()
        try confined.importAll(confined.list())
      }
    } catch {
      stop(because: error)
    }
    report.elapsedMilliseconds = Int((MonotonicClock.now - started) / 1_000_000)
    return report
  }

  var stop: RunError? {
    access.stop(kernel: kernel, enforcement: options.enforcement)
  }

  func stop(because error: RunError) {
    report.exitCode = error.exitCode
    report.problems.append(error.problem)
  }

  /// Takes the library's lock, uses up answers for one run, and begins the log.
  private func open() throws(RunError) -> OpenRun {
    if let failure = access.failure { throw failure }
    let library = try openLibrary()
    let signals = Signals()
    signals.collect()
    try prepareAnswers()
    return try OpenRun(self, library: library, signals: signals)
  }

  private func openLibrary() throws(RunError) -> Library {
    do {
      let library = try Library(
        path: loaded.output,
        waits: options.waits,
        holder: Host.holder
      )
      report.library = String(decoding: library.path, as: UTF8.self)
      return library
    } catch {
      // Without a library there is no log. Of the codes in the order in which they are given, only 78
      // and 69 come before one that is held; a question that is still to be put stops nothing.
      if let stop, error.exitCode != .manifestMistake, access.permissions.questions.isEmpty,
        error.exitCode != .libraryHeld
          || [.manifestMistake, .enforcementUnavailable].contains(stop.exitCode)
      {
        throw stop
      }
      throw RunError(error)
    }
  }

  /// Makes ready what is known of earlier answers, before the log's first record quotes it.
  private func prepareAnswers() throws(RunError) {
    guard let answers = access.answers else { return }
    try answers.makeStore()
    // Somebody may have answered while this waited for the library.
    try access.readAnswers()
    // A run that stops before it opens anything uses no answer up.
    if stop == nil { try consumeOneTimeGrants(answers) }
  }

  /// An answer for one run counts for this one from here on, and for no other.
  func consumeOneTimeGrants(_ answers: StoredAnswers) throws(RunError) {
    let once = access.permissions.sources.filter { source in
      source.isNeeded && source.decidedBy == .storedAnswer && source.answerChanges.isEmpty
        && source.answer?.isForOneRun == true && source.decision.outcome == .proceed
    }
    if once.isEmpty { return }
    try answers.consume(oneTimeGrants: once.compactMap(\.answer), run: identifier)
    try access.readAnswers()
  }

  /// The program that lies beside this one.
  package static let workerName = "mediabatch-worker"
}
