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
  ///   - isVerbose: Whether to say the log's head and root, and what guarded the run.
  /// - Returns: Lines that each end in a newline.
  package static func text(
    _ report: RunReport,
    advice: [String] = [],
    width: Int = 80,
    color: Bool = false,
    isVerbose: Bool = false
  ) -> String {
    let width = max(40, width)
    let style = TextStyle(isColored: color)
    var lines = SourceTable(report, width: width, style: style).lines
    lines += totals(report, width)
    lines += unstripped(report, width)
    lines += failedBefore(report, width)
    for sentence in advice {
      let adviceLines = ReportText.lines(sentence)
      // The problem that stopped a run has the same command, or where there is none, the same sentence.
      if let last = adviceLines.last?.drop(while: { $0 == " " }),
        report.problems.contains(where: { ReportText.line($0.message).contains(last) })
      {
        continue
      }
      lines.append("")
      for line in adviceLines {
        // A command stays on one line, so that it can be copied.
        lines += line.hasPrefix("  ") ? [line] : TextLayout.wrapped(line, to: width)
      }
    }
    lines += problems(report, width, style)
    let (failures, missing) = (
      FailureGroup.all(of: report.failures, report.settings),
      FailureGroup.all(of: report.thumbnailMissing, report.settings)
    )
    for group in failures { lines += list(group, width, style.failure) }
    for group in missing { lines += list(group, width, style.warning) }
    if report.repeatsEarlierRun {
      lines += leftOutAgain(report, width)
    } else {
      let leftOut = report.leftOut.map { FailureGroup($0, report.settings) }
      for group in leftOut { lines += list(group, width) }
      lines += allOfThem(failures + missing + leftOut, report)
    }
    lines += runDetails(report, width, style, isVerbose: isVerbose)
    return lines.map { $0 + "\n" }.joined()
  }

  /// The number of problems, and of the items of a group, that are listed before the rest is only counted.
  static let listLimit = 20

  private static func totals(_ report: RunReport, _ width: Int) -> [String] {
    var parts: [String] = []
    if report.thumbnails > 0 {
      parts.append(Quantity.text(report.thumbnails, "thumbnail") + " made")
    }
    if report.sidecarsRead > 0 {
      parts.append(
        Quantity.text(report.sidecarsRead, "sidecar") + " read, such as JSON, and counted as skipped"
      )
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
    if report.superseded > 0 {
      parts.append(
        Quantity.text(report.superseded, "older original")
          + " kept until the next run or `mediabatch repair --superseded`"
      )
    }
    if report.degraded > 0 {
      parts.append(Quantity.text(report.degraded, "asset") + " incomplete")
    }
    let ignored = report.sources.reduce(0) { $0 + $1.ignored }
    if ignored > 0 { parts.append("\(Quantity.grouped(ignored)) ignored by rule") }
    return parts.isEmpty ? [] : [""] + TextLayout.wrapped(parts.joined(separator: ", "), to: width)
  }

  /// Says how many assets are unstripped, unless a problem does.
  private static func unstripped(_ report: RunReport, _ width: Int) -> [String] {
    let count = report.unstripped
    if count == 0 || report.problems.contains(where: { $0.code == .unstripped }) { return [] }
    let sentence =
      Quantity.text(count, "asset")
      + (count == 1
        ? " has more metadata than its source's policy allows."
        : " have more metadata than the policies of their sources allow.")
    return [""] + TextLayout.wrapped(sentence, to: width)
  }

  /// Says how many items are not opened because their failure was said, and names the first of them with the cause;
  /// empty when there are none.
  private static func failedBefore(_ report: RunReport, _ width: Int) -> [String] {
    let count = report.counts[.failedBefore] ?? 0
    if count == 0 { return [] }
    let sentence =
      ReportWording.failedBefore(count) + "; --retry-failed reads "
      + (count == 1 ? "it" : "them") + " again, and --fail-on-earlier ends such a run with 3."
    let names = report.failedBefore.map { failure in
      "\"\(ReportText.path(failure.path.bytes))\" (\(failure.source.displayName)): "
        + FailureAdvice.cause(failure.reason)
    }
    let title = TextLayout.wrapped(sentence, to: width).joined(separator: "\n")
    if names.isEmpty { return ["", title] }
    return list(names, of: count, under: title, width)
      + (report.auditFile == nil ? [] : ["What to do about each:", reporting(report) + " --format text"])
  }

  private static func problems(
    _ report: RunReport,
    _ width: Int,
    _ style: TextStyle
  ) -> [String] {
    let title = style.warning(Quantity.text(report.problems.count, "problem") + ":")
    return list(report.problems.map(\.message), under: title, width)
  }

  /// Lists the first items of a group by name, each with the words about it, under one sentence about all.
  private static func list(
    _ group: FailureGroup,
    _ width: Int,
    _ emphasis: (String) -> String = { $0 }
  ) -> [String] {
    let title = TextLayout.wrapped(group.message, to: width).map(emphasis)
    return list(group.items, of: group.count, under: title.joined(separator: "\n"), width)
  }

  /// Says how many items were left out again, and the command that lists them with the reasons, which the
  /// summary of an earlier run has.
  private static func leftOutAgain(_ report: RunReport, _ width: Int) -> [String] {
    if report.leftOut.isEmpty { return [] }
    let counts = report.leftOut.reduce(into: [SourceID: Int]()) {
      $0[$1.source] = Quantity.sum($0[$1.source] ?? 0, $1.count)
    }
    let names = counts.sorted { $0.key < $1.key }.map {
      "\(Quantity.text($0.value, "file")) of the \($0.key.displayName)"
    }
    let sentence = "Left out again, as by an earlier run: \(Quantity.list(names)). The reasons:"
    return [""] + TextLayout.wrapped(sentence, to: width) + [listing(of: report)]
  }

  /// The command that lists every item of the run.
  private static func listing(of report: RunReport) -> String {
    reporting(report) + " --run \(ReportText.line(report.run)) --format csv"
  }

  private static func reporting(_ report: RunReport) -> String {
    "  mediabatch report \(ShellWord.quoted(shown(report.library)))"
  }

  /// Names the command that lists every item, when not all were named.
  private static func allOfThem(_ groups: [FailureGroup], _ report: RunReport) -> [String] {
    guard groups.contains(where: { $0.count > $0.items.count }), report.auditFile != nil
    else { return [] }
    return ["", "The whole list:", listing(of: report)]
  }

  /// A path as a shell can be given it where it can be shown so; else as it is shown.
  private static func shown(_ path: String) -> String {
    path.unicodeScalars.allSatisfy(EscapedText.isPrintable) ? path : ReportText.path(path.utf8)
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
      lines += TextLayout.wrapped(ReportText.line(message), to: width, first: "  - ", rest: "    ")
    }
    let more = (count ?? messages.count) - listLimit
    if more > 0 { lines.append("  and \(Quantity.grouped(more)) more") }
    return lines
  }

  /// Returns the path of the signed head of an audit file.
  private static func signedHead(_ file: String) -> [UInt8] {
    Array((file.hasSuffix(".ndjson") ? String(file.dropLast(6)) + "head" : file).utf8)
  }

  private static func runDetails(
    _ report: RunReport,
    _ width: Int,
    _ style: TextStyle,
    isVerbose: Bool
  ) -> [String] {
    var lines = ["", "Library   " + style.strong(ReportText.path(report.library.utf8))]
    if let added = report.addedToPhotoLibrary, added > 0 {
      lines.append("Added     \(Quantity.text(added, "file")) to the photo library")
    }
    if let file = report.auditFile {
      lines.append(
        "Log       \(ReportText.path(file.utf8)), \(Quantity.text(report.auditRecords, "record"))"
      )
      if isVerbose { lines += proof(report, width, logFile: file) }
    }
    let isGuarded = report.enforcement == .kernel
    if isVerbose || !isGuarded {
      let detail = ReportText.line(report.enforcementDetail)
      lines.append(
        "Guard     "
          + (isGuarded ? "kernel" : style.warning("this process only, not the kernel"))
          + (detail.isEmpty ? "" : " (\(detail))")
      )
    }
    lines.append("Time      \(Duration.text(report.elapsedMilliseconds))" + rate(report))
    return lines
  }

  /// The head and the root of the log, and the command that checks the head later. A hash stays whole, and a
  /// command that is too long for the terminal goes on in a line that a shell takes for the same one.
  private static func proof(_ report: RunReport, _ width: Int, logFile: String) -> [String] {
    func labeled(_ label: String, _ hash: String) -> [String] {
      let line = TextLayout.padded(label, to: 10) + hash
      return TextLayout.width(line) <= width ? [line] : [label, hash]
    }
    let head = ReportText.line(report.auditHead)
    let verify = "  mediabatch audit verify \(ShellWord.quoted(shown(report.library)))"
    let whole = verify + " --expect-head \(head)"
    var lines = labeled("Head", head)
    lines += TextLayout.wrapped("Keep it outside the library; it proves the log from now on:", to: width)
    lines +=
      TextLayout.width(whole) <= width ? [whole] : [verify + " \\", "    --expect-head \(head)"]
    lines += labeled("Root", ReportText.line(report.auditRoot))
    lines += TextLayout.wrapped(
      "of \(Quantity.text(report.auditSize, "record")), "
        + (report.auditSignedHead == nil
          ? "not signed" : "signed: \(ReportText.path(signedHead(logFile)))"),
      to: width,
      first: "          ",
      rest: "          "
    )
    return lines
  }

  private static func rate(_ report: RunReport) -> String {
    guard report.elapsedMilliseconds > 0, report.discovered > 0 else { return "" }
    let (scaled, overflows) = report.discovered.multipliedReportingOverflow(by: 10_000)
    guard !overflows else { return "" }
    return ", \(Quantity.rate(tenths: scaled / report.elapsedMilliseconds)) files/s"
  }
}
