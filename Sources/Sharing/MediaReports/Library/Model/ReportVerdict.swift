internal import MediaAudit
internal import MediaModel

/// The sentence that a report begins with.
struct ReportVerdict: Hashable {
  /// The sign beside it, by the name of its symbol.
  enum Mark: String, CaseIterable {
    case check, close, shield, clock
  }

  var mark: Mark
  /// Without a full stop; escaped.
  var heading: String

  init(_ mark: Mark, _ heading: String) {
    (self.mark, self.heading) = (mark, heading)
  }

  /// The verdict on a report: the state of the log before anything else.
  init(_ model: ReportModel) {
    if model.verification.difference != nil {
      self.init(.shield, "The log is not what was written")
    } else if model.catalogueDiffers {
      self.init(.shield, "The catalogue is not what the log says")
    } else if model.isAboutNothing {
      self.init(.clock, model.scope == .all ? "No run yet" : "No run in this time")
    } else if model.isAboutAsset {
      self = .ofAsset(model.result)
    } else {
      self.init(model.runs, model.totals, failedFiles: model.failedFiles)
    }
  }

  /// The verdict on runs, oldest first, of a log that is whole.
  init(_ runs: [ReportRun], _ totals: ReportTotals, failedFiles: Int) {
    switch runs.map(\.result).max() ?? .passed {
    case .failed: self.init(.close, Self.failure(of: runs, failedFiles))
    case .warned: self.init(.check, Self.warning(of: runs, totals))
    case .passed: self.init(.check, Self.success(of: runs, totals))
    }
  }

  private static func ofAsset(_ result: ReportResult) -> ReportVerdict {
    switch result {
    // A report reads no media, so it cannot say that the files are still what was written.
    case .passed: ReportVerdict(.check, "The asset was imported without a failure")
    case .warned: ReportVerdict(.check, "A file of the asset was left out")
    case .failed: ReportVerdict(.close, "A file of the asset could not be imported")
    }
  }

  private static func failure(of runs: [ReportRun], _ failedFiles: Int) -> String {
    let failed = runs.filter { $0.result == .failed }
    guard let last = failed.last else { return "The run failed" }
    let isOfItems = failed.allSatisfy { $0.exitCode == Int(RunExitCode.itemsFailed.rawValue) }
    if isOfItems, failedFiles > 0 {
      return "\(Quantity.text(failedFiles, "file")) could not be imported"
    }
    let how =
      last.addsUp
      ? last.exitCode.flatMap { Int32(exactly: $0) }.flatMap { RunExitCode(rawValue: $0) }
        .map(ReportLabels.ending) ?? "it ended with an unknown code"
      : "its counts do not add up"
    if runs.count == 1 { return "The run failed: \(how)" }
    if last == runs.last { return "The last run failed: \(how)" }
    return "\(Quantity.grouped(failed.count)) of \(Quantity.grouped(runs.count)) runs failed"
  }

  private static func warning(of runs: [ReportRun], _ totals: ReportTotals) -> String {
    if runs.contains(where: { $0.exitCode == nil }) {
      return runs.count == 1
        ? "The run has not ended" : "A run has not ended"
    }
    let leftOut = [ItemOutcome.skipped, .refused, .unsupported, .failed, .failedBefore]
      .reduce(0) { Quantity.sum($0, totals.count($1)) }
    if leftOut > 0 { return "Done, with \(Quantity.text(leftOut, "file")) left out" }
    return totals.degraded > 0
      ? "Done, but some assets are incomplete" : "Done, after a run that was stopped"
  }

  private static func success(of runs: [ReportRun], _ totals: ReportTotals) -> String {
    if totals.discovered == 0 { return "Done; there was nothing to import" }
    if totals.count(.skipped) > 0 { return "Everything that was allowed was done" }
    if totals.count(.imported) == 0 { return "Done; nothing was new" }
    let isRefused = runs.contains { run in run.permissions.contains { !$0.isRead } }
    return isRefused ? "Everything that was allowed was imported" : "Everything was imported"
  }
}

extension ReportVerdict {
  /// Who did what, and when.
  ///
  /// - Returns: The name of the client where all runs have one, and the sentences behind it.
  static func summary(_ model: ReportModel) -> (client: String?, words: String) {
    if model.isAboutAsset {
      return (nil, "\(Quantity.text(model.runs.count, "run")) found the asset.")
    }
    if model.isAboutNothing { return (nil, ReportWording.nothing(model.scope)) }
    var names: [String] = []
    for run in model.runs
    where !run.isHousekeeping && !run.clientName.isEmpty && !names.contains(run.clientName) {
      names.append(run.clientName)
    }
    let client = names.count == 1 ? names[0] : nil
    let others = names.isEmpty ? "A client " : "\(Quantity.text(names.count, "client")) "
    let days = [model.runs.first, model.runs.last].compactMap { $0?.started.prefix(10) }
    var times = model.runs.count == 1 ? "once" : "\(Quantity.grouped(model.runs.count)) times"
    if let first = days.first, let last = days.last {
      times += first == last ? ", on \(first)" : ", between \(first) and \(last)"
    }
    let (totals, failed) = (model.totals, model.failedFiles)
    let what =
      totals.count(.imported) == 0 && totals.count(.unchanged) > 0
      ? ReportWording.imported(totals, of: "file")
      : "\(Quantity.text(totals.count(.imported), "file", "was", "were")) imported"
    let needed =
      failed > 0
      ? " \(Quantity.text(failed, "file")) failed and \(failed == 1 ? "needs" : "need") a person." : ""
    let end = failed > 0 ? nil : model.runs.last { $0.result == .failed }
    let exit = end.map { " " + ReportWording.exit($0.exitCode) } ?? ""
    return (client, (client == nil ? others : "") + "ran \(times). \(what)." + needed + exit)
  }
}
