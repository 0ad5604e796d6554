internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What was left out, and what helps.
enum HTMLLeftOut {
  /// Writes the findings about runs and the log that a reader has to see first.
  static func attention(_ model: ReportModel) -> Markup {
    let findings = model.findings.filter { $0.level != .note && !$0.isAboutItems }
    guard !findings.isEmpty else { return "" }
    let items = findings.prefix(100).map { finding -> Markup in
      "<li><b>\(finding.title)</b>: \(finding.message)</li>\n"
    }
    return .section("attention", "What needs attention", "<ul class=\"attention\">\n\(items)</ul>\n")
  }

  /// The items that are not in the library, and those without thumbnails, by reason.
  static func groups(_ model: ReportModel) -> Markup {
    var rows = ReportLeftOut.ordered(model.leftOut.values).map(row)
    rows += together(model)
    guard !rows.isEmpty else { return "" }
    return .section(
      "leftout",
      "What was left out, and what helps",
      "<ul class=\"reasons\">\n\(rows)</ul>\n"
    )
  }

  private static func row(_ group: ReportLeftOut) -> Markup {
    let (sentence, remedy) = FailureAdvice.sentences(
      of: group.count,
      reason: group.reason,
      source: group.source,
      format: group.format,
      settings: group.settings
    )
    return row(group.count, sentence, "\(remedy)", names(group.examples, of: group.count))
  }

  private static func row(
    _ count: Int,
    _ sentence: String,
    _ remedy: Markup,
    _ names: Markup = ""
  ) -> Markup {
    """
    <li><b class="n">\(grouped: count)</b><div><p>\(sentence)</p><p>\(remedy)</p>\
    \("<p>\(names)</p>", if: !names.isEmpty)</div></li>

    """
  }

  /// The items that have one record together, without a reason of their own, and those that failed before.
  private static func together(_ model: ReportModel) -> [Markup] {
    var rows: [Markup] = []
    if let refused = model.totals.unlisted[.refused], refused > 0 {
      rows.append(
        row(
          refused,
          "\(refused == 1 ? "file was" : "files were") found, and not opened, because the permission "
            + "of the source was taken back during the run.",
          "To import them, decide about the source again, then run again."
        )
      )
    }
    let failedBefore = model.totals.count(.failedBefore)
    guard failedBefore > 0 else { return rows }
    let named = model.listed[.failedBefore] ?? []
    let why = named.isEmpty ? "The report of the run that met them says why." : "The list of items says why."
    let retry: Markup = "<code>mediabatch run --retry-failed</code> reads them again."
    let sentence =
      "\(failedBefore == 1 ? "file" : "files") failed in an earlier run. Nothing that the failure "
      + "depends on has changed since, so none was read again."
    let names = named.prefix(ReportLeftOut.maximumExamples).map(\.shownPath)
    rows.append(row(failedBefore, sentence, "\(why) \(retry)", self.names(names, of: failedBefore)))
    return rows
  }

  /// The first names of some items; nothing where none is known.
  private static func names(_ examples: [String], of count: Int) -> Markup {
    let more = count - examples.count
    return examples.isEmpty
      ? ""
      : """
      \(examples.map(Markup.path).joined(separator: ", "))\(", and \(grouped: more) more", if: more > 0)
      """
  }
}
