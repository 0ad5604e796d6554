internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// Charts as SVG inside the page, over the width that there is. Each stands beside a table or a legend with the
/// same numbers: nothing is told by color alone.
enum HTMLChart {
  private static let width = 1000
  /// The units between two parts of a bar, or two columns.
  private static let gap = 3

  /// Draws one bar over the full width, divided into the outcomes by their share; the numbers of the page are
  /// its legend.
  static func shares(_ totals: ReportTotals) -> Markup {
    let shown = ItemOutcome.allCases.filter { totals.count($0) > 0 }
    guard !shown.isEmpty else { return "" }
    let summary = shown.map {
      "\(Quantity.grouped(totals.count($0))) \(ReportLabels.outcome($0).lowercased())"
    }.joined(separator: ", ")
    // Every outcome that occurs gets a visible width, which the others give.
    let least = 4
    let remaining = width - gap * (shown.count - 1) - least * shown.count
    var x = 0
    let bars = shown.map { outcome -> Markup in
      let share = Double(totals.count(outcome)) / Double(totals.discovered)
      let part = least + max(0, Int(share * Double(remaining)))
      defer { x += part + gap }
      return "<rect class=\"\(raw: outcome.rawValue)\" x=\"\(x)\" width=\"\(part)\" height=\"14\"/>"
    }
    return figure("shares", 14, "Shares of the outcomes: \(summary)", bars)
  }

  /// Draws how many of all files are concerned.
  static func share(_ part: Int, of total: Int) -> Markup {
    let length = total > 0 ? min(100, max(1, Int(Double(part) / Double(total) * 100))) : 0
    return """
      <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="track" width="100" height="6"/><rect class="filled" width="\(length)" height="6"/></svg>
      """
  }

  /// A column for each slot of time of the files that were about to be opened, with a mark above it where a
  /// source was refused.
  static func accesses(_ timeline: ReportTimeline<ReportAccess>) -> Markup {
    let opened = timeline.slots.map { count(in: $0, isRefusal: false) }
    let refused = timeline.slots.map { count(in: $0, isRefusal: true) }
    let (most, height, top) = (max(1, opened.max() ?? 1), 132, 12)
    let files = opened.reduce(0, Quantity.sum)
    let times = refused.reduce(0, Quantity.sum)
    let label =
      "Accesses over time: \(Quantity.text(files, "file")) opened in "
      + "\(Quantity.text(timeline.slots.count, "column")), at most \(Quantity.grouped(most)) in one; "
      + "a source was refused \(Quantity.text(times, "time"))"
    // A few columns are no wider than those of a full chart.
    let pitch = width / max(12, timeline.slots.count)
    let marks = timeline.slots.indices.map { index -> Markup in
      func mark(_ name: String, _ y: Int, _ height: Int) -> Markup {
        """
        <rect class="\(name)" x="\(index * pitch)" y="\(y)" width="\(pitch - gap)" height="\(height)"/>
        """
      }
      let length = Int((Double(opened[index]) / Double(most) * Double(height - top)).rounded())
      let drawn = max(2, length)
      return """
        \(mark("access", height - drawn, drawn), if: opened[index] > 0)\
        \(mark("refusal", 0, 6), if: refused[index] > 0)
        """
    }
    return figure("columns", height, label, marks)
  }

  private static func count(in slot: [ReportAccess: Int], isRefusal: Bool) -> Int {
    slot.reduce(0) { $1.key.isRefusal == isRefusal ? Quantity.sum($0, $1.value) : $0 }
  }

  private static func figure(
    _ name: String,
    _ height: Int,
    _ label: String,
    _ parts: [Markup]
  ) -> Markup {
    """
    <svg class="\(name)" viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img" \
    aria-label="\(label)">\(parts)</svg>

    """
  }
}
