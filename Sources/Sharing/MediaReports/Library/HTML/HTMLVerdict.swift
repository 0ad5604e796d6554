internal import MediaAudit
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// The beginning of a page: what came of it all in one sentence, and in one row of numbers.
enum HTMLVerdict {
  /// What a person has to know first.
  static func verdict(_ model: ReportModel) -> Markup {
    let verdict = ReportVerdict(model)
    let isWhole = model.verification.difference == nil
    let warning: String? =
      isWhole
      ? model.catalogueDiffers ? ReportWording.catalogueDiffers : nil
      : ReportWording.verification(model.verification)
    return """
      <section class="verdict \(raw: model.result.rawValue)" aria-labelledby="overview">
      <span class="mark">\(icon: verdict.mark.rawValue)</span>
      <h1 id="overview">\(verdict.heading)</h1>
      <p>\(sentence(of: model))\(warning.map { " <b>\($0)</b>" })\(" The log is whole.", if: isWhole)</p>
      </section>

      """
  }

  /// Who did what, and when.
  private static func sentence(of model: ReportModel) -> Markup {
    let (client, words) = ReportVerdict.summary(model)
    return "\(client.map { "<span dir=\"auto\">\($0)</span> " })\(words)"
  }

  /// The bar over the full width, and the numbers that are its legend.
  static func numbers(_ model: ReportModel) -> Markup {
    let totals = model.totals
    let outcomes = ItemOutcome.allCases.map { outcome -> Markup in
      let count = totals.count(outcome)
      guard count > 0 || outcome == .imported else { return "" }
      return """
        <li class="\(raw: outcome.rawValue)"><b>\(grouped: count)</b> \
        <span>\(ReportLabels.outcome(outcome))</span></li>
        """
    }
    return """
      <section aria-label="Numbers">
      \(HTMLChart.shares(totals))<ul class="numbers"><li class="found"><b>\(grouped: totals.discovered)</b> \
      <span>Found</span></li>\(outcomes)</ul>
      \(notes(model).map { "<p class=\"faint\">\($0)</p>\n" })</section>

      """
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
        "\(Quantity.text(totals.recovered, "item")) came from a run that was stopped before it could record "
          + "them; the next run did."
      )
    }
    if totals.degraded > 0 {
      notes.append(
        "\(Quantity.text(totals.degraded, "item", "belongs", "belong")) to an incomplete asset: a file of it is "
          + "missing or ends early."
      )
    }
    return notes
  }
}
