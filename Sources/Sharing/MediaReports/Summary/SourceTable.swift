internal import MediaModel

/// Sources by row, outcomes by column; an outcome that no item has takes no column.
struct SourceTable {
  let lines: [String]

  init(_ report: RunReport, width: Int, style: TextStyle) {
    let counts = report.counts
    // Files that are added to the photo library have a line of their own.
    let sources = report.sources.filter { $0.isRead($0.source) }
    let shown = ItemOutcome.allCases.filter {
      (counts[$0] ?? 0) > 0 || $0 == .imported || $0 == .failed
    }
    let names =
      sources.map(\.source.displayName) + ["source", "total"]
    let nameWidth = names.map { TextLayout.width($0) }.max() ?? 0
    let columns = ["found"] + shown.map(\.rawValue)
    let rows = sources.map { source in
      [source.counts.values.reduce(0, Quantity.sum)] + shown.map { source.counts[$0] ?? 0 }
    }
    let total = [report.discovered] + shown.map { counts[$0] ?? 0 }
    let widths = columns.indices.map { column in
      ([total] + rows).map { Quantity.grouped($0[column]).utf8.count }.reduce(
        columns[column].utf8.count,
        max
      )
    }
    let tableWidth = nameWidth + widths.reduce(0) { $0 + $1 + 2 }
    guard tableWidth <= width else {
      lines = Self.list(report, sources, columns, rows, total, width)
      return
    }

    func row(_ name: String, _ cells: [String]) -> String {
      TextLayout.padded(name, to: nameWidth)
        + zip(cells, widths).map { "  " + TextLayout.padded($0, to: $1, onLeft: true) }.joined()
    }
    var lines = [style.strong(row("source", columns))]
    for (source, cells) in zip(sources, rows) {
      let name = source.source.displayName
      if source.decision.isRead {
        lines.append(row(name, cells.map(Quantity.grouped)))
      } else {
        lines += TextLayout.wrapped(
          Self.refusal(source, in: report),
          to: width,
          first: TextLayout.padded(name, to: nameWidth) + "  ",
          rest: String(repeating: " ", count: nameWidth + 2)
        )
      }
    }
    lines.append(style.strong(row("total", total.map(Quantity.grouped))))
    self.lines = lines
  }

  /// The same facts a line each, for a narrow terminal.
  private static func list(
    _ report: RunReport,
    _ sources: [RunReport.Source],
    _ columns: [String],
    _ rows: [[Int]],
    _ total: [Int],
    _ width: Int
  ) -> [String] {
    func cells(_ values: [Int]) -> String {
      zip(columns, values).filter { $1 > 0 || $0 == "found" }
        .map { "\(Quantity.grouped($1)) \($0)" }.joined(separator: ", ")
    }
    var lines: [String] = []
    for (source, values) in zip(sources, rows) {
      let text =
        source.decision.isRead ? cells(values) : refusal(source, in: report)
      lines += TextLayout.wrapped(text, to: width, first: source.source.displayName + ": ", rest: "  ")
    }
    return lines + TextLayout.wrapped(cells(total), to: width, first: "total: ", rest: "  ")
  }

  private static func refusal(_ source: RunReport.Source, in report: RunReport) -> String {
    let requirement = source.required ? ", and it is required" : ""
    // What is added to it is written there, and nothing in it is read.
    let isAddedTo = source.source.kind == .library && (report.addedToPhotoLibrary ?? 0) > 0
    let effect = isAddedTo ? "nothing in it was read" : "never opened"
    switch source.reason {
    case .unavailable:
      return "not there: nothing was imported from it\(requirement)"
    case .notDetermined, .expired:
      return "undecided (\(source.reason.rawValue)): \(effect)\(requirement)"
    case .levelInsufficient where !source.required:
      return "may be added to alone (\(source.reason.rawValue)): \(effect)"
    default:
      return "refused (\(source.reason.rawValue)): \(effect)\(requirement)"
    }
  }
}
