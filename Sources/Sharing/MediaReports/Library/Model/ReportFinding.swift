internal import MediaAudit
internal import MediaModel

/// A finding that a reader of a report in CI has to see.
package struct ReportFinding: Sendable, Hashable {
  package enum Level: String, Sendable, Hashable, CaseIterable {
    case error, warning, note
  }

  package var level: Level
  /// A stable word, such as `expired` or `damaged`.
  package var code: String
  /// A few words; escaped.
  package var title: String
  /// A message that says what happened and what to do; escaped.
  package var message: String
  /// The audit file that says so, and in which line; nil when it concerns the whole log.
  package var file: String?
  /// 1-based.
  package var line: Int?
  /// A text that differs from that of every other finding; escaped.
  package var identity: String
  /// Whether it is about items, and not about a run or the log as a whole.
  package var isAboutItems = false
  /// The run that it is about; nil for one about the log or an item.
  var run: String?
}

extension ReportModel {
  /// What a person has to see first about the runs, each sentence once, with the newest run that it is true of; not what
  /// the verdict or the list of files says, nor what a later run of the client has settled.
  var needs: [String] {
    let undecided = [DecisionReason.notDetermined, .expired].map(\.rawValue)
    let stopped = Set(runs.filter { $0.exitCode == Int(RunExitCode.undecided.rawValue) }.map(\.identifier))
    let findings = findings.filter { finding in
      guard let run = finding.run else { return false }
      return finding.level != .note || stopped.contains(run) && undecided.contains(finding.code)
    }
    let summary = ReportVerdict.summary(self).words
    let settled = settledRuns
    let blamed = Set(findings.filter { $0.level != .warning && !$0.code.hasPrefix("exit-") }.map(\.run))
    var said: Set<String> = []
    return findings.reversed().compactMap { finding -> String? in
      guard let run = finding.run, finding.code != ItemOutcome.failedBefore.rawValue,
        ["accounting", "signature-differs"].contains(finding.code) || !settled.contains(run),
        !finding.code.hasPrefix("exit-") || !blamed.contains(run),
        finding.code != "exit-\(RunExitCode.itemsFailed.rawValue)" || failedFiles == 0,
        !summary.contains(finding.message), said.insert(finding.message).inserted
      else { return nil }
      return "\(finding.message) (run \(run))"
    }.reversed()
  }

  /// The newest run of each client, the newest first.
  var newestRuns: [ReportRun] {
    var clients: Set<String> = []
    return runs.reversed().filter { clients.insert($0.clientIdentifier).inserted }
  }

  /// The files that failed earlier and were not read again: each run counts them anew.
  var failedBefore: Int { newestRuns.reduce(0) { $0 + $1.totals.count(.failedBefore) } }

  /// The runs after which one of the same client has done everything.
  private var settledRuns: Set<String> {
    var passed: Set<String> = []
    var settled: Set<String> = []
    for run in runs.reversed() {
      if passed.contains(run.clientIdentifier) { settled.insert(run.identifier) }
      if run.exitCode == 0 { passed.insert(run.clientIdentifier) }
    }
    return settled
  }

