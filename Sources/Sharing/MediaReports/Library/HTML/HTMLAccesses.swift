internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// When files were opened and sources refused, and each step of the runs.
enum HTMLAccesses {
  /// Beyond it older runs are counted, not listed.
  private static let runLimit = 50

  /// Which source was read when, and when one was refused: by day, or by parts of the one day.
  static func accesses(_ model: ReportModel) -> Markup {
    let isByDay = model.accessDays.slots.count > 1
    let timeline = isByDay ? model.accessDays : model.accesses
    guard let start = timeline.start, !model.isAboutAsset else {
      let none: Markup =
        model.isAboutAsset
        ? "<p>The records of the asset say when each of its files was about to be read.</p>\n"
        : "<p>No access is in the records of this report.</p>\n"
      return HTML.section("accesses", "When files were opened", none + steps(model))
    }
    func time(_ slot: Int) -> CalendarTime {
      CalendarTime(microsecondsSince1970: start &+ timeline.width &* Int64(slot))
    }
    func name(_ slot: Int) -> String {
      let time = time(slot)
      return isByDay
        ? String(time.timestamp.prefix(10))
        : String(time.timestamp.prefix(10)) + " " + String(time.time(separator: ":").prefix(8))
    }
    var body: Markup =
      "<p>Each file is recorded before it is opened; a refused source has its decision alone.</p>\n"
    body += "<div class=\"chart\">\(HTMLChart.accesses(timeline))"
    body += "<p class=\"axis\"><span>\(name(0))</span>"
    if timeline.slots.count > 1 { body += "<span>– \(name(timeline.slots.count - 1)) UTC</span>" }
    body += "</p></div>\n<p class=\"key\"><span class=\"access\">Files opened</span>"
    body += "<span class=\"refusal\">A source was refused</span></p>\n"
    body += HTML.details("As a table", table(timeline, isByDay: isByDay, name: name))
    return HTML.section("accesses", "When files were opened", body + steps(model))
  }

  private static func table(
    _ timeline: ReportTimeline<ReportAccess>,
    isByDay: Bool,
    name: (Int) -> String
  ) -> Markup {
    let sources = Set(timeline.slots.flatMap { $0.keys.map(\.source) }).sorted()
    var rows: [[Markup]] = []
    for (index, slot) in timeline.slots.enumerated() where !slot.isEmpty {
      rows.append(
        [HTML.text(name(index))]
          + sources.map { source in
            let files = slot[ReportAccess(source: source, isRefusal: false)] ?? 0
            let refusals = slot[ReportAccess(source: source, isRefusal: true)] ?? 0
            if refusals == 0 { return files == 0 ? "–" : HTML.number(files) }
            let times = refusals == 1 ? "refused" : "refused \(Quantity.text(refusals, "time"))"
            return files == 0 ? HTML.text(times) : "\(HTML.number(files)), \(times)"
          }
      )
    }
    let span = Int(timeline.width / 1_000_000)
    let period =
      isByDay ? Quantity.text(span / 86_400, "day") : Quantity.text(span, "second")
    return HTML.table(
      caption: "Files opened of each source, in periods of \(period) (UTC)",
      columns: [("from", false)] + sources.map { ($0.displayName, true) },
      rows: rows
    )
  }

  /// The beginnings and ends of runs, and what changed while they went on.
  private static func steps(_ model: ReportModel) -> Markup {
    var events: [(time: String, text: Markup)] = []
    for run in model.runs.suffix(runLimit) {
      events.append(
        (
          run.started,
          "Run \(HTML.identifier(run.identifier)) began for \(run.clientName)."
        )
      )
      for transition in run.transitions {
        events.append((transition.time, HTML.text(ReportWording.transition(transition))))
      }
      let end = run.exitCode.map { "ended with exit code \($0)" } ?? "has its last record"
      let ended: Markup = """
        Run \(HTML.identifier(run.identifier)) \(end): \(HTML.number(run.totals.discovered)) found, \
        \(HTML.number(run.totals.count(.imported))) imported. \(ReportWording.exit(run.exitCode))
        """
      events.append((run.ended, ended))
    }
    for command in model.housekeeping.suffix(runLimit) {
      let end = command.exitCode.map { "ended with exit code \($0)" } ?? "has not come to its end"
      let kept: Markup = """
        <code>mediabatch \(command.typedCommand)</code> kept house, imported nothing, and \(end).
        """
      events.append((command.started, kept))
    }
    guard !events.isEmpty else { return "" }
    events.sort { $0.time.utf8.lexicographicallyPrecedes($1.time.utf8) }
    let more = model.runs.count - runLimit
    var body: Markup =
      more > 0 ? "<p>\(Quantity.text(more, "earlier run", "is", "are")) not listed.</p>\n" : ""
    body += "<ol class=\"events\">\n"
    for event in events { body += "<li>\(HTML.time(event.time)) UTC: \(event.text)</li>\n" }
    return HTML.details("Each run, step by step", body + "</ol>\n")
  }
}
