internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// The beginning of a page: what came of it all in one sentence, and in one row of numbers.
enum HTMLVerdict {
  /// What a person has to know first.
  static func verdict(_ model: ReportModel) -> Markup {
    let verdict = ReportVerdict(model)
    var body = sentence(of: model)
    if model.verification.difference != nil {
      body += " <b>\(ReportWording.verification(model.verification))</b>"
    } else {
      body += model.catalogueDiffers ? " <b>\(ReportWording.catalogueDiffers)</b>" : ""
      body += " The log is whole."
    }
    return """
      <section class="verdict \(raw: model.result.rawValue)" aria-labelledby="overview">
      <span class="mark">\(HTML.icon(verdict.mark.rawValue))</span>
      <h1 id="overview">\(verdict.heading)</h1>
      <p>\(body)</p>
      </section>

      """
  }

  /// Who did what, and when.
  private static func sentence(of model: ReportModel) -> Markup {
    if model.isAboutAsset {
      return "\(Quantity.text(model.runs.count, "run")) dealt with the asset."
    }
    if model.isAboutNothing { return HTML.text(ReportWording.nothing(model.scope)) }
    var names: [String] = []
    for run in model.runs
    where !run.isHousekeeping && !run.clientName.isEmpty && !names.contains(run.clientName) {
      names.append(run.clientName)
    }
    let client: Markup =
      names.count == 1
      ? "<span dir=\"auto\">\(names[0])</span>"
      : names.isEmpty ? "A client" : "\(Quantity.text(names.count, "client"))"
    var text: Markup = "\(client) ran "
    let days = [model.runs.first?.started, model.runs.last?.started].compactMap { $0?.prefix(10) }
    text += model.runs.count == 1 ? "once" : "\(Quantity.grouped(model.runs.count)) times"
    if let first = days.first, let last = days.last {
      text +=
        first == last
        ? ", on \(String(first))" : ", between \(String(first)) and \(String(last))"
    }
    let totals = model.totals
    text += ". "
    text +=
      totals.count(.imported) == 0 && totals.count(.unchanged) > 0
      ? "\(ReportWording.imported(totals, of: "file"))."
      : "\(files(totals.count(.imported))) imported."
    let failed = model.failedFiles
    if failed > 0 {
      text += " \(Quantity.text(failed, "file")) failed and "
      text += failed == 1 ? "needs a person." : "need a person."
    }
    if let last = model.runs.last(where: { $0.result == .failed }), failed == 0 {
      text += " \(ReportWording.exit(last.exitCode))"
    }
    return text
  }

  private static func files(_ count: Int) -> String {
    Quantity.text(count, "file") + (count == 1 ? " was" : " were")
  }

  /// The bar over the full width, and the numbers that are its legend.
  static func numbers(_ model: ReportModel) -> Markup {
    let totals = model.totals
    var body = HTMLChart.shares(totals)
    body += "<ul class=\"numbers\"><li class=\"found\"><b>\(HTML.number(totals.discovered))</b> "
    body += "<span>Found</span></li>"
    for outcome in ItemOutcome.allCases {
      let count = totals.count(outcome)
      guard count > 0 || outcome == .imported else { continue }
      body += "<li class=\"\(raw: outcome.rawValue)\"><b>\(HTML.number(count))</b> "
      body += "<span>\(ReportLabels.outcome(outcome))</span></li>"
    }
    body += "</ul>\n"
    for sentence in notes(model) { body += "<p class=\"faint\">\(sentence)</p>\n" }
    return "<section aria-label=\"Numbers\">\n\(body)</section>\n"
  }

  /// What the numbers do not say by themselves.
  private static func notes(_ model: ReportModel) -> [String] {
    let totals = model.totals
    var notes: [String] = []
    if model.runs.count > 1, !model.isAboutAsset {
      let holdings = model.holdings
      notes.append(
        "The library holds \(Quantity.text(holdings.assets, "asset"))"
          + (model.scope == .all ? "" : " of these runs")
          + ": \(Quantity.text(holdings.originals, "original")) and "
          + "\(Quantity.text(holdings.thumbnails, "thumbnail")). The numbers above add up "
          + "\(Quantity.text(model.runs.count, "run")): a file counts once in each run that found it."
      )
    }
    if totals.thumbnails > 0 {
      notes.append("\(Quantity.text(totals.thumbnails, "thumbnail")) made.")
    }
    if totals.recovered > 0 {
      notes.append(
        "\(Quantity.text(totals.recovered, "item")) had been dealt with by a run that was stopped before "
          + "it could say so; the next run recorded them."
      )
    }
    if totals.degraded > 0 {
      notes.append(
        "\(Quantity.text(totals.degraded, "item")) \(totals.degraded == 1 ? "belongs" : "belong") to "
          + "an asset that is not whole: it lacks a "
          + "resource which its source had, or its file ends early."
      )
    }
    return notes
  }
}
