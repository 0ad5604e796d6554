internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSandbox
internal import MediaSources
internal import MediaWorkerPool

/// One import, from a loaded manifest to a report.
///
/// A run has phases, and each is a value that is made of the one before: this class decides, ``OpenRun`` has the library
/// and its log, ``ConfinedRun`` may list and open sources. No phase knows a later one; what they find goes into one
/// account, of which the report is made at the end. All of it runs on the main thread, the only one before and after
/// confinement.
package final class Run {
  var basis: RunBasis
  let account = RunAccount()
  private let started = MonotonicClock.now
  /// Whether the manifest was changed while a person was asked: nothing was done then, and a new run can begin.
  package private(set) var mustBeginAnew = false
  /// The library's folder once it was opened: after a question it has to be the same.
  private var folder: FileStatus?

  /// Decides about each source with the answers that are stored now; opens nothing.
  package init(_ loaded: LoadedManifest, options: RunOptions) {
    basis = RunBasis(loaded, options)
  }

  /// The decisions about all sources, and the selections, as text: a plan and its shards must have the same.
  package var decisions: String {
    basis.access.permissions.all.map { source in
      let selection =
        source.selection.map { $0.map(\.text).sorted().joined(separator: "\0") } ?? "-"
      return [
        source.source.ownName.map { "\(source.source.kind.rawValue)/\($0)" } ?? source.source.name,
        "\(source.level.rawValue)", "\(source.status.rawValue)",
        source.decision.verdict.rawValue, source.decision.reason.rawValue, selection,
      ].joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// Whether captured files are added to the photo library.
  package var addsToPhotoLibrary: Bool { basis.access.permissions.adding != nil }

  /// Whether a source is a camera.
  package var readsCamera: Bool { basis.manifest.sources.values.contains { !$0.layout.isFolder } }

  /// Whether the run would stop before it opens anything.
  package var stops: Bool { basis.access.failure != nil || basis.stop != nil }

  /// Whether a decision is for one run alone, and so for no plan.
  package var restsOnOneRun: Bool {
    basis.access.permissions.all.contains { source in
      source.isNeeded
        && (source.decidedBy == .picking
          || source.decidedBy == .storedAnswer && source.answer?.isForOneRun == true)
    }
  }

  /// Advice for each source that is not plainly allowed.
  package var advice: [StatusAdvice] { basis.access.advice }

  /// The movies of live photos that were imported, or left out, without their stills, which a merge of shards
  /// may find.
  package var loneHalves: [LoneHalf] { account.loneHalves }

  /// Performs the run and returns its report, which also describes any error.
  package func perform() -> RunReport {
    perform { confined in
      try confined.finishAdditions()
      let listed = try confined.list(confined.correct)
      for work in listed.work { try confined.readAgain(work) }
      try confined.importAll(listed)
    }
  }

  /// Lists what the run would import, and opens no file but where the manifest's limits, or `groupsByContent`,
  /// ask for it.
  ///
  /// - Parameters:
  ///   - groupsByContent: Whether every file is opened, so that the halves of each live photo are in one group.
  ///   - take: Gets the items of all sources, in the order in which the run would number them.
  /// - Returns: The report, which also describes any error.
  package func plan(
    groupsByContent: Bool,
    _ take: ([GroupedItems]) throws -> Void
  ) -> RunReport {
    perform { confined in
      try take(confined.grouped(confined.list { _ in nil }, byContent: groupsByContent))
      // No item has ended: those that were left out by the listing have.
      account.tally.totals.discovered = account.tally.endedCount
    }
  }

  private func perform(_ work: (ConfinedRun) throws -> Void) -> RunReport {
    var report: RunReport
    do {
      let open = try open()
      report = open.conclude {
        try open.decide()
        let confined = try ConfinedRun(confining: open, finishing: open.recover())
        try work(confined)
        try confined.context.journal.close()
      }
    } catch {
      account.problems.append(error.problem)
      report = RunReport(of: basis, account, exitCode: error.exitCode)
    }
    report.elapsedMilliseconds = Int((MonotonicClock.now - started) / 1_000_000)
    return report
  }

  /// Takes the library's lock, consumes one-time grants, and begins the log; asks the person before.
  ///
  /// A library that cannot be taken is told before anybody thinks, and nobody holds it while they do. The manifest is
  /// looked at again before anything is opened, and with the answers when the library is taken.
  private func open() throws(RunError) -> OpenRun {
    if let failure = basis.access.failure { throw failure }
    var library: Library? =
      try basis.options.beginsAnew
      ? takeLibrary(Signals()) : openLibrary(waits: basis.options.waits)
    let signals = Signals()
    signals.collect()
    try prepareAnswers()
    while mustAsk {
      if basis.asked.wasAsked {
        basis.options.onNotice("An answer was changed meanwhile, so the question is asked again.")
      }
      library?.catalogue.close()
      library?.privateFacts?.close()
      library = nil
      ask(signals)
      try checkManifest()
      library = try takeLibrary(signals)
      try checkManifest()
      try prepareAnswers()
    }
    guard let library else { throw RunError(.internal, "The library was not taken.") }
    if basis.stop == nil, basis.asked.failure == nil { try consumeOneTimeGrants() }
    return try OpenRun(basis, account, library: library, signals: signals)
  }

  /// Ends a run whose manifest is another by now, unless asking has failed, which its log has to say.
  private func checkManifest() throws(RunError) {
    guard basis.asked.failure == nil, basis.options.isOutdated() else { return }
    mustBeginAnew = true
    throw RunError(
      .undecided,
      "Not run: the manifest was changed while a person was asked. Run again: an answer still counts if it is "
        + "about what the manifest says now."
    )
  }

  /// Takes the library after a person was asked: signals are blocked by now, and would not end the wait for a lock.
  private func takeLibrary(_ signals: Signals) throws(RunError) -> Library {
    while true {
      do {
        return try openLibrary(waits: false)
      } catch {
        guard error.exitCode == .libraryHeld, basis.options.waits else { throw error }
        signals.pause(250_000_000) {}
        if signals.count == 0 { continue }
        throw RunError(
          .interrupted,
          exitCode: signals.exitCode,
          "Stopped on request, while another run held the library. Nothing was opened."
        )
      }
    }
  }

  private func openLibrary(waits: Bool) throws(RunError) -> Library {
    do {
      let library = try Library(
        path: basis.loaded.output,
        waits: waits,
        holder: Host.holder,
        status: folder
      )
      folder = try? library.root.status()
      if basis.manifest.storesPrivateFacts { try library.openPrivateFacts() }
      basis.library = String(decoding: library.path, as: UTF8.self)
      return library
    } catch {
      // Without a library there is no log. Of the decisions that stop a run, only 78 and 69 have
      // precedence over a library that is held; a question that is not asked yet has none.
      if let stop = basis.stop, error.exitCode != .manifestMistake,
        basis.access.permissions.questions.isEmpty,
        error.exitCode != .libraryHeld
          || [.manifestMistake, .enforcementUnavailable].contains(stop.exitCode)
      {
        throw stop
      }
      throw RunError(error)
    }
  }

  /// Reads the stored answers again, before the log's first record names their state.
  private func prepareAnswers() throws(RunError) {
    try basis.access.answers?.makeStore()
    // An answer may have been stored while the run waited for the library.
    try basis.access.readAnswers()
  }

  /// Consumes the one-time grants that this run uses, which opens something; they count for no other run.
  private func consumeOneTimeGrants() throws(RunError) {
    let oneTime = basis.access.permissions.all.filter { source in
      source.isNeeded && source.decidedBy == .storedAnswer && source.answerChanges.isEmpty
        && source.answer?.isForOneRun == true && source.decision.outcome == .proceed
    }
    if oneTime.isEmpty { return }
    try basis.access.answers?.consume(oneTimeGrants: oneTime.compactMap(\.answer), run: basis.identifier)
    try basis.access.readAnswers()
  }
}
