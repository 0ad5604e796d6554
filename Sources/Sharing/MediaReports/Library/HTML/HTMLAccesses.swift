internal import MediaAudit
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// When files were opened and sources refused, and each step of the runs.
enum HTMLAccesses {
  /// Beyond it older runs are counted, not listed.
  private static let runLimit = 50

  /// Which source was read when, and when one was refused: by day, or by parts of the one day.
  static func accesses(_ model: ReportModel) -> Markup {
    .section("accesses", "When files were opened", chart(model) + steps(model))
  }

  private static func chart(_ model: ReportModel) -> Markup {
    let isByDay = model.accessDays.slots.count > 1
    let timeline = isByDay ? model.accessDays : model.accesses
    if model.isAboutAsset {
      return "<p>The records of the asset say when each of its files was opened.</p>\n"
    }
    guard let start = timeline.start else {
      return "<p>No file was opened.</p>\n"
    }
    func name(_ slot: Int) -> String {
      let time = CalendarTime(microsecondsSince1970: start &+ timeline.width &* Int64(slot))
      let day = String(time.timestamp.prefix(10))
      return isByDay ? day : day + " " + time.time(separator: ":").prefix(8)
    }
    let last = timeline.slots.count - 1
    return """
      <p>Each file is recorded before it is opened. Of a refused source only the decision is recorded.</p>
      <div class="chart">\(HTMLChart.accesses(timeline))<p class="axis"><span>\(name(0))</span>\
      \("<span>– \(name(last)) UTC</span>", if: last > 0)</p></div>
      <p class="key"><span class="access">Files opened</span><span class="refusal">A source was refused</span></p>
      \(.details("As a table", table(timeline, isByDay: isByDay, name: name)))
      """
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
        [.plain(name(index))]
          + sources.map { source in
            let files = slot[ReportAccess(source: source, isRefusal: false)] ?? 0
            let refusals = slot[ReportAccess(source: source, isRefusal: true)] ?? 0
            if refusals == 0 { return files == 0 ? "–" : .number(files) }
            let times = refusals == 1 ? "refused" : "refused \(Quantity.text(refusals, "time"))"
            return "\("\(grouped: files), ", if: files > 0)\(times)"
          }
      )
    }
    let span = Int(timeline.width / 1_000_000)
    let period =
      isByDay ? Quantity.text(span / 86_400, "day") : Quantity.text(span, "second")
    return PageTable(
      "Files opened of each source, in periods of \(period) (UTC)",
      ["from"] + sources.map(\.displayName),
      numbers: 1..<sources.count + 1
    )(rows)
  }

  /// The beginnings and ends of runs, and what changed while they went on.
  private static func steps(_ model: ReportModel) -> Markup {
    var events: [(time: String, text: Markup)] = []
    for run in model.runs.suffix(runLimit) {
      events.append((run.started, "Run \(run: run.identifier) began for \(run.clientName)."))
      events += run.transitions.map { ($0.time, .plain(ReportWording.transition($0))) }
      let end = run.exitCode.map { "ended with exit code \($0)" } ?? "has not ended"
      let ended: Markup = """
        Run \(run: run.identifier) \(end): \(grouped: run.totals.discovered) found, \
        \(grouped: run.totals.count(.imported)) imported. \(ReportWording.exit(run.exitCode))
        """
      events.append((run.ended, ended))
    }
    for command in model.housekeeping.suffix(runLimit) {
      let end = command.exitCode.map { "ended with exit code \($0)" } ?? "has not ended"
      let kept: Markup = """
        <code>mediabatch \(command.typedCommand)</code> imported nothing and \(end).
        """
      events.append((command.started, kept))
    }
    guard !events.isEmpty else { return "" }
    events.sort { $0.time.utf8.lexicographicallyPrecedes($1.time.utf8) }
    let more = model.runs.count - runLimit
    return .details(
      "Each run, step by step",
      """
      \("<p>\(Quantity.text(more, "earlier run", "is", "are")) not listed.</p>\n", if: more > 0)<ol class="events">
      \(events.map { "<li>\(time: $0.time) UTC: \($0.text)</li>\n" })</ol>

      """
    )
  }
}
