internal import MediaAudit
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// A report for a CI server's test view: for each run a suite about the run and one for each source,
/// whose cases are its permission and its items.
///
/// A refused source that is required, a failed item, a run that ended with another code than 0 and a
/// log that is not whole are failures; what a rule leaves out is skipped. Each suite has the counts as
/// properties, since items without a record of their own are one case together.
///
/// Source: the schema of Jenkins' xUnit plugin, junit-10.xsd.
package enum JUnitReport {
  /// - Throws: `AuditError` when the log cannot be read, or the sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    let suites = try model.runs.map { run in
      (run, [try Suite(run, model)] + run.permissions.map { Suite($0, of: run, model) })
    }
    let nothing = model.isAboutNothing ? [Suite(aboutNothing: model)] : []
    let allSuites = nothing + suites.flatMap(\.1)
    let tests = allSuites.reduce(0) { Quantity.sum($0, $1.tests) }
    let failures = allSuites.reduce(0) { Quantity.sum($0, $1.failures) }
    let milliseconds = model.runs.reduce(0) { Quantity.sum($0, Suite.milliseconds(of: $1)) }
    sink.markup(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="mediabatch" tests="\(tests)" failures="\(failures)" errors="0" \
      time="\(seconds(milliseconds))">

      """
    )
    for suite in nothing {
      sink.markup("\(suite.opening)\(suite.cases)  </testsuite>\n")
    }
    for (run, suites) in suites {
      for suite in suites {
        sink.markup("\(suite.opening)\(suite.cases)")
        if let source = suite.source {
          try model.forEachItem(of: run) { item in
            if item.source == source { sink.markup(testCase(item, suite.group)) }
          }
        }
        sink.text("  </testsuite>\n")
      }
    }
    sink.text("</testsuites>\n")
    try sink.finish()
  }

  private struct Suite {
    var name: String
    /// The class of its items' cases: with several runs it names the run, so that class and name are a
    /// case's own; with one run it stays the same from run to run, by which a CI server knows it again.
    var group: String
    var milliseconds: Int
    var timestamp: String
    var host: String
    var source: SourceID?
    var totals: ReportTotals
    var tests: Int
    var failures: Int
    var skipped: Int
    var cases: [Markup]

    /// The run itself: its exit code, its accounting and, in the last suite, the log.
    init(_ run: ReportRun, _ model: ReportModel) throws(AuditError) {
      name = "run \(run.identifier)"
      group = model.runs.count > 1 ? name : "run"
      milliseconds = Suite.milliseconds(of: run)
      timestamp = run.started
      host = run.host
      totals = run.totals
      tests = 3
      skipped = run.exitCode == nil ? 1 : 0
      failures = (run.exitCode ?? 0) == 0 ? 0 : 1
      if !run.addsUp { failures += 1 }
      let exit = ReportWording.exit(run.exitCode)
      let code = run.exitCode.map { "exit code \($0)" } ?? "no end"
      let reasons = try Suite.reasons(run, model)
      cases = [
        testCase(
          "exit code",
          group,
          run.exitCode == 0
            ? .passed
            : run.exitCode == nil
              ? .skipped(exit) : .failed(code, "\(code): \(exit)", reasons)
        ),
        testCase(
          "accounting",
          group,
          run.addsUp ? .passed : .failed("accounting", "The counts do not add up.", "")
        ),
      ]
      let isWhole = model.verification.difference == nil && !model.catalogueDiffers
      if !isWhole { failures += 1 }
      cases.append(
        testCase(
          "audit log",
          group,
          isWhole
            ? .passed
            : model.verification.difference == nil
              ? .failed("catalogue", ReportWording.catalogueDiffers, "")
              : .failed("log", ReportWording.verification(model.verification), "")
        )
      )
    }

    init(_ permission: ReportPermission, of run: ReportRun, _ model: ReportModel) {
      let source = permission.source
      name = "\(run.identifier) \(source.name)"
      group = model.runs.count > 1 ? name : source.name
      // Items have no times of their own; the run's is that of its own suite.
      milliseconds = 0
      timestamp = run.started
      host = run.host
      self.source = source
      totals = permission.totals
      let groups = permission.totals.groups
      tests = 1 + permission.totals.listed + groups.count
      let failedItems = permission.totals.count(.failed)
      failures = failedItems + (permission.isFailure ? 1 : 0)
      let passed = Quantity.sum(permission.totals.count(.imported), permission.totals.count(.unchanged))
      skipped = permission.totals.discovered - passed - failedItems
      for group in groups where group.outcome != .unchanged {
        skipped = Quantity.sum(skipped, 1 - group.count)
      }
      if !permission.isRead, !permission.isFailure { skipped += 1 }
      let sentence = ReportWording.permission(permission)
      let result: CaseResult =
        permission.isRead
        ? .passed
        : permission.isFailure
          ? .failed(permission.reason.rawValue, sentence, Suite.usage(permission))
          : .skipped(sentence)
      // No path is absolute, so that no item has one of these names.
      cases = [testCase("/permission", group, result)]
      for group in groups {
        cases.append(
          testCase("/\(group.outcome.rawValue)", self.group, Suite.result(of: group.outcome, group.count))
        )
      }
    }

    /// A suite of one failed case, for a report about nothing.
    init(aboutNothing model: ReportModel) {
      name = "runs"
      group = "runs"
      milliseconds = 0
      timestamp = ""
      host = ""
      totals = ReportTotals()
      (tests, failures, skipped) = (1, 1, 0)
      cases = [
        testCase("there are some", group, .failed("no-run", ReportWording.nothing(model.scope), ""))
      ]
    }

    /// From a run's first record to its last; 0 when the log does not tell.
    static func milliseconds(of run: ReportRun) -> Int {
      guard let start = ReportTime.microseconds(of: run.started),
        let end = ReportTime.microseconds(of: run.ended), end > start
      else { return 0 }
      return Int((end - start) / 1000)
    }

    var opening: Markup {
      let counts =
        [("discovered", totals.discovered)]
        + ItemOutcome.allCases.map { ($0.rawValue, totals.count($0)) }
      let properties = counts.map { name, count -> Markup in
        "      <property name=\"\(name)\" value=\"\(count)\"/>\n"
      }
      // The schema's dateTime is taken without a fraction and a zone by every reader.
      let start = String(timestamp.prefix(19))
      return """
          <testsuite name="\(name)" tests="\(tests)" failures="\(failures)" errors="0" skipped="\(skipped)" \
        time="\(seconds(milliseconds))"\(" hostname=\"\(host)\"", if: !host.isEmpty)\
        \(" timestamp=\"\(start)\"", if: timestamp.utf8.count >= 19)>
            <properties>
        \(properties)    </properties>

        """
    }

    /// The result of items that were not opened, and share one record.
    private static func result(of outcome: ItemOutcome, _ count: Int) -> CaseResult {
      let items = Quantity.text(count, "item")
      return switch outcome {
      case .unchanged: .passed
      case .failedBefore: .skipped("\(items): failed in an earlier run and not read again")
      default: .skipped("\(items): found, but then not opened")
      }
    }

    /// Why a run ended as it did, a line for each source that is to blame; of a run that has failed for what an earlier
    /// one said, a line for each of the first files.
    private static func reasons(_ run: ReportRun, _ model: ReportModel) throws(AuditError) -> String {
      if run.exitCode == Int(RunExitCode.itemsFailed.rawValue), run.totals.count(.failed) == 0 {
        var lines: [String] = []
        try model.forEachEarlierFailure(of: run) { item in
          if lines.count < fileLimit, let message = item.message { lines.append(message) }
        }
        let more = run.totals.count(.failedBefore) - lines.count
        if more > 0, !lines.isEmpty { lines.append("and \(Quantity.grouped(more)) more") }
        return (lines.isEmpty ? [] : ["Failed in an earlier run:"] + lines).joined(separator: "\n")
      }
      let blamed = run.permissions.filter { permission in
        permission.isFailure
          || run.exitCode == Int(RunExitCode.undecided.rawValue)
            && [.notDetermined, .expired].contains(permission.reason)
      }
      return blamed.map(ReportWording.permission).joined(separator: "\n")
    }

    /// The number of files that the reason for a run's end names; each has a case of its own.
    private static let fileLimit = 20

    private static func usage(_ permission: ReportPermission) -> String {
      "\(permission.usageKey): \(permission.usageText ?? "(its text is not in the log)")"
    }
  }

  private enum CaseResult {
    case passed
    case skipped(String)
    case failed(_ type: String, _ message: String, _ detail: String)
  }

  private static func seconds(_ milliseconds: Int) -> String {
    String(decoding: JSONValue.decimal(thousandths: Int64(milliseconds)).serialized, as: UTF8.self)
  }

  private static func testCase(_ item: ReportItem, _ group: String) -> Markup {
    let result: CaseResult =
      switch item.outcome {
      case .imported, .unchanged: .passed
      case .failed:
        .failed(
          item.reason?.rawValue ?? "failed",
          item.message ?? "",
          "Step: \(item.step?.rawValue ?? "unknown"); record \(item.sequence) of run \(item.run)."
        )
      case .duplicate, .skipped, .refused, .unsupported, .failedBefore: .skipped(item.message ?? "")
      }
    return testCase(item.shownPath, group, result)
  }

  private static func testCase(_ name: String, _ group: String, _ result: CaseResult) -> Markup {
    let end: Markup =
      switch result {
      case .passed: "/>"
      case .skipped(let message): "><skipped message=\"\(message)\"/></testcase>"
      case .failed(let type, let message, let detail):
        "><failure type=\"\(type)\" message=\"\(message)\">\(detail)</failure></testcase>"
      }
    return "    <testcase name=\"\(name)\" classname=\"\(group)\"\(end)\n"
  }
}
