internal import MediaModel
internal import MediaSyntax

/// Charts as SVG inside the page. Each has a title and a description, and stands beside a table or a
/// legend with the same numbers: nothing is told by color alone.
enum HTMLChart {
  private static let width = 720
  /// The number of runs that have a column.
  private static let runLimit = 60

  /// Draws one bar, divided into the outcomes by their share.
  static func outcomes(_ totals: ReportTotals) -> Markup {
    let all = totals.discovered
    guard all > 0 else { return "" }
    let shown = ItemOutcome.allCases.filter { totals.count($0) > 0 }
    let summary = shown.map { "\(Quantity.grouped(totals.count($0))) \($0.rawValue)" }
      .joined(separator: ", ")
    var svg = opening(height: 34, title: "Items by outcome", description: summary)
    var before = 0
    for outcome in shown {
      let x = share(before, of: all)
      before = Quantity.sum(before, totals.count(outcome))
      // Every outcome that occurs gets a visible width.
      let end = max(share(before, of: all), x + 2)
      svg += rectangle(x, 2, end - x, 30, "var(--\(outcome.rawValue))")
    }
    svg += "</svg>\n<ul class=\"legend\">"
    for outcome in shown {
      svg += "<li><i aria-hidden=\"true\" style=\"color:var(--\(outcome.rawValue))\">■</i> "
      svg += "\(Quantity.grouped(totals.count(outcome))) \(outcome.rawValue)</li>"
    }
    return svg + "</ul>\n"
  }

  /// A bar for each of the most frequent kinds of metadata that were removed.
  static func removed(_ kinds: [(name: String, removed: ReportTotals.Removed)]) -> Markup {
    let shown = kinds.prefix(12)
    guard let most = shown.map(\.removed.files).max(), most > 0 else { return "" }
    let description = shown.map {
      "\($0.name): \(Quantity.text($0.removed.files, "file"))"
    }.joined(separator: "; ")
    var svg = opening(
      height: shown.count * 26 + 4,
      title: "Files by the kind of metadata removed from them",
      description: description
    )
    for (index, kind) in shown.enumerated() {
      let y = index * 26 + 3
      let length = max(2, kind.removed.files * 420 / most)
      svg += label(0, y + 15, TextLayout.cut(kind.name, to: 28))
      svg += rectangle(220, y, length, 20, "var(--bar)")
      svg += label(226 + length, y + 15, Quantity.grouped(kind.removed.files))
    }
    return svg + "</svg>\n"
  }

  /// A column for each slot of time, cut into the outcomes.
  static func timeline(_ timeline: ReportTimeline<ItemOutcome>) -> Markup {
    let most = timeline.slots.map { $0.values.reduce(0, Quantity.sum) }.max() ?? 0
    guard most > 0, let start = timeline.start else { return "" }
    let span = Int(timeline.width / 1_000_000)
    let columns = timeline.slots.map { slot in
      ItemOutcome.allCases.map { (color: $0.rawValue, count: slot[$0] ?? 0) }
    }
    return bars(
      columns,
      title: "Items over time",
      description: "\(timeline.slots.count) columns of \(Quantity.text(span, "second")) from "
        + "\(CalendarTime(microsecondsSince1970: start).timestamp); the tallest has "
        + "\(Quantity.text(most, "item")).",
      first: clock(start),
      last: clock(start &+ timeline.width &* Int64(timeline.slots.count))
    )
  }

