internal import MediaModel

/// Sources by row, outcomes by column; an outcome that no item has takes no column, and a source of which nothing was
/// read has a phrase.
struct SourceTable {
  let lines: [String]

  init(_ report: RunReport, width: Int, style: TextStyle) {
    let counts = report.counts
    // Files that are added to the photo library have a line of their own; a microphone that is declared for the
    // sound of videos has none.
    let sources = report.sources.filter { source in
      source.isRead(source.source)
        && !(source.source.kind == .microphone && source.decision.isRead && source.counts.isEmpty)
    }
    let shown = ItemOutcome.allCases.filter {
      (counts[$0] ?? 0) > 0 || $0 == .imported || $0 == .failed
    }
    let columns = ["found"] + shown.map { $0 == .failedBefore ? "failed before" : $0.rawValue }
    let rows: [(name: String, phrase: String?, cells: [Int])] = sources.map { source in
      let found = source.counts.values.reduce(0, Quantity.sum)
      let phrase = source.decision.isRead && found > 0 ? nil : Self.phrase(source, in: report)
      return (source.source.displayName, phrase, [found] + shown.map { source.counts[$0] ?? 0 })
    }
    let total = [report.discovered] + shown.map { counts[$0] ?? 0 }
    let nameWidth = (rows.map(\.name) + ["source", "total"]).map { TextLayout.width($0) }.max() ?? 0
    func phrase(_ name: String, _ text: String) -> [String] {
      TextLayout.wrapped(
        text,
        to: width,
        first: TextLayout.padded(name, to: nameWidth) + "  ",
        rest: String(repeating: " ", count: nameWidth + 2)
      )
    }
    guard report.discovered > 0 else {
      lines = rows.flatMap { phrase($0.name, $0.phrase ?? "") }
      return
    }
    let widths = columns.indices.map { column in
      max(Quantity.grouped(total[column]).utf8.count, columns[column].utf8.count)
    }
    let tableWidth = nameWidth + widths.reduce(0) { $0 + $1 + 2 }
    guard tableWidth <= width else {
      lines =
        rows.flatMap { row in
          TextLayout.wrapped(
            row.phrase ?? Self.cells(columns, row.cells),
            to: width,
            first: row.name + ": ",
            rest: "  "
          )
        } + TextLayout.wrapped(Self.cells(columns, total), to: width, first: "total: ", rest: "  ")
      return
    }
    func row(_ name: String, _ cells: [String]) -> String {
      TextLayout.padded(name, to: nameWidth)
        + zip(cells, widths).map { "  " + TextLayout.padded($0, to: $1, onLeft: true) }.joined()
    }
    lines =
      [style.strong(row("source", columns))]
      + rows.flatMap { line in
        line.phrase.map { phrase(line.name, $0) } ?? [row(line.name, line.cells.map(Quantity.grouped))]
      } + [style.strong(row("total", total.map(Quantity.grouped)))]
  }

  /// The facts of a row in a line, for a narrow terminal.
  private static func cells(_ columns: [String], _ values: [Int]) -> String {
    zip(columns, values).filter { $1 > 0 || $0 == "found" }
      .map { "\(Quantity.grouped($1)) \($0)" }.joined(separator: ", ")
  }

  /// Why no file of a source was read.
  private static func phrase(_ source: RunReport.Source, in report: RunReport) -> String {
    if source.decision.isRead {
      let stops: Set<RunExitCode> = [.success, .itemsFailed]
      return stops.contains(report.exitCode) ? "nothing found" : "not read: the run stopped before"
    }
    let requirement = source.required ? ", and it is required" : ""
    // What is added to it is written there, and nothing in it is read.
    let isAddedTo = source.source.kind == .library && (report.addedToPhotoLibrary ?? 0) > 0
    let effect = isAddedTo ? "nothing in it was read" : "never opened"
    let cause =
      switch source.reason {
      case .unavailable: "allowed, but nothing is there"
      case .notDetermined: "nobody has answered yet: \(effect)"
      case .expired: "the permission has expired: \(effect)"
      case .levelInsufficient: "may be added to, but not read"
      case .restricted: "restricted, whatever a person answers: \(effect)"
      case .usageDescriptionMissing: "the manifest does not say what it is for: \(effect)"
      case .limitedNotApplicable, .manifestMistake: "the manifest has a mistake about it: \(effect)"
      case .denied, .microphoneRefused, .picked, .limited, .authorized: "refused: \(effect)"
      }
    return cause + requirement
  }
}
