internal import MediaAudit
internal import MediaModel

extension ReportVerdict {
  /// Who did what, and when.
  ///
  /// - Returns: The name of the client where all runs have one, and the sentences behind it.
  static func summary(_ model: ReportModel) -> (client: String?, words: String) {
    if model.isAboutAsset {
      return (nil, "\(Quantity.text(model.runs.count, "run")) dealt with the asset.")
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
