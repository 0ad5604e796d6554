package import MediaModel

/// The summary of a run for a person.
package enum SummaryTable {
  /// A table of outcomes by source, then what needs attention, then where everything is.
  ///
  /// Nothing of a name, a manifest or a message reaches the result raw.
  ///
  /// - Parameters:
  ///   - report: What the run did.
  ///   - advice: One sentence, and on a line of its own one command, for each source whose status is
  ///     not `authorized`.
  ///   - width: Columns; lines are broken at spaces, and only a single word can be longer. At least 40.
  ///   - color: Whether to send SGR escape sequences for emphasis.
  /// - Returns: Lines that each end in a newline.
  package static func text(
    _ report: RunReport,
    advice: [String] = [],
    width: Int = 80,
    color: Bool = false
  ) -> String {
    let width = max(40, width)
    let style = TextStyle(isColored: color)
    var lines = SourceTable(report, width: width, style: style).lines
    lines += totals(report, width)
    for sentence in advice {
      lines.append("")
      for line in ReportText.lines(sentence) {
        // A command stays on one line, so that it can be copied.
        lines += line.hasPrefix("  ") ? [line] : TextLayout.wrapped(line, to: width)
      }
    }
    lines += problems(report, width, style)
    lines += failures(report, width, style)
    lines += unsupported(report, width)
    lines += places(report, style)
    return lines.map { $0 + "\n" }.joined()
  }

  /// The number of problems, and of failures, that are listed before the rest is only counted.
  private static let listLimit = 20

  private static func totals(_ report: RunReport, _ width: Int) -> [String] {
    var parts: [String] = []
    if report.thumbnails > 0 {
      parts.append(Quantity.text(report.thumbnails, "thumbnail") + " made")
    }
    if report.restored > 0 {
      parts.append(Quantity.text(report.restored, "lost original") + " restored")
    }
    if report.newerVersions > 0 {
      parts.append(Quantity.text(report.newerVersions, "newer version") + " of changed files added")
    }
    if report.replaced > 0 {
      parts.append(Quantity.text(report.replaced, "original") + " replaced")
    }
    if report.degraded > 0 {
      parts.append(Quantity.text(report.degraded, "asset") + " not whole")
    }
    let ignored = report.sources.reduce(0) { $0 + $1.ignored }
    if ignored > 0 { parts.append("\(Quantity.grouped(ignored)) ignored by rule") }
    return parts.isEmpty ? [] : [""] + TextLayout.wrapped(parts.joined(separator: ", "), to: width)
  }

  private static func problems(
    _ report: RunReport,
    _ width: Int,
    _ style: TextStyle
  ) -> [String] {
    let title = style.warning(Quantity.text(report.problems.count, "problem") + ":")
    return list(report.problems.map(\.message), under: title, width)
  }

  private static func failures(
    _ report: RunReport,
    _ width: Int,
    _ style: TextStyle
  ) -> [String] {
    let title = style.failure(Quantity.text(report.failures.count, "failure") + ":")
    return list(report.failures.map(\.message), under: title, width)
  }

  /// Lists the unsupported files by name, without a sentence about each.
  private static func unsupported(_ report: RunReport, _ width: Int) -> [String] {
    let count = max(report.unsupported.count, report.counts[.unsupported] ?? 0)
    let title = Quantity.text(count, "file") + " of no known format, not imported:"
    let names = report.unsupported.prefix(listLimit).map { item in
      "\"\(ReportText.path(item.path.bytes))\" (\(item.source.displayName))"
    }
    return list(names, of: count, under: title, width)
  }

  /// The first messages under a title, and how many more of the `count` there are; nothing for none.
  private static func list(
    _ messages: [String],
    of count: Int? = nil,
    under title: String,
    _ width: Int
  ) -> [String] {
    guard !messages.isEmpty else { return [] }
    var lines = ["", title]
    for message in messages.prefix(listLimit) {
      lines += TextLayout.wrapped(
        ReportText.line(message),
        to: width,
        first: "  - ",
        rest: "    "
      )
    }
    let more = (count ?? messages.count) - listLimit
    if more > 0 { lines.append("  and \(Quantity.grouped(more)) more, see --format json") }
    return lines
  }

  /// Returns the path of the signed head of an audit file.
  private static func signedHead(_ file: String) -> [UInt8] {
    Array((file.hasSuffix(".ndjson") ? String(file.dropLast(6)) + "head" : file).utf8)
  }

  private static func places(_ report: RunReport, _ style: TextStyle) -> [String] {
    let library = ReportText.path(report.library.utf8)
    // As it is where a shell can be given it so; else as it is shown.
    let isShown = report.library.unicodeScalars.allSatisfy(EscapedText.isPrintable)
    let word = isShown ? report.library : library
    var lines = ["", "Library   \(style.strong(library))"]
    if let file = report.auditFile {
      lines.append(
        "Log       \(library)/\(ReportText.path(file.utf8)), "
          + Quantity.text(report.auditRecords, "record")
      )
      lines.append("Head      \(ReportText.line(report.auditHead))")
      lines.append("          Keep it outside the library; it proves the log from now on:")
      lines.append(
        "            mediabatch audit verify \(ShellWord.quoted(word)) --expect-head "
          + ReportText.line(report.auditHead)
      )
      lines.append("Root      \(ReportText.line(report.auditRoot))")
      lines.append(
        "          of \(Quantity.text(report.auditSize, "record")), "
          + (report.auditSignedHead == nil
            ? "not signed"
            : "signed: \(library)/\(ReportText.path(signedHead(file)))")
      )
    }
    let kernel = report.enforcement == .kernel
    let detail = ReportText.line(report.enforcementDetail)
    lines.append(
      "Guard     " + (kernel ? "kernel" : style.warning("this process only, not the kernel"))
        + (detail.isEmpty ? "" : " (\(detail))")
    )
    lines.append("Time      \(Duration.text(report.elapsedMilliseconds))" + rate(report))
    return lines
  }

  private static func rate(_ report: RunReport) -> String {
    guard report.elapsedMilliseconds > 0, report.discovered > 0 else { return "" }
    let (scaled, overflows) = report.discovered.multipliedReportingOverflow(by: 10_000)
    guard !overflows else { return "" }
    return ", \(Quantity.rate(tenths: scaled / report.elapsedMilliseconds)) files/s"
  }
}