  /// The findings that are worth a line in CI, the most serious first: at most as many items as are
  /// listed, and one finding for all that are not.
  package var findings: [ReportFinding] {
    var findings: [ReportFinding] = []
    if let difference = verification.difference {
      findings.append(
        ReportFinding(
          level: .error,
          code: "log-\(difference.kind.rawValue)",
          title: "The audit log is not what was written",
          message: ReportWording.verification(verification),
          file: difference.file.isEmpty ? nil : ReportText.line(difference.file, limit: 200),
          line: difference.line,
          identity: "log"
        )
      )
    }
    if catalogueDiffers {
      findings.append(
        ReportFinding(
          level: .error,
          code: "catalogue-differs",
          title: "The catalogue is not what the log says",
          message: ReportWording.catalogueDiffers,
          identity: "catalogue"
        )
      )
    }
    if isAboutNothing {
      findings.append(
        ReportFinding(
          level: .error,
          code: "no-run",
          title: "The report is about nothing",
          message: ReportWording.nothing(scope),
          identity: "nothing"
        )
      )
    }
    // The end of a run is no finding about one asset.
    if !isAboutAsset {
      let newest = Set(newestRuns.map(\.identifier))
      for run in runs {
        findings += Self.findings(of: run, isNewest: newest.contains(run.identifier))
        findings += Self.signature(of: run)
      }
    }
    for outcome in [ItemOutcome.failed, .failedBefore, .refused, .unsupported] {
      let items = listed[outcome] ?? []
      // Of a file that several runs met, the last outcome is the finding.
      var identities: Set<String> = []
      findings += items.reversed().map { item in
        Self.finding(item, file: file(ofRun: item.run))
      }.filter { identities.insert($0.identity).inserted }.reversed()
      // The run's own finding is about those that failed before and are not named.
      let unnamed = outcome == .failedBefore ? totals.unlisted[outcome] ?? 0 : 0
      let more = totals.count(outcome) - items.count - unnamed
      if more > 0 {
        findings.append(
          ReportFinding(
            level: outcome == .failed ? .error : .warning,
            code: outcome.rawValue,
            title: "\(Quantity.grouped(more)) more \(outcome.rawValue)",
            message: "\(Quantity.text(more, "more item")) ended as \(outcome.rawValue). "
              + "`mediabatch report --format csv` lists them.",
            identity: "\(outcome.rawValue)/more",
            isAboutItems: true
          )
        )
      }
    }
    return findings.enumerated().sorted { left, right in
      left.element.level == right.element.level
        ? left.offset < right.offset : left.element.level.rank < right.element.level.rank
    }.map(\.element)
  }

  private static func findings(of run: ReportRun, isNewest: Bool) -> [ReportFinding] {
    var findings: [ReportFinding] = []
    func add(_ level: ReportFinding.Level, _ code: String, _ title: String, _ message: String) {
      let title = "Run \(run.identifier): \(title)"
      findings.append(
        ReportFinding(
          level: level,
          code: code,
          title: title,
          message: message,
          file: run.file,
          line: 1,
          identity: "\(run.identifier)/\(title)",
          run: run.identifier
        )
      )
    }
    for permission in run.permissions where !permission.isRead {
      add(
        permission.isFailure ? .error : .note,
        permission.reason.rawValue,
        "\(permission.source.displayName) \(permission.verdict == .allow ? "not there" : "refused")",
        ReportWording.permission(permission)
      )
    }
    for transition in run.transitions {
      add(
        transition.isGrant ? .note : .warning,
        "transition",
        "\(transition.source.displayName) changed",
        ReportWording.transition(transition)
      )
    }
    let failedBefore = run.totals.count(.failedBefore)
    if isNewest, failedBefore > 0 {
      add(
        .warning,
        ItemOutcome.failedBefore.rawValue,
        "earlier failures",
        ReportWording.failedBefore(failedBefore) + "." + ReportWording.candidates(run)
      )
    }
    if !run.addsUp {
      add(
        .error,
        "accounting",
        "the counts do not add up",
        "The run has more or fewer outcome records than its last record says."
      )
    }
    if run.exitCode != 0 {
      add(
        run.exitCode == nil ? .warning : .error,
        run.exitCode.map { "exit-\($0)" } ?? "no-end",
        run.exitCode.map { "exit code \($0)" } ?? "no end",
        ReportWording.exit(run.exitCode)
      )
    }
    return findings
  }

  /// The finding that a run's records do not agree on its manifest's signature.
  private static func signature(of run: ReportRun) -> [ReportFinding] {
    if run.agreesOnSignature { return [] }
    return [
      ReportFinding(
        level: .error,
        code: "signature-differs",
        title: "Run \(run.identifier): another signature",
        message: ReportWording.signatureDiffers + " They prove nobody's signature.",
        file: run.file,
        line: 1,
        identity: "\(run.identifier)/signature",
        run: run.identifier
      )
    ]
  }

  private static func finding(_ item: ReportItem, file: String?) -> ReportFinding {
    ReportFinding(
      level: item.outcome == .failed ? .error : .warning,
      code: item.reason?.rawValue ?? item.outcome.rawValue,
      title: "\(item.source.displayName): \(item.outcome.rawValue)",
      message: item.message ?? "",
      file: file,
      line: item.sequence,
      identity: "\(item.source.name)/\(item.shownPath)",
      isAboutItems: true
    )
  }
}

extension ReportFinding.Level {
  fileprivate var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }
}