  /// A column for each slot of time, cut into the files that were about to be opened of each source, and the
  /// decisions that refused one; with a legend.
  static func accesses(_ timeline: ReportTimeline<ReportAccess>) -> Markup {
    let kinds = Set(timeline.slots.flatMap(\.keys)).sorted()
    guard !kinds.isEmpty, let start = timeline.start else { return "" }
    let span = Int(timeline.width / 1_000_000)
    let svg = bars(
      timeline.slots.map { slot in kinds.map { (color: color($0), count: slot[$0] ?? 0) } },
      title: "Accesses over time",
      description:
        "\(Quantity.text(timeline.slots.count, "column")) of \(Quantity.text(span, "second")); the "
        + "table has the numbers.",
      first: clock(start),
      last: clock(start &+ timeline.width &* Int64(timeline.slots.count))
    )
    let legend = kinds.map { kind -> Markup in
      "<li><i aria-hidden=\"true\" style=\"color:var(--\(color(kind)))\">■</i> \(name(kind))</li>"
    }
    return svg + "<ul class=\"legend\">\(legend.joined())</ul>\n"
  }

  /// The words for what a timeline of accesses counts.
  static func name(_ access: ReportAccess) -> String {
    "\(access.source.displayName), \(access.isRefusal ? "refused" : "allowed")"
  }

  private static func color(_ access: ReportAccess) -> String {
    if access.isRefusal { return "failed" }
    return switch access.source {
    case .camera: "duplicate"
    case .library: "skipped"
    case .microphone: "imported"
    }
  }

  /// A column for each of the last runs.
  static func runs(_ runs: [ReportRun]) -> Markup {
    let shown = runs.suffix(runLimit)
    guard let first = shown.first, let last = shown.last,
      shown.contains(where: { $0.totals.discovered > 0 })
    else { return "" }
    let columns = shown.map { run in
      ItemOutcome.allCases.map { (color: $0.rawValue, count: run.totals.count($0)) }
    }
    return bars(
      columns,
      title: "Items of each run",
      description: "\(shown.count) runs, the oldest on the left; the tallest has "
        + "\(Quantity.text(shown.map(\.totals.discovered).max() ?? 0, "item")).",
      first: String(first.started.prefix(10)),
      last: String(last.started.prefix(10))
    )
  }

  private static func bars(
    _ columns: [[(color: String, count: Int)]],
    title: String,
    description: String,
    first: String,
    last: String
  ) -> Markup {
    let most = columns.map { $0.reduce(0) { Quantity.sum($0, $1.count) } }.max() ?? 1
    let height = 120
    var svg = opening(height: height + 24, title: title, description: description)
    let pitch = min(40, width / max(1, columns.count))
    for (index, column) in columns.enumerated() {
      var y = height
      for (color, count) in column where count > 0 {
        let length = max(1, Int((Double(count) / Double(most) * Double(height - 4)).rounded()))
        y -= length
        svg += rectangle(index * pitch + 1, y, pitch - 2, length, "var(--\(color))")
      }
    }
    svg += "<line x1=\"0\" y1=\"\(height)\" x2=\"\(width)\" y2=\"\(height)\" "
    svg += "stroke=\"var(--line)\"/>"
    svg += label(0, height + 18, first)
    let end = pitch * columns.count
    // Beside the first when the columns are too few to have it under the last.
    svg += label(max(110, min(end, width) - 80), height + 18, "– \(last)")
    return svg + "</svg>\n"
  }

  private static func clock(_ microseconds: Int64) -> String {
    String(CalendarTime(microsecondsSince1970: microseconds).time(separator: ":").prefix(8))
  }

  private static func share(_ part: Int, of all: Int) -> Int {
    Int(Double(part) / Double(all) * Double(width))
  }

  private static func opening(height: Int, title: String, description: String) -> Markup {
    """
    <svg viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
    aria-label="\(title): \(description)"><title>\(title)</title><desc>\(description)</desc>
    """
  }

  private static func rectangle(
    _ x: Int,
    _ y: Int,
    _ width: Int,
    _ height: Int,
    _ color: String
  ) -> Markup {
    "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" style=\"fill:\(color)\"/>"
  }

  private static func label(_ x: Int, _ y: Int, _ text: String) -> Markup {
    "<text x=\"\(x)\" y=\"\(y)\">\(text)</text>"
  }
}
