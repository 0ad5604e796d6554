internal import MediaAudit
internal import MediaModel

/// A report for a person at a terminal: the verdict, who asked, what needs a person, and what helps.
package enum TextReport {
  /// The most groups of files, and findings, that are told; the page has all.
  private static let limit = 20

  /// - Parameters:
  ///   - model: The report.
  ///   - columns: Those of the terminal.
  ///   - sink: Where it is written.
  /// - Throws: The sink's error.
  package static func write(_ model: ReportModel, columns: Int, to sink: ReportSink) throws {
    let (client, words) = ReportVerdict.summary(model)
    let isWhole = model.verification.difference == nil
    var lines = [ReportVerdict(model).heading]
    lines += TextLayout.wrapped(
      (client.map { ReportText.line($0) + " " } ?? "") + words + (isWhole ? " The log is whole." : ""),
      to: columns
    )
    if !isWhole { lines += TextLayout.wrapped(ReportWording.verification(model.verification), to: columns) }
    if let run = model.lastRun, !run.user.isEmpty {
      lines.append("The last run was \(ReportText.line(run.user))'s, on \(ReportText.line(run.host)).")
      lines += section("Who asked, and what was decided", decisions(model), columns)
    }
    lines += section("What needs a person", model.needs, columns)
    lines += section("What was left out, and what helps", leftOut(model), columns)
    let library = ShellWord.quoted(model.library)
    lines += ["", "All of it, as a page: mediabatch report \(library) --output report.html"]
    sink.text(lines.joined(separator: "\n") + "\n")
    try sink.finish()
  }

  private static func section(_ heading: String, _ entries: [String], _ columns: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let more = entries.count - limit
    return ["", heading]
      + (entries.prefix(limit) + (more > 0 ? ["\(Quantity.grouped(more)) more"] : []))
      .flatMap { TextLayout.wrapped($0, to: columns, first: "  - ", rest: "    ") }
  }

  /// The decisions about the sources of each client, the newest first; with the names of the clients if there are several.
  private static func decisions(_ model: ReportModel) -> [String] {
    let runsByClient = Dictionary(grouping: model.runs, by: \.clientIdentifier)
    return model.newestRuns.flatMap { run in
      let client = runsByClient.count > 1 ? ReportText.line(run.clientName) + ", " : ""
      return ReportDecision.alike(runsByClient[run.clientIdentifier] ?? []).map { client + text($0) }
    }
  }

  private static func text(_ decision: ReportDecision) -> String {
    let (permission, totals) = (decision.permission, decision.totals)
    let source = ReportText.line(permission.source.displayName)
    guard permission.decidedBy != nil else {
      return "\(source): \(ReportWording.reason(permission.reason)) It was never opened."
    }
    let by = "by \(ReportWording.decider(permission))"
    guard permission.verdict == .allow else { return "\(source): refused \(by), and never opened." }
    guard permission.isRead else { return "\(source): allowed \(by), but nothing is there." }
    // A file counts once in each run that found it.
    let files =
      totals.discovered == 0
      ? "nothing found"
      : decision.runs.count == 1
        ? ReportWording.imported(totals, of: "file")
        : Quantity.text(totals.count(.imported), "file") + " imported in "
          + Quantity.text(decision.runs.count, "run")
    return "\(source): allowed \(by); \(files)."
  }

  private static func leftOut(_ model: ReportModel) -> [String] {
    model.leftOutRows.map { row in
      let more = row.examples.isEmpty ? 0 : row.count - row.examples.count
      let names = row.examples.map { "\"\($0)\"" }.joined(separator: ", ")
      return "\(Quantity.grouped(row.count)) \(row.sentence) \(row.remedy) \(names)"
        + (more > 0 ? " and \(Quantity.grouped(more)) more" : "")
    }
  }
}
